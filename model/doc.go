// Package model holds a backend in memory: plain data, the edits that keep it valid, the
// rules for it (Check), and the two decisions that everything else relies on: Match (which
// path serves a request) and Decide (who may send it).
//
// It does no I/O and reads no clock.
//
// Whatever the fields of a Backend point to is never changed. Every edit is a method that
// copies what it changes, puts the copy in place and shares the rest, so a shallow copy of a
// Backend is a snapshot, and undo is a list of pointers.
package model
