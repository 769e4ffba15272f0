// Package http1 reads the requests of HTTP/1.1 as their clients wrote them: the
// names of headers keep their case and their order and the target stays raw, which
// net/http does not give (research/sandbox.md 2.4). It is strict where a lenient
// reading would let two readers see different requests: a request has one length,
// no header goes on in a second line, and no name has a space after it.
package http1
