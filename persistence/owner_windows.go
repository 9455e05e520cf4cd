package persistence

import "io/fs"

// ownedByUs is always true on Windows: the profile folder's access list is inherited and keeps other users out, and modes
// mean nothing there.
func ownedByUs(fs.FileInfo) bool { return true }
