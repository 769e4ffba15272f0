// Package model holds a backend in memory: plain data, the edits that keep it valid, and the
// rules for it (Check). Who may do what is in package access.
//
// It does no I/O and reads no clock.
//
// Whatever the fields of a Backend point to is never changed. Every edit is a method that
// copies what it changes, puts the copy in place and shares the rest, so a shallow copy of a
// Backend is a snapshot, and undo is a list of pointers.
//
// A check of a thing, or between things, is a function in a file check*.go. It returns a
// Problem with a JSON pointer, from which the place in the file follows. What status says of a
// change is in diff*.go, and what differs in access is said by access.Compare alone.
package model
