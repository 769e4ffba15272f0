package account

import (
	"bytes"
	"io"
	"net/http"

	"github.com/aws/aws-sdk-go-v2/aws"
)

// draining sends requests so that connections stay usable.
//
// The SDK closes the body of a request as soon as the answer begins. On this machine that may be before the last byte
// is seen to be the last one: then the connection is given up while the answer is still read. So small bodies are
// sent from a copy. And the SDK stops reading at the last element of an answer; a connection with something left to
// read cannot be used again, so answers are read to their ends.
type draining struct{ aws.HTTPClient }

// HTTPClient returns a client of the SDK's services that sends with over so that connections
// stay usable, as an [Account] does.
func HTTPClient(over aws.HTTPClient) aws.HTTPClient { return draining{over} }

// mostCopied is the size of a body that is sent from a copy. Larger ones are files.
const mostCopied = 1 << 20

// Do sends a request.
func (d draining) Do(r *http.Request) (*http.Response, error) {
	if r.Body != nil && r.Body != http.NoBody && r.ContentLength > 0 && r.ContentLength <= mostCopied {
		text, err := io.ReadAll(r.Body)
		if err != nil {
			return nil, err
		}
		sent := *r
		sent.Body = io.NopCloser(bytes.NewReader(text))
		r = &sent
	}
	answer, err := d.HTTPClient.Do(r)
	if answer != nil && answer.Body != nil {
		answer.Body = &drained{answer.Body}
	}
	return answer, err
}

type drained struct{ io.ReadCloser }

// mostDrained is how much of an answer is read that nobody asked for.
const mostDrained = 64 << 10

// Close reads the rest and closes the answer.
func (d *drained) Close() error {
	_, _ = io.CopyN(io.Discard, d.ReadCloser, mostDrained)
	return d.ReadCloser.Close()
}
