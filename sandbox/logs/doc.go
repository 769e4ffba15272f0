// Package logs stores the log lines of handler functions, the gateway and the sandbox.
//
// Each function of each environment has a log of its own: the last lines in memory, and
// two files of JSON Lines, the present and the previous one. A line is in memory when
// Append returns, and on disk a fifth of a second later; writers never wait for the disk or
// for readers. Secret values (Redact) are neither in memory nor on disk.
package logs
