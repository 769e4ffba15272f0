// Package render makes files of a backend: the same model always gives the same bytes. It
// does no I/O. Packages project and project/document update files that exist.
//
// A new format of the client configuration file is a Format with its file name, and a case in ClientCode, or in
// AmplifyCLIFile if it has names of its own, and in Snippet. cli/ship reads it back, and tests run it in its
// language. A new dialect is a column of the table in dialect.go, a schema, and an entry of model.Dialects.
package render
