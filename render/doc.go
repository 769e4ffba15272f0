// Package render turns a backend into files: the same model gives the same
// bytes, always. It does no I/O and knows nothing of what is on disk; bringing a
// file that exists up to date is the work of project and project/document.
package render
