package gateway

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"gatewright/internal/text/phrase"
	"gatewright/model/access"
	"gatewright/sandbox/http1"
	"gatewright/sandbox/logs"
)

// maxServiceBody is the largest body of a request to a service, in bytes: DynamoDB's
// largest, a batch of 16 MB, in JSON.
const maxServiceBody = 24 << 20

// Answerer is a handler that answers a POST at once from its head and body. This saves
// making an http.Request, which takes longer than many answers.
type Answerer interface {
	http.Handler
	// Answer returns the answer. It must not keep head or body.
	Answer(ctx context.Context, head *http1.Head, body []byte) (status int, header []http1.Field, answer []byte)
}

// answerNow runs a service in the connection's own goroutine.
func (c *conn) answerNow(a Answerer, body []byte) {
	defer c.recoverService()
	status, header, answer := a.Answer(c.ctx, &c.head, body)
	fields := make([]namedValues, 0, len(header)+1)
	for _, f := range header {
		fields = append(fields, field(f.Name, f.Value))
	}
	head := c.answerHead(status, append(fields, field("Content-Length", strconv.Itoa(len(answer)))))
	c.write(append(head, answer...), "")
}

// recoverService closes a connection whose service panicked, and logs that.
func (c *conn) recoverService() {
	if broke := recover(); broke != nil {
		c.gateway.note("", "", logs.Error,
			"a service of the sandbox failed: "+phrase.Quote(fmt.Sprint(broke))+"; this is a bug of the sandbox: report it")
		c.closeAfter()
		c.abort()
		c.endTurn()
	}
}

// serveService runs a service. An ordinary handler runs in another goroutine, while the
// connection's own waits for the client to leave, which ends the request's context.
func (c *conn) serveService(h http.Handler) {
	body, refused := c.readBody(maxServiceBody)
	if refused != nil {
		c.skipBody()
		c.reply(refused.status, refused.fields(identifiers{}, new(access.CORS)), refused.body)
		return
	}
	if a, ok := h.(Answerer); ok && c.head.Method == http.MethodPost {
		c.answerNow(a, body)
		return
	}
	r, err := c.serviceRequest(body)
	if err != nil {
		c.closeAfter()
		c.reply(http.StatusBadRequest, []namedValues{field("Content-Length", "0")}, "")
		return
	}
	if c.services == nil {
		// One goroutine for all requests keeps its stack, which new ones would have to grow.
		c.services = make(chan func())
		go func() {
			for serve := range c.services {
				serve()
			}
		}()
	}
	c.services <- func() { c.answer(h, r) }
}

// answer runs a service's handler.
func (c *conn) answer(h http.Handler, r *http.Request) {
	w := &serviceWriter{conn: c, header: http.Header{}}
	defer c.recoverService()
	h.ServeHTTP(w, r)
	w.finish()
	c.endTurn()
}

// serviceRequest makes an http.Request of the head that was read and the body.
func (c *conn) serviceRequest(body []byte) (*http.Request, error) {
	path, query := http1.SplitTarget(c.head.Target)
	at, err := url.ParseRequestURI(path)
	if err != nil {
		return nil, err
	}
	at.RawQuery = query
	r := &http.Request{
		Method: c.head.Method, URL: at, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Header: http.Header{},
		Body: io.NopCloser(bytes.NewReader(body)), ContentLength: int64(len(body)), Host: c.head.Host,
		RemoteAddr: c.socket.RemoteAddr().String(), RequestURI: c.head.Target, Close: c.head.Close,
	}
	for _, f := range c.head.Fields {
		r.Header.Add(f.Name, f.Value)
	}
	r.Header.Del("Host")
	return r.WithContext(c.ctx), nil
}

// serviceWriter is the http.ResponseWriter of a service. It sends an answer that is
// flushed in chunks, and any other with a Content-Length.
type serviceWriter struct {
	conn    *conn
	header  http.Header
	status  int
	pending []byte
	// length counts the bytes written, sent or not.
	length  int
	flushed bool
	err     error
}

// maxPending is how many bytes of an answer are buffered before it is sent in chunks.
const maxPending = 1 << 20

func (w *serviceWriter) Header() http.Header { return w.header }

func (w *serviceWriter) WriteHeader(status int) {
	if w.status == 0 {
		w.status = status
	}
}

func (w *serviceWriter) Write(p []byte) (int, error) {
	w.WriteHeader(http.StatusOK)
	if w.err != nil {
		return 0, w.err
	}
	w.length += len(p)
	if !hasBody(w.conn.head.Method, w.status) {
		return len(p), nil
	}
	w.pending = append(w.pending, p...)
	if len(w.pending) > maxPending {
		return len(p), w.FlushError()
	}
	return len(p), nil
}

// Flush sends the bytes written so far.
func (w *serviceWriter) Flush() { _ = w.FlushError() }

// FlushError is Flush with the error of the connection.
func (w *serviceWriter) FlushError() error {
	w.WriteHeader(http.StatusOK)
	if !hasBody(w.conn.head.Method, w.status) {
		return w.err
	}
	var out []byte
	if !w.flushed {
		w.flushed = true
		if w.conn.head.Old {
			// HTTP/1.0 has no chunks: the answer ends where the connection ends.
			w.conn.closeAfter()
		}
		w.header.Del("Content-Length")
		out = w.head()
	}
	w.send(w.chunk(out))
	return w.err
}

// chunk appends the pending bytes as a chunk.
func (w *serviceWriter) chunk(out []byte) []byte {
	switch {
	case len(w.pending) == 0:
	case w.conn.head.Old:
		out = append(out, w.pending...)
	default:
		out = strconv.AppendInt(out, int64(len(w.pending)), 16)
		out = append(append(append(out, "\r\n"...), w.pending...), "\r\n"...)
	}
	w.pending = w.pending[:0]
	return out
}

func (w *serviceWriter) head() []byte {
	// The gateway, not the service, chooses the transfer encoding.
	w.header.Del("Transfer-Encoding")
	if w.flushed && !w.conn.head.Old {
		w.header.Set("Transfer-Encoding", "chunked")
	}
	if strings.EqualFold(w.header.Get("Connection"), "close") {
		w.conn.closeAfter()
	}
	if value := w.conn.connectionHeader(); value != "" {
		w.header.Set("Connection", value)
	}
	var text bytes.Buffer
	_ = w.header.Write(&text)
	return append(append(appendStatus(nil, w.status), text.Bytes()...), "\r\n"...)
}

// finish sends the rest of the answer.
func (w *serviceWriter) finish() {
	w.WriteHeader(http.StatusOK)
	switch {
	case !w.flushed:
		switch {
		case !hasBody(http.MethodGet, w.status):
			w.header.Del("Content-Length")
		case w.length > 0 || w.conn.head.Method != http.MethodHead || w.header.Get("Content-Length") == "":
			w.header.Set("Content-Length", strconv.Itoa(w.length))
		}
		w.send(append(w.head(), w.pending...))
	case w.conn.head.Old:
		w.send(w.pending)
	default:
		w.send(append(w.chunk(nil), "0\r\n\r\n"...))
	}
}

func (w *serviceWriter) send(out []byte) {
	if w.err != nil || len(out) == 0 {
		return
	}
	if out = out[w.conn.writeNow(out, nil):]; len(out) > 0 {
		w.err = w.conn.writeRest(out, nil)
	}
}
