// Package logs keeps what handler functions, the gateway and the sandbox say.
//
// Each function of each environment has its own log: the last lines in memory,
// and two files of JSON Lines that take turns. A line is in memory when Append
// returns and on disk a fifth of a second later; nobody who writes a line ever
// waits for the disk or for a reader. Secret values that the Store was told of
// (Redact) are in neither.
package logs
