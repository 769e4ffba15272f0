package cloud

import (
	"bytes"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"strings"
	"time"

	"gatewright/sandbox/function"
)

// Caller is the function that calls a service.
type Caller struct {
	Environment, Function string
	// Region and Account are the function's.
	Region, Account string
}

// Options say what a Server answers.
type Options struct {
	// Tables, Pools and Functions are the addresses of the services that the sandbox has,
	// such as http://127.0.0.1:4280; "" if it has none.
	Tables, Pools, Functions string
	// Caller finds a function by the access key id of its credentials.
	Caller func(accessKey string) (Caller, bool)
	// Values are the values of parameters and secrets of an environment, by name.
	Values func(environment string) map[string]string
	// Refused is called for each request that is refused, Missing for each parameter or
	// secret without a value.
	Refused func(Caller, Request)
	Missing func(c Caller, service, name string)
	// May decides whether a function may take an action on what has an ARN; it returns the refusal, or
	// "". The user's programs, whose Caller is zero, are not asked about.
	May func(c Caller, action, arn, shown string) string
	// Failed is called for each request to a service of the sandbox that got no answer there.
	Failed func(c Caller, text string)
	// Used is called for each use by a function that the Server answers or refuses itself, before the
	// function gets the answer, with the beginning of that; it may be nil.
	Used func(u function.Told, status int, answer []byte)
}

// Request is what a request asks of which service, such as s3 and PutObject.
type Request struct {
	Service, Action string
	// NeedsSandbox means that a running sandbox serves this, and none runs.
	NeedsSandbox bool
}

// Server answers requests that functions send to the cloud, on a loopback port of its
// own.
type Server struct {
	options   Options
	listener  net.Listener
	server    *http.Server
	tables    *httputil.ReverseProxy
	pools     *httputil.ReverseProxy
	functions *httputil.ReverseProxy
}

// Headers of the bootstraps: the host that the function wanted, and the access key id in
// its variables.
const (
	HostHeader   = "X-Gatewright-Host"
	CallerHeader = "X-Gatewright-Caller"
)

// largestBody is the largest body that is read to find out what is asked for: 1 MB is
// the largest request of the services that are answered here.
const largestBody = 1 << 20

// Start listens. The caller closes the Server.
func Start(o Options) (*Server, error) {
	listener, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	s := &Server{options: o, listener: listener}
	for _, to := range []struct {
		address string
		proxy   **httputil.ReverseProxy
	}{{o.Tables, &s.tables}, {o.Pools, &s.pools}, {o.Functions, &s.functions}} {
		if to.address == "" {
			continue
		}
		target, err := url.Parse(to.address)
		if err != nil {
			return nil, errors.Join(err, listener.Close())
		}
		*to.proxy = &httputil.ReverseProxy{
			Rewrite: func(r *httputil.ProxyRequest) {
				r.SetURL(target)
				r.Out.Host = target.Host
				r.Out.Header.Del(HostHeader)
				if *to.proxy == s.tables {
					r.Out.Header.Del(CallerHeader)
				}
			},
			ErrorLog: log.New(io.Discard, "", 0),
		}
	}
	const headTime = 10 * time.Second
	s.server = &http.Server{Handler: s, ReadHeaderTimeout: headTime, Protocols: new(http.Protocols)}
	s.server.Protocols.SetHTTP1(true)
	// Clients of streaming services speak HTTP/2 at once.
	s.server.Protocols.SetUnencryptedHTTP2(true)
	go func() { _ = s.server.Serve(listener) }()
	return s, nil
}

// Address is the address for the variable AWS_ENDPOINT_URL.
func (s *Server) Address() string { return "http://" + s.listener.Addr().String() }

// Close ends the Server and its connections.
func (s *Server) Close() error { return s.server.Close() }

// ServeHTTP answers a request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Header.Get("Origin") != "" || r.Header.Get("Sec-Fetch-Site") != "" {
		http.Error(w, "The services of functions are not for web pages.", http.StatusForbidden)
		return
	}
	if r.Method == http.MethodConnect {
		s.tunnel(w, r)
		return
	}
	body, err := io.ReadAll(io.LimitReader(r.Body, largestBody))
	if err != nil {
		return
	}
	wanted := identify(r, body)
	r.Body = io.NopCloser(io.MultiReader(bytes.NewReader(body), r.Body))
	c := s.caller(r)
	switch {
	case wanted.Service == "dynamodb" && s.tables != nil:
		s.pass(s.tables, s.options.Tables, w, r, c, wanted)
	case (wanted.Service == "cognito-idp" || wanted.Service == "cognito-identity") && s.pools != nil:
		s.pass(s.pools, s.options.Pools, w, r, c, wanted)
	case wanted.Service == "lambda" && s.functions != nil && c == (Caller{}) &&
		scopeOf(r.Header.Get("Authorization")) == "":
		// What a function may call depends on who it is.
		w.Header().Set("X-Amzn-Errortype", "MissingAuthenticationTokenException")
		answerJSON(w, http.StatusForbidden, map[string]string{"message": "Missing Authentication Token"})
	case wanted.Service == "lambda" && s.functions != nil:
		s.pass(s.functions, s.options.Functions, w, r, c, wanted)
	default:
		s.answer(s.watch(w, r, c, wanted, body), r, c, wanted, body)
	}
}

// answer answers what no other service of the sandbox serves.
func (s *Server) answer(w *useWriter, r *http.Request, c Caller, wanted Request, body []byte) {
	switch {
	case wanted.Service == "ssm" && s.parameters(w, c, wanted, body):
	case wanted.Service == "secretsmanager" && s.secret(w, c, wanted, body):
	default:
		wanted.NeedsSandbox = s.pools == nil && strings.HasPrefix(wanted.Service, "cognito-i") || s.functions == nil &&
			wanted.Service == "lambda"
		s.options.Refused(c, wanted)
		w.use.Why = wanted.Text()
		refuse(w, r, wanted)
	}
}

// pass passes a request on to a service of the sandbox. If that gives no answer, the caller
// gets why.
func (s *Server) pass(
	proxy *httputil.ReverseProxy, address string, w http.ResponseWriter, r *http.Request, c Caller, wanted Request,
) {
	passed := *proxy
	passed.ErrorHandler = func(w http.ResponseWriter, _ *http.Request, err error) {
		// A caller that left, as a function that was ended, is no fault to report.
		if r.Context().Err() != nil {
			return
		}
		text := wanted.unanswered(address, err)
		s.options.Failed(c, text)
		w.Header().Set("X-Amzn-Errortype", noAnswer)
		answerJSON(w, http.StatusBadGateway, map[string]string{"__type": noAnswer, "message": text, "Message": text})
	}
	passed.ServeHTTP(w, r)
}

// caller is the function that sent a request; its zero value is an unknown program.
func (s *Server) caller(r *http.Request) Caller {
	c, _ := CallerOf(r.Header.Get, s.options.Caller)
	return c
}

// CallerOf finds the function that sent a request by the access key ids in its header: that of its
// bootstrap, the one that it is signed with, and the session token, which is the same. A
// function may sign with another key, as another service for tables needs it.
func CallerOf[C any](header func(name string) string, find func(key string) (C, bool)) (c C, known bool) {
	for _, key := range []string{
		header(CallerHeader), accessKeyOf(header("Authorization")), header("X-Amz-Security-Token"),
	} {
		if found, is := find(key); is {
			return found, true
		}
	}
	return c, false
}
