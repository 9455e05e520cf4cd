package freeze

import (
	"errors"

	bolterrors "go.etcd.io/bbolt/errors"
)

func isMissing(err error) bool { return errors.Is(err, bolterrors.ErrBucketNotFound) }
