// Package worktree does everything with git for tasks: it finds repositories, names and makes worktrees, says what is in them,
// lands their branches, and takes them away without losing work. It also runs a repository's init script.
//
// It calls the system's git (2.30 or newer) by argv, never through a shell, and reads only formats made for machines. It may
// import workspace's codes and the standard library; it knows nothing of the daemon.
//
//	git.go        one call of git: its environment, limits and errors
//	repo.go       the repository of a directory; list.go its worktrees; base.go the refs that work can begin at
//	name.go       branch names and directories from a title; slug.go the letters of it
//	create.go     new worktrees, and recover.go what a crash left of one; clone.go new repositories; initscript.go what runs in a new worktree once
//	look.go       what is in a worktree: porcelain.go reads git's status, nested.go the repositories inside of it
//	remove.go     the gate and the removal; salvage.go keeps what was not committed; branch.go deletes a branch by name
//	land.go       merge or squash into a checkout
//	files.go      what the Files pane lists; changes.go what differs, and diff.go its lines; path.go shows paths safely
//
// Answers: a probe says Yes, No or Unknown. Unknown is the zero value, and nothing is destroyed on it.
//
// Paths are bytes as git and the kernel have them: they may hold newlines, escape sequences and no UTF-8. Show them through Display.
//
// Concurrency: a Repo is a value and may be used from any goroutine. Every function that takes a context blocks for as long
// as git does, and ends git, with what git started, when the context is done. Two calls that change one repository
// at once are kept apart by git's own locks; the second fails with CodeBusy or CodeConflict.
//
// Failure: errors carry a workspace.Code and a next step. What Create and Clone made before they failed is removed
// again, and nothing else is. Land leaves the checkout as it was or says that it could not. Remove deletes only after what it keeps
// has been read back. A branch is deleted by DeleteBranch alone.
package worktree
