package workspace

import (
	"errors"
	"fmt"

	"moorage/ptyhost/wire"
)

// Code is the stable name of a failure: what a caller decides by, and what the API prints. Codes are only ever added.
type Code string

// The codes of the workspace. The first ones are the wire's own.
const (
	CodeNotFound Code = wire.CodeNotFound // no such task, tab, pane or session
	CodeInvalid  Code = wire.CodeInvalid  // the request makes no sense
	CodeBusy     Code = wire.CodeBusy     // try again later
	CodeRefused  Code = wire.CodeRefused  // it could be done, and is not
	CodeInternal Code = wire.CodeInternal
	CodeAway     Code = wire.CodeAway    // the daemon is not there
	CodeDirGone  Code = wire.CodeDirGone // where a program was to start

	CodeConflict         Code = "conflict"          // somebody else was first, or changed the same lines
	CodeHostAway         Code = "host_away"         // the PTY host cannot be started or reached
	CodeHostUnresponsive Code = "host_unresponsive" // it is there and does not answer
	CodeRunning          Code = "running"           // another process of this kind has the home
	CodeUnauthorized     Code = "unauthorized"      // the client may look only

	CodeGitAbsent        Code = "git_absent"         // there is no git to call
	CodeGitFailed        Code = "git_failed"         // git was called and gave up; the message is its own
	CodeNotRepository    Code = "not_a_repository"   // git was asked and says that the directory is in none
	CodeCouldNotLook     Code = "could_not_look"     // a question that must be answered before work is touched was not
	CodeUncommitted      Code = "uncommitted"        // files that exist nowhere else: changed, untracked or ignored
	CodeUnpushed         Code = "unpushed"           // commits that are neither on a remote nor in the base
	CodeLocked           Code = "locked"             // the user locked the worktree
	CodeDirtyBase        Code = "dirty_base"         // the checkout to land in has changes of its own
	CodeDetached         Code = "detached_head"      // no branch is checked out there
	CodeSameBranch       Code = "same_branch"        // a branch cannot land in itself
	CodeNoCommits        Code = "no_commits"         // there is nothing to land, or nothing to land on
	CodeMissingRef       Code = "missing_ref"        // no such branch, tag or commit
	CodeTabRestored      Code = "TAB_RESTORED"       // its program was lost with the host; nothing runs in it
	CodeEngineNotRunning Code = "ENGINE_NOT_RUNNING" // its engine has ended, a shell is there
	CodeNoEngineTab      Code = "NO_ENGINE_TAB"      // no tab of the task has an engine
)

// Fail is an error with a code and a next step, fit for the wire. The next step may be empty.
func Fail(code Code, next, format string, args ...any) error {
	return &wire.Error{Code: string(code), Message: fmt.Sprintf(format, args...), Next: next}
}

// CodeOf is the code that err carries; CodeInternal when it has none, "" when err is nil.
func CodeOf(err error) Code {
	if err == nil {
		return ""
	}
	if code := wire.CodeOf(err); code != "" {
		return Code(code)
	}
	return CodeInternal
}

// AsError is err in the form of the wire and the API, whatever it was. It keeps the whole message of an error that wraps one with a code.
func AsError(err error) *wire.Error {
	if coded, ok := errors.AsType[*wire.Error](err); ok {
		return &wire.Error{Code: coded.Code, Message: err.Error(), Next: coded.Next}
	}
	return &wire.Error{Code: string(CodeInternal), Message: err.Error()}
}
