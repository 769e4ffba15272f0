package worker

import (
	"bufio"
	"bytes"
	"crypto/rand"
	"errors"
	"fmt"
	"net"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"gatewright/model"
	"gatewright/sandbox/function"
)

// maxStream is the largest response in streaming mode in bytes (20 MB).
const maxStream = 20 << 20

// apiPrefix begins every path of the Runtime API, after the secret.
const apiPrefix = "/2018-06-01/runtime/"

// api is the Runtime API of one worker, on its own loopback port: a runtime knows only an address, so the
// port identifies the worker. Every process of the machine can reach the port, so the paths begin with a
// secret, which is in the variable with the address: clients of the Runtime API put the variable before their
// paths as it is (https://github.com/aws/aws-lambda-go/blob/main/lambda/runtime_api_client.go).
type api struct {
	worker   *worker
	listener net.Listener
	address  string
	// secret is the first segment of every path, with its slash.
	secret string
}

// newAPI listens on a port. The caller closes the listener.
func newAPI(w *worker) (*api, error) {
	listener, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	return &api{worker: w, listener: listener, address: listener.Addr().String(), secret: "/" + rand.Text()}, nil
}

// serve accepts connections until the listener is closed.
func (a *api) serve() {
	for {
		socket, err := a.listener.Accept()
		if err != nil {
			return
		}
		go a.handle(socket, nil)
	}
}

// connection is one connection of a worker. out belongs to the goroutine that
// reads from the connection, and while a poll is pending to the one that answers it.
type connection struct {
	socket net.Conn
	out    []byte
	// link is not nil for the connection that the worker inherited: events go over
	// it in frames, and other requests get no response.
	link    *link
	pending atomic.Bool
	// answered wakes the reader when the poll was answered.
	answered chan struct{}
	// outcome is the last answer; the caller gets it before the connection waits again.
	outcome *outcome
}

func (a *api) handle(socket net.Conn, l *link) {
	c := &connection{socket: socket, link: l, answered: make(chan struct{}, 1)}
	if !a.worker.connected(c) {
		socket.Close()
		return
	}
	defer a.worker.disconnected(c)
	defer c.notifyCaller()
	r := bufio.NewReaderSize(socket, 8<<10)
	for {
		q, err := readHead(r)
		if err != nil && c.pending.Load() {
			return
		}
		// A request that follows a poll waits until the poll is answered.
		for c.pending.Load() {
			select {
			case <-c.answered:
			case <-a.worker.ended:
				return
			}
		}
		if err == nil {
			err = a.answer(c, r, q)
		}
		switch {
		case errors.Is(err, errMalformed):
			c.out = appendRefusal(c.out, 400, "InvalidRequest", "The request is not HTTP/1.1")
			c.flush()
			return
		case err != nil || q.close && !c.pending.Load():
			c.flush()
			return
		}
		// A worker that has polled does not wait for earlier responses.
		if r.Buffered() == 0 && !c.pending.Load() && c.flush() != nil {
			return
		}
		// The worker gets its next event before the last caller gets its answer.
		if !hasHead(r) {
			c.notifyCaller()
		}
	}
}

// hasHead reports whether the head of the next request was received.
func hasHead(r *bufio.Reader) bool {
	next, _ := r.Peek(r.Buffered())
	return bytes.Contains(next, []byte("\r\n\r\n"))
}

// notifyCaller gives the last answer to its caller.
func (c *connection) notifyCaller() {
	end := c.outcome
	c.outcome = nil
	end.notify()
}

func (c *connection) flush() error {
	if c.link != nil {
		c.out = c.out[:0]
	}
	if len(c.out) == 0 {
		return nil
	}
	_, err := c.socket.Write(c.out)
	c.out = c.out[:0]
	return err
}

// answer serves a request after its head. An error ends the connection.
func (a *api) answer(c *connection, r *bufio.Reader, q *request) error {
	path, known := strings.CutPrefix(q.path, a.secret)
	if !known || q.browser || q.host != "" && q.host != a.address && q.host != "localhost"+a.address[len("127.0.0.1"):] {
		c.out = appendRefusal(c.out, 403, "Forbidden", "Only the function's own process may ask")
		q.close = true
		return nil
	}
	if q.wantsContinue {
		c.out = append(c.out, "HTTP/1.1 100 Continue\r\n\r\n"...)
		if err := c.flush(); err != nil {
			return err
		}
	}
	limit := function.MaxResult
	if q.streaming {
		limit = maxStream
	}
	tooLarge := false
	if err := q.readBody(r, limit); errors.Is(err, errTooLong) {
		tooLarge = true
	} else if err != nil {
		return err
	}
	rest, ok := strings.CutPrefix(path, apiPrefix)
	if !ok {
		c.out = appendRefusal(c.out, 404, "NotFound", "There is no such path in the Runtime API")
		return nil
	}
	switch id, what, _ := strings.Cut(strings.TrimPrefix(rest, "invocation/"), "/"); {
	case rest == "invocation/next" && q.method == "GET":
		a.worker.next(c)
	case rest == "init/error" && q.method == "POST":
		c.reply(a.worker.initError(q))
	case strings.HasPrefix(rest, "invocation/") && (what == "response" || what == "error") && q.method == "POST":
		c.notifyCaller()
		end, refused := a.worker.complete(id, what == "error", q, tooLarge, limit)
		c.outcome = end
		c.reply(refused)
	default:
		c.out = appendRefusal(c.out, 404, "NotFound", "There is no such path in the Runtime API")
	}
	return nil
}

