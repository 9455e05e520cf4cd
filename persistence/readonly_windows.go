package persistence

import (
	"errors"

	"golang.org/x/sys/windows"
)

// isReadOnly reports whether err says that a volume takes no writes.
func isReadOnly(err error) bool { return errors.Is(err, windows.ERROR_WRITE_PROTECT) }

// readOnlyFolder is not looked at: what is to be written there says so.
func readOnlyFolder(string) bool { return false }
