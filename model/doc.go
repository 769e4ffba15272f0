// Package model holds a backend in memory: plain data, the edits that keep it
// right, the rules it must obey, and the two questions that everything else
// asks of it: Match (which path serves a request) and Decide (who may send it).
//
// It does no I/O, reads no clock and knows no other room of the program.
//
// A Backend is never changed below its surface. Every edit is a method that
// copies what it touches, puts the copy in place and shares the rest, so a
// shallow copy of a Backend is a snapshot, and undo is a list of pointers.
package model
