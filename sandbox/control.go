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

// The control interface: JSON over HTTP on its own port, for clients that can
// read run.json.
const (
	controlPrefix   = "/_gatewright/"
	statusPath      = controlPrefix + "status"
	logsPath        = controlPrefix + "logs"
	testPath        = controlPrefix + "test"
	usersPath       = controlPrefix + "users"
	tokensPath      = controlPrefix + "tokens"
	userPath        = controlPrefix + "user"
	credentialsPath = controlPrefix + "credentials"
	refreshPath     = controlPrefix + "refresh"
	stopPath        = controlPrefix + "stop"

	tokenHeader = "X-Gatewright-Token"
)

// mostTest is the largest request of a test in bytes: 10 MB in base64, and what
// is around it.
const mostTest = 16 << 20

// newControl is the server of the control interface at an address.
func newControl(f *Facility, address string) *http.Server {
	c := &control{facility: f, address: address}
	mux := http.NewServeMux()
	mux.HandleFunc("GET "+statusPath, c.status)
	mux.HandleFunc("GET "+logsPath, c.logs)
	mux.HandleFunc("POST "+testPath, c.test)
	mux.HandleFunc("POST "+usersPath, posed(c.users))
	mux.HandleFunc("POST "+tokensPath, posed(c.tokens))
	mux.HandleFunc("POST "+userPath, posed(c.user))
	mux.HandleFunc("POST "+credentialsPath, posed(c.credentials))
	mux.HandleFunc("POST "+refreshPath, c.refresh)
	mux.HandleFunc("POST "+stopPath, c.stop)
	const slow, idle = 10 * time.Second, time.Minute
	return &http.Server{Handler: c.guard(mux), ReadHeaderTimeout: slow, IdleTimeout: idle}
}

type control struct {
	facility *Facility
	address  string
}

// guard lets through who has the token. The Host and the Origin are looked at
// as well: a page in a browser may have got a name to mean this machine, and
// must not even learn whether a token is right.
func (c *control) guard(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		token := []byte(r.Header.Get(tokenHeader))
		switch {
		case !c.isOwnHost(r.Host) || r.Header.Get("Origin") != "":
			refuse(w, http.StatusForbidden, errors.New("not for pages of a browser"))
		case subtle.ConstantTimeCompare(token, []byte(c.facility.run.Token)) != 1:
			refuse(w, http.StatusUnauthorized, errors.New("the token is missing or wrong"))
		default:
			next.ServeHTTP(w, r)
		}
	})
}

// isOwnHost reports whether a Host header names this listener by an address of
// this machine.
func (c *control) isOwnHost(host string) bool {
	_, own, err := net.SplitHostPort(c.address)
	if err != nil {
		return false
	}
	name, port, err := net.SplitHostPort(host)
	return err == nil && port == own && (name == loopback || name == "localhost")
}

// failure is how an error is answered.
type failure struct {
	Error string `json:"error"`
}

func refuse(w http.ResponseWriter, status int, err error) {
	answer(w, status, failure{err.Error()})
}

func answer(w http.ResponseWriter, status int, value any) {
	text, err := json.Marshal(value)
	if err != nil {
		status, text = http.StatusInternalServerError, []byte(`{"error":"the answer is no JSON"}`)
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = w.Write(text)
}

func (c *control) status(w http.ResponseWriter, _ *http.Request) {
	run := c.facility.run
	answer(w, http.StatusOK, Status{PID: run.PID, Started: run.Started, Address: run.Address, Environment: c.facility.first(), APIs: c.facility.served(), TableEndpoint: c.facility.TableEndpoint(), Pools: c.facility.servedPools()})
}

// logs answers with lines as JSON, one each; with follow=true it goes on until
// the client or the sandbox ends.
func (c *control) logs(w http.ResponseWriter, r *http.Request) {
	form := r.URL.Query()
	q := logs.Query{Environment: form.Get("environment"), Function: form.Get("function"), Request: form.Get("request")}
	if text := form.Get("last"); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil || n < 0 {
			refuse(w, http.StatusBadRequest, errors.New("last is no number of lines"))
			return
		}
		q.Last = n
	}
	w.Header().Set("Content-Type", "application/x-ndjson")
	lines := json.NewEncoder(w)
	lines.SetEscapeHTML(false)
	if form.Get("follow") != "true" {
		for _, l := range c.facility.logs.Read(q) {
			if lines.Encode(l) != nil {
				return
			}
		}
		return
	}
	kept, coming := c.facility.logs.ReadAndFollow(r.Context(), q)
	for _, l := range kept {
		if lines.Encode(l) != nil {
			return
		}
	}
	sent := http.NewResponseController(w)
	if sent.Flush() != nil {
		return
	}
	for l := range coming {
		if lines.Encode(l) != nil || sent.Flush() != nil {
			return
		}
	}
}

func (c *control) test(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, mostTest))
	var request gateway.Request
	if err == nil {
		err = json.Unmarshal(body, &request)
	}
	if err != nil {
		refuse(w, http.StatusBadRequest, err)
		return
	}
	result, err := c.facility.gateway.Test(r.Context(), request)
	if err != nil {
		refuse(w, http.StatusUnprocessableEntity, err)
		return
	}
	answer(w, http.StatusOK, result)
}

func (c *control) refresh(w http.ResponseWriter, _ *http.Request) {
	if refresh := c.facility.options.Refresh; refresh != nil {
		if err := refresh(); err != nil {
			refuse(w, http.StatusUnprocessableEntity, err)
			return
		}
	}
	answer(w, http.StatusOK, struct{}{})
}

func (c *control) stop(w http.ResponseWriter, _ *http.Request) {
	stop := c.facility.options.Stop
	if stop == nil {
		refuse(w, http.StatusNotImplemented, errors.New("this sandbox is stopped where it was started"))
		return
	}
	answer(w, http.StatusOK, struct{}{})
	_ = http.NewResponseController(w).Flush()
	stop()
}
