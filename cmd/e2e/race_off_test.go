//go:build !race && unix

package e2e

const raceEnabled = false
