package awstest

import (
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"
	"time"
)

// SecretKey is the secret key of every access key that AssumeRole did not make.
const SecretKey = "awstest-secret-key"

// Options say what a Server starts with. The zero value is usable.
type Options struct {
	// Account has 12 digits; "" is 123456789012. Access keys that are no account belong to it.
	Account string
	// Region is what Env says; "" is eu-central-1. Requests for other regions are answered too.
	Region string
	// CallerARN is what GetCallerIdentity says for keys of Account; "" is the user "tester".
	CallerARN string
	// Speed is how many resources begin in each step of an operation; 0 is 3.
	Speed int
	// EventsPerPage is how many events DescribeStackEvents answers at once; 0 is 100, as in AWS.
	EventsPerPage int
	// StacksPerPage and ChangesPerPage are the same for stacks, resources and change sets, and
	// for the changes of one change set; 0 is 100.
	StacksPerPage, ChangesPerPage int
}

// Server is a running fake. All its methods may be called by several goroutines.
type Server struct {
	// URL is the endpoint of all services, such as http://127.0.0.1:12345.
	URL string

	options Options
	http    *httptest.Server

	mu    sync.Mutex
	clock time.Time
	ids   int

	script script
	calls  []Call
	keys   map[string]assumed
	tokens int

	stacks     []*stack
	changeSets []*changeSet
	detections map[string]*detection
	buckets    map[string]*bucket
	services   map[string]func(Request) (any, error)
	left       []leftover
	skew       time.Duration
	lasting    time.Duration
}

// New starts a fake, which is closed when the test ends.
func New(t testing.TB, o Options) *Server {
	t.Helper()
	if o.Account == "" {
		o.Account = "123456789012"
	}
	if o.Region == "" {
		o.Region = "eu-central-1"
	}
	if o.CallerARN == "" {
		o.CallerARN = "arn:aws:iam::" + o.Account + ":user/tester"
	}
	if o.Speed == 0 {
		o.Speed = 3
	}
	for _, page := range []*int{&o.EventsPerPage, &o.StacksPerPage, &o.ChangesPerPage} {
		if *page == 0 {
			*page = 100
		}
	}
	s := &Server{
		options: o, clock: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC),
		keys: make(map[string]assumed), buckets: make(map[string]*bucket), detections: make(map[string]*detection),
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s.http = &httptest.Server{Listener: listener, Config: &http.Server{
		Handler: http.HandlerFunc(s.serve), ReadHeaderTimeout: time.Minute,
		BaseContext: func(net.Listener) context.Context { return context.WithoutCancel(t.Context()) },
	}}
	s.http.Start()
	s.URL = s.http.URL
	t.Cleanup(s.Close)
	return s
}

// Close stops the server. It may be called twice.
func (s *Server) Close() {
	s.http.CloseClientConnections()
	s.http.Close()
}

// Env returns the variables with which the AWS SDKs and tools speak to this server and to
// nothing else, as NAME=value. The access key is the account's number, so another account
// is Env followed by its own AWS_ACCESS_KEY_ID.
func (s *Server) Env() []string {
	return []string{
		"AWS_ENDPOINT_URL=" + s.URL,
		"AWS_ACCESS_KEY_ID=" + s.options.Account,
		"AWS_SECRET_ACCESS_KEY=" + SecretKey,
		"AWS_SESSION_TOKEN=",
		"AWS_PROFILE=",
		"AWS_REGION=" + s.options.Region,
		"AWS_DEFAULT_REGION=" + s.options.Region,
		"AWS_EC2_METADATA_DISABLED=true",
		"AWS_CONFIG_FILE=" + os.DevNull,
		"AWS_SHARED_CREDENTIALS_FILE=" + os.DevNull,
	}
}

// Getenv looks up the variables of Env. There are no others of AWS; all others are those of the
// process. It can be given to what takes such a function, so that tests can be parallel.
func (s *Server) Getenv(name string) string {
	for _, pair := range s.Env() {
		if value, is := strings.CutPrefix(pair, name+"="); is {
			return value
		}
	}
	if strings.HasPrefix(name, "AWS_") {
		return ""
	}
	return os.Getenv(name)
}

// init takes the variables of AWS out of the process, so that no test meets an account of anyone who runs it.
func init() {
	for _, pair := range os.Environ() {
		if name, _, _ := strings.Cut(pair, "="); strings.HasPrefix(name, "AWS_") {
			_ = os.Unsetenv(name)
		}
	}
}

// Speed sets how many resources begin in each step; 0 holds every operation.
func (s *Server) Speed(resources int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.options.Speed = resources
}

// now is the time of the fake: a second later at each call, so that times differ and are the same in every run.
func (s *Server) now() time.Time {
	s.clock = s.clock.Add(time.Second)
	return s.clock
}
