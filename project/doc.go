// Package project reads and writes the backend that a folder defines: it finds a project, loads it, plans which files
// a changed backend changes, and commits the plan, every file or none. Loading never writes. A file that no edit
// concerns is never rewritten, and an edit changes only its own lines.
package project
