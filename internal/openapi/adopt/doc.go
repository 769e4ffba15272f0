// Package adopt makes an API of a document: its paths, the functions that serve them and who may do what, and
// lists everything of the document that the API does not have.
//
// A path of an API serves everything below it, and its access is by action and not by method, so that an API
// is coarser than a document. It is never more open: anyone who may send an operation of the document to the
// API may send it by the document too. What the document does not say, or what cannot be read, closes a path.
package adopt
