// Package example makes the answer that a contract gives as an example of an operation: one that the document
// of OpenAPI has, or else one made from the schema. The same document gives the same bytes. It does no I/O.
package example
