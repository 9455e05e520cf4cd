// Package proc starts and ends the processes behind a PTY: the pair itself,
// the environment they get, their process groups and session.
//
// Starting and looking are quick; End blocks for at most Grace and a little.
// Floor 1; imports nothing of moorage's.
package proc
