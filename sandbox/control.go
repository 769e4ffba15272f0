package sandbox

import (
	"crypto/subtle"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"strconv"
	"time"

	"gatewright/sandbox/gateway"
	"gatewright/sandbox/logs"
)

// Paths of the control interface: JSON over HTTP on a port of its own, for clients that
// can read the token in run.json.
const (
	controlPrefix   = "/_gatewright/"
	statusPath      = controlPrefix + "status"
	logsPath        = controlPrefix + "logs"
	testPath        = controlPrefix + "test"
	usersPath       = controlPrefix + "users"
	tokensPath      = controlPrefix + "tokens"
	userPath        = controlPrefix + "user"
	rosterPath      = controlPrefix + "roster"
	credentialsPath = controlPrefix + "credentials"
	requestsPath    = controlPrefix + "requests"
	requestPath     = controlPrefix + "request"
	feedPath        = controlPrefix + "feed"
	trafficPath     = controlPrefix + "traffic"
	refreshPath     = controlPrefix + "refresh"
	stopPath        = controlPrefix + "stop"

	tokenHeader = "X-Gatewright-Token"
)

// Largest requests in bytes: maxTest for a test, which is 10 MB in base64 and JSON, and
// maxQuestion for questions about users.
const maxTest, maxQuestion = 16 << 20, 1 << 20

// newControl returns the server of the control interface for an address.
func newControl(s *Sandbox, address string) *http.Server {
	c := &control{sandbox: s, address: address}
	mux := http.NewServeMux()
	mux.HandleFunc("GET "+statusPath, c.status)
	mux.HandleFunc("GET "+logsPath, c.logs)
	mux.HandleFunc("GET "+requestsPath, c.requests)
	mux.HandleFunc("GET "+requestPath, c.request)
	mux.HandleFunc("GET "+feedPath, c.feed)
	mux.HandleFunc("GET "+trafficPath, c.traffic)
	mux.HandleFunc("POST "+testPath, c.test)
	mux.HandleFunc("POST "+usersPath, question(c.users))
	mux.HandleFunc("POST "+tokensPath, question(c.tokens))
	mux.HandleFunc("POST "+userPath, question(c.user))
	mux.HandleFunc("POST "+rosterPath, question(c.roster))
	mux.HandleFunc("POST "+credentialsPath, question(c.credentials))
	mux.HandleFunc("POST "+refreshPath, c.refresh)
	mux.HandleFunc("POST "+stopPath, c.stop)
	const slow, idle = 10 * time.Second, time.Minute
	return &http.Server{Handler: c.guard(mux), ReadHeaderTimeout: slow, IdleTimeout: idle}
}

type control struct {
	sandbox *Sandbox
	address string
}

// guard requires the token. It also refuses requests of web pages by their Host and
// Origin headers, because a page may resolve its own host name to this machine (DNS
// rebinding), and must not learn whether a token is valid.
func (c *control) guard(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		token := []byte(r.Header.Get(tokenHeader))
		switch {
		case !c.isOwnHost(r.Host) || r.Header.Get("Origin") != "":
			refuse(w, http.StatusForbidden, errors.New("web pages may not use the control interface"))
		case subtle.ConstantTimeCompare(token, []byte(c.sandbox.run.Token)) != 1:
			refuse(w, http.StatusUnauthorized, errors.New("the token is missing or wrong"))
		default:
			next.ServeHTTP(w, r)
		}
	})
}

// isOwnHost reports whether a Host header has this listener's loopback address.
func (c *control) isOwnHost(host string) bool {
	_, own, err := net.SplitHostPort(c.address)
	if err != nil {
		return false
	}
	name, port, err := net.SplitHostPort(host)
	return err == nil && port == own && (name == loopback || name == "localhost")
}

// failure is the answer for an error.
type failure struct {
	Error string `json:"error"`
}

func refuse(w http.ResponseWriter, status int, err error) {
	answer(w, status, failure{err.Error()})
}

