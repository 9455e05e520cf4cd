// Package settings reads what the user may set, <home>/settings.toml, and says what is wrong with it.
//
// It owns the names, defaults and ranges of the settings. It never writes the file and never keeps a process from starting:
// with a mistake in the file the defaults hold and the error says where. It imports nothing of moorage's. Settings are
// values without shared state.
package settings
