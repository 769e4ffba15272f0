package account

import (
	"io"
	"net/http"

	"github.com/aws/aws-sdk-go-v2/aws"
)

// draining reads answers to their ends before they are closed. The SDK stops at the last
// element of an answer, and a connection with something left to read cannot be used again.
type draining struct{ aws.HTTPClient }

// Do sends a request.
func (d draining) Do(r *http.Request) (*http.Response, error) {
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
