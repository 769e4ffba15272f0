// Package http1 reads HTTP/1.1 requests. Unlike net/http it keeps the case and the order of header names and
// the raw request target. It refuses what two readers could read as different requests (request smuggling):
// two lengths, header values on several lines, and names followed by a space.
package http1
