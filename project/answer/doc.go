// Package answer answers whether somebody may send a request: by which rule, and
// for a no by which commands it would be a yes. It knows no terminal; commands and
// screens print the same answer.
package answer
