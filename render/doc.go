// Package render makes files of a backend: the same model always gives the same bytes. It
// does no I/O. Packages project and project/document update files that exist.
package render