// readJSON reads the body of a request into a value, or refuses the request.
func readJSON(w http.ResponseWriter, r *http.Request, limit int64, into any) bool {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, limit))
	if err == nil {
		err = json.Unmarshal(body, into)
	}
	if err != nil {
		refuse(w, http.StatusBadRequest, err)
	}
	return err == nil
}

func answer(w http.ResponseWriter, status int, value any) {
	text, err := json.Marshal(value)
	if err != nil {
		status, text = http.StatusInternalServerError, []byte(`{"error":"the answer cannot be encoded"}`)
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = w.Write(text)
}

// toLines begins an answer in JSON Lines.
func toLines(w http.ResponseWriter) (encode func(any) error, flush func() error) {
	w.Header().Set("Content-Type", "application/x-ndjson")
	lines := json.NewEncoder(w)
	lines.SetEscapeHTML(false)
	return lines.Encode, http.NewResponseController(w).Flush
}

func (c *control) status(w http.ResponseWriter, _ *http.Request) {
	run := c.sandbox.run
	answer(w, http.StatusOK,
		Status{
			PID: run.PID, Started: run.Started, Address: run.Address, Environment: c.sandbox.firstEnvironment(),
			APIs: c.sandbox.servedAPIs(), TableEndpoint: c.sandbox.TableEndpoint(), Pools: c.sandbox.servedPools(),
			Preparing: c.sandbox.preparing.list(),
		})
}

// logs answers with log lines as JSON Lines; with follow=true new lines follow until the
// client or the sandbox ends.
func (c *control) logs(w http.ResponseWriter, r *http.Request) {
	form := r.URL.Query()
	q := logs.Query{
		Environment: form.Get("environment"), Function: form.Get("function"), Request: form.Get("request"),
		Functions: form["functions"],
	}
	if text := form.Get("since"); text != "" {
		var err error
		if q.Since, err = time.Parse(time.RFC3339Nano, text); err != nil {
			refuse(w, http.StatusBadRequest, errors.New("since is not a time"))
			return
		}
	}
	if text := form.Get("last"); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil || n < 0 {
			refuse(w, http.StatusBadRequest, errors.New("last is not a number of lines"))
			return
		}
		q.Last = n
	}
	q.Notable = form.Get("notable") == "true"
	q.Each, _ = strconv.Atoi(form.Get("each"))
	encode, flush := toLines(w)
	if form.Get("follow") != "true" {
		for _, l := range c.sandbox.logs.Read(q) {
			if encode(l) != nil {
				return
			}
		}
		return
	}
	before, following := c.sandbox.logs.ReadAndFollow(r.Context(), q)
	for _, l := range before {
		if encode(l) != nil {
			return
		}
	}
	if flush() != nil {
		return
	}
	for l := range following {
		if encode(l) != nil || flush() != nil {
			return
		}
	}
}

func (c *control) test(w http.ResponseWriter, r *http.Request) {
	var request gateway.Request
	if !readJSON(w, r, maxTest, &request) {
		return
	}
	result, err := c.sandbox.gateway.Test(r.Context(), request)
	if err != nil {
		refuse(w, http.StatusUnprocessableEntity, err)
		return
	}
	answer(w, http.StatusOK, result)
}

func (c *control) refresh(w http.ResponseWriter, _ *http.Request) {
	if refresh := c.sandbox.options.Refresh; refresh != nil {
		if err := refresh(); err != nil {
			refuse(w, http.StatusUnprocessableEntity, err)
			return
		}
	}
	answer(w, http.StatusOK, struct{}{})
}

func (c *control) stop(w http.ResponseWriter, _ *http.Request) {
	stop := c.sandbox.options.Stop
	if stop == nil {
		refuse(w, http.StatusNotImplemented, errors.New("this sandbox can be stopped only where it was started"))
		return
	}
	answer(w, http.StatusOK, struct{}{})
	_ = http.NewResponseController(w).Flush()
	stop()
}
