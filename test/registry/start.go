package registry

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gatewright/test/depth"
)

// Server is a registry that listens on loopback.
type Server struct {
	*Registry
	// URL is npm's address of the registry, such as "http://127.0.0.1:40000", and Index pip's.
	URL, Index string
	// Environment has the variables ("NAME=value") with which npm, yarn, pnpm and pip use this
	// registry alone, and caches and settings that are of nobody else.
	Environment []string

	home   string
	server *http.Server
	ended  chan struct{}
}

// Open starts a registry of packages; without any, of those of [Shelf].
func Open(packages ...Package) (*Server, error) {
	if len(packages) == 0 {
		packages = Shelf()
	}
	r, err := New(packages...)
	if err != nil {
		return nil, err
	}
	home, err := os.MkdirTemp("", "gatewright-registry-")
	if err != nil {
		return nil, err
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(home))
	}
	s := &Server{
		Registry: r, URL: "http://" + listener.Addr().String(), home: home,
		server: &http.Server{Handler: r}, ended: make(chan struct{}),
	}
	s.Index = s.URL + "/simple/"
	s.Environment = s.environment()
	go func() {
		defer close(s.ended)
		_ = s.server.Serve(listener)
	}()
	return s, nil
}

// environment returns the variables of clients.
func (s *Server) environment() []string {
	in := func(name string) string { return filepath.Join(s.home, name) }
	return []string{
		"npm_config_registry=" + s.URL, "npm_config_cache=" + in("npm"), "npm_config_userconfig=" + in("npmrc"),
		"npm_config_globalconfig=" + in("npmrc-global"), "npm_config_prefix=" + in("prefix"), "PNPM_HOME=" + in("pnpm"),
		"npm_config_update_notifier=false", "npm_config_audit=false", "npm_config_fund=false",
		"YARN_REGISTRY=" + s.URL, "YARN_CACHE_FOLDER=" + in("yarn"), "YARN_NPM_REGISTRY_SERVER=" + s.URL,
		"YARN_UNSAFE_HTTP_WHITELIST=127.0.0.1", "YARN_ENABLE_TELEMETRY=0", "YARN_GLOBAL_FOLDER=" + in("yarn-global"),
		"PIP_INDEX_URL=" + s.Index, "PIP_EXTRA_INDEX_URL=", "PIP_FIND_LINKS=", "PIP_CACHE_DIR=" + in("pip"),
		"PIP_CONFIG_FILE=" + os.DevNull, "PIP_DISABLE_PIP_VERSION_CHECK=1", "PIP_NO_INPUT=1",
		// What asks another server gets to the registry, which refuses it.
		"HTTP_PROXY=" + s.URL, "http_proxy=" + s.URL, "HTTPS_PROXY=" + s.URL, "https_proxy=" + s.URL,
		"NO_PROXY=127.0.0.1,localhost", "no_proxy=127.0.0.1,localhost",
	}
}

// Close ends the registry. The error says which other servers clients wanted to reach.
func (s *Server) Close() error {
	err := s.server.Close()
	<-s.ended
	if requests := s.Elsewhere(); len(requests) > 0 {
		err = errors.Join(err, fmt.Errorf("clients of the registry on loopback wanted to reach other servers: %q", requests))
	}
	return errors.Join(err, os.RemoveAll(s.home))
}

// Start starts a registry of packages for a test; without any, of those of [Shelf]. The test fails
// if a client goes elsewhere.
func Start(t testing.TB, packages ...Package) *Server {
	t.Helper()
	s, err := Open(packages...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// Setenv sets the variables in the environment of a test, whose program starts clients itself.
func (s *Server) Setenv(t testing.TB) {
	t.Helper()
	for _, variable := range s.Environment {
		name, value, _ := strings.Cut(variable, "=")
		t.Setenv(name, value)
	}
}

// shared is the registry of [Main], and before has the variables that it replaced: nil if there was
// none.
var (
	shared *Server
	before = make(map[string]*string)
)

// Main runs the tests of a package with the environment of a registry of [Shelf], which they share,
// and returns the exit code. So they need not set it one by one, and can run in parallel.
func Main(m *testing.M) int { return Around(m).Run() }

// Around is [Main] for a TestMain that runs the tests with something else too.
func Around(m *testing.M) interface{ Run() int } { return around{m} }

type around struct{ m *testing.M }

// Run runs the tests.
func (a around) Run() int {
	code, err := inEnvironment(a.m.Run)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return code
}

func inEnvironment(run func() int) (code int, err error) {
	if shared, err = Open(); err != nil {
		return 1, err
	}
	for _, variable := range shared.Environment {
		name, value, _ := strings.Cut(variable, "=")
		before[name] = nil
		if old, ok := os.LookupEnv(name); ok {
			before[name] = &old
		}
		if err := os.Setenv(name, value); err != nil {
			return 1, errors.Join(err, shared.Close())
		}
	}
	return run(), shared.Close()
}

// Shared returns the registry of [Main].
func Shared(t testing.TB) *Server {
	t.Helper()
	if shared == nil {
		t.Fatal("the TestMain of this package does not call registry.Main")
	}
	return shared
}

// Inherited returns the variables for clients that the process has: those of [Main], and in a test
// that called [Public] those of the machine. It is for programs that get an environment of their own.
func Inherited() []string {
	var inherited []string
	for name := range before {
		if value, ok := os.LookupEnv(name); ok {
			inherited = append(inherited, name+"="+value)
		}
	}
	slices.Sort(inherited)
	return inherited
}

// Public gives a test of the whole depth the registries that the machine has outside of the tests.
func Public(t testing.TB) {
	t.Helper()
	depth.Whole(t)
	for name, value := range before {
		// This has the variable restored when the test ends, also if it is removed.
		t.Setenv(name, "")
		if value != nil {
			t.Setenv(name, *value)
		} else if err := os.Unsetenv(name); err != nil {
			t.Fatal(err)
		}
	}
}
