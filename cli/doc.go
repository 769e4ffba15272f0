// Package cli is the command line: each command parses its flags, calls the
// rooms below and prints. Answers go to standard output, everything said about
// them to standard error, and an error is one line.
package cli
