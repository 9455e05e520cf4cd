package wire

import "errors"

// Error is a failure with a stable code, as it crosses a socket and as the API
// prints it. Message says what happened, Next what to do about it.
type Error struct {
	Code    string `json:"code"`
	Message string `json:"message"`
	Next    string `json:"next,omitempty"`
}

func (e *Error) Error() string { return e.Message }

// Codes that any end may answer with.
const (
	CodeInternal      = "internal"
	CodeUnknownMethod = "unknown_method"
	CodeInvalid       = "invalid"
	CodeNotFound      = "not_found"
	CodeBusy          = "busy"
	CodeRefused       = "refused"
	CodeDirGone       = "directory_gone" // where a program was to start
	CodeAway          = "away"
)

// CodeOf returns the code of err, "" when it carries none.
func CodeOf(err error) string {
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Code
	}
	return ""
}

// ErrClosed is what calls in flight end with when the connection goes.
var ErrClosed = &Error{Code: CodeAway, Message: "the connection is closed", Next: "try again in a moment; `moorage status` shows who runs"}

// ErrBacklog closes a connection whose other end does not read.
var ErrBacklog = errors.New("peer does not read: send queue full")

// asError makes any error fit for the wire.
func asError(err error) *Error {
	if e, ok := errors.AsType[*Error](err); ok {
		return e
	}
	return &Error{Code: CodeInternal, Message: err.Error()}
}
