// Package model holds a backend in memory: plain data, what it is called, and what follows from it.
//
// Who may do what is in package access, below it. The rules for a backend are in package check, the
// edits that keep it valid in package edit, what differs between two of them in package diff, and
// what the client configuration file has of it in package clientfile.
//
// It does no I/O and reads no clock.
//
// Whatever the fields of a Backend point to is never changed. Every edit copies what it changes, puts the copy in
// place and shares the rest, so a shallow copy of a Backend is a snapshot, and undo is a list of pointers.
package model
