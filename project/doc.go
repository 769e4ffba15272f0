// Package project brings a backend and a filesystem together: it finds a
// project, loads it, plans what a changed backend means for its files, and
// commits a plan, all of it or nothing. Loading never writes; a file that nothing
// edited is never rewritten, and an edit changes only its own lines.
package project
