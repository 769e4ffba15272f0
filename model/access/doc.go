// Package access is who may do what. It can be read alone: an API is paths, a path has an Access,
// which grants actions to principals.
//
// Router.Match finds the path that serves a request, Router.Decide says whether a caller may send
// it and by which rule, and Compare says what differs between two gates, which are all that
// decides: APIs, the order of groups, and whether guests have an identity. Lints are warnings
// about one access; each warning about a path has a rule with a sentence for many paths.
package access
