// Package model holds a backend in memory: plain data, the edits that keep it valid, the
// rules for it (Check), and the two decisions that everything else relies on: Match (which
// path serves a request) and Decide (who may send it).
//
// It does no I/O and reads no clock.
//
// Whatever the fields of a Backend point to is never changed. Every edit is a method that
// copies what it changes, puts the copy in place and shares the rest, so a shallow copy of a
// Backend is a snapshot, and undo is a list of pointers.
//
// A check of a thing, or between things, is a function in a file check*.go. It returns a
// Problem with a JSON pointer, from which the place in the file follows. A warning about the
// access of a path is a lint (lint_access.go); each warning about a path has a rule with a
// sentence for many paths (rule.go). What status says of a change is in diff*.go, and what
// differs in access is said by Compare alone.
package model