// refusal is a response other than 202; the zero value is 202.
type refusal struct {
	status        int
	kind, message string
}

var (
	refusedID    = refusal{400, "InvalidRequestID", "Invalid request ID"}
	refusedState = refusal{403, "InvalidStateTransition", "The worker is not in a state in which it may ask this"}
)

func refusedSize(limit int) refusal {
	return refusal{413, "RequestEntityTooLarge", fmt.Sprintf("Exceeded maximum allowed payload size (%d bytes).", limit)}
}

func (c *connection) reply(r refusal) {
	if r.status == 0 {
		c.out = append(c.out, accepted...)
		return
	}
	c.out = appendRefusal(c.out, r.status, r.kind, r.message)
}

// smallPayload is the size in bytes up to which a payload is copied, so that its head
// and itself need one write.
const smallPayload = 64 << 10

// send answers a pending poll with an invocation. It ignores errors: they mean that
// the process or its connection is ending.
func (c *connection) send(i *invocation, f frame, spec *function.Spec) {
	if c.link != nil {
		c.link.send(i, f, spec)
		c.pollAnswered()
		return
	}
	payload := i.body.Into(i.payload)
	c.out = appendEvent(c.out, i, len(payload), f, spec)
	if len(payload) <= smallPayload {
		c.out = append(c.out, payload...)
		c.flush()
	} else {
		buffers := net.Buffers{c.out, payload}
		buffers.WriteTo(c.socket)
		c.out = c.out[:0]
	}
	c.pollAnswered()
}

// pollAnswered marks the poll as answered, and wakes the reader.
func (c *connection) pollAnswered() {
	c.pending.Store(false)
	select {
	case c.answered <- struct{}{}:
	default:
	}
}

// appendEvent appends the head of the response to a poll, with every header that
// runtimes read (https://docs.aws.amazon.com/lambda/latest/dg/runtimes-api.html).
func appendEvent(to []byte, i *invocation, length int, f frame, spec *function.Spec) []byte {
	to = append(to, "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nLambda-Runtime-Aws-Request-Id: "...)
	to = append(to, i.id...)
	to = append(to, "\r\nLambda-Runtime-Deadline-Ms: "...)
	to = strconv.AppendInt(to, f.deadline.UnixMilli(), 10)
	to = append(to, "\r\nLambda-Runtime-Invoked-Function-Arn: "...)
	to = append(to, i.arn(spec)...)
	if i.clientContext != "" {
		to = append(append(to, "\r\nLambda-Runtime-Client-Context: "...), i.clientContext...)
	}
	to = append(to, "\r\nLambda-Runtime-Trace-Id: "...)
	to = appendTrace(to, i, f.began)
	to = append(to, "\r\nContent-Length: "...)
	to = strconv.AppendInt(to, int64(length), 10)
	return append(to, "\r\n\r\n"...)
}

// arn returns the ARN that the function would have in AWS.
func arn(spec *function.Spec) string {
	return headerValue(model.ARN("lambda", spec.Region, spec.AccountID, "function:"+spec.NameInCloud()))
}

// arn returns the ARN that the caller invoked: that of the function, with the version or
// alias if the caller named one.
func (i *invocation) arn(spec *function.Spec) string {
	if i.qualifier == "" {
		return arn(spec)
	}
	return arn(spec) + ":" + headerValue(i.qualifier)
}

// headerValue returns a name without characters that a header must not have: names
// come from files.
func headerValue(name string) string {
	return strings.Map(func(r rune) rune {
		if r <= ' ' || r >= 0x7f {
			return '_'
		}
		return r
	}, name)
}

// appendTrace appends a trace id, made from the request's id, that is never sampled, and
// the lineage of the call if it has one
// (https://docs.aws.amazon.com/xray/latest/devguide/xray-concepts.html#xray-concepts-tracingheader).
func appendTrace(to []byte, i *invocation, at time.Time) []byte {
	to = append(to, "Root=1-"...)
	to = fmt.Appendf(to, "%08x-", uint32(at.Unix()))
	to = appendDigits(to, i.id)
	to = append(to, ";Parent=0000000000000000;Sampled=0"...)
	if i.lineage != "" {
		to = append(append(to, ";Lineage="...), i.lineage...)
	}
	return to
}

// traceDigits is how many digits of a trace id follow its time.
const traceDigits = 24

// appendDigits appends the digits of a trace id that are made from the id of a request.
func appendDigits(to []byte, id string) []byte {
	digits := 0
	for n := len(id) - 1; n >= 0 && digits < traceDigits; n-- {
		if c := id[n]; '0' <= c && c <= '9' || 'a' <= c && c <= 'f' {
			to = append(to, c)
			digits++
		}
	}
	for ; digits < traceDigits; digits++ {
		to = append(to, '0')
	}
	return to
}
