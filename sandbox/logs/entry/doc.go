// Package entry reads the lines of a log as a person reads them: what was written, how serious it is, the
// fields of a line of JSON, the stack of an error with the files that it names, and the invocation that
// START, END and REPORT are about. It knows no terminal, so that screens and commands show the same.
package entry
