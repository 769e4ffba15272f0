// Package check holds the requests that come to an API, and what its functions answer, against
// the document of OpenAPI that is the API's contract. It does no I/O. What it finds has names
// and places, and no value of a request or an answer, which may be a secret.
//
// It is not said that a request is broken if it has a body that its operation does not have, a
// header or cookie that is not in the contract, or a property of which JSON Schema takes any.
// The addresses of servers and the security of operations are not judged.
package check
