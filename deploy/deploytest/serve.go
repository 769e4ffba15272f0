// Package deploytest helps tests that need a project on disk, pushed or served.
package deploytest

import (
	"context"
	"sync"
	"testing"

	"gatewright/sandbox"
	"gatewright/sandbox/live"
	"gatewright/test/depth"
)

// NeedNode skips a test on a machine without Node.js.
func NeedNode(t testing.TB) {
	t.Helper()
	depth.Needs(t, "node")
}

// NeedCurl is NeedNode for curl.
func NeedCurl(t testing.TB) {
	t.Helper()
	depth.Needs(t, "curl")
}

// Serve runs a sandbox for a project, at a free port, until stop is called or the test ends.
func Serve(t testing.TB, dir string) (client *sandbox.Client, stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	up, ended := make(chan struct{}), make(chan error, 1)
	serving := sync.OnceFunc(func() { close(up) })
	go func() {
		ended <- live.Run(ctx, live.Options{Dir: dir, Port: live.AnyPort, Notify: func(e sandbox.Event) {
			if e.Kind == live.Serving {
				serving()
			}
		}})
	}()
	stop = sync.OnceFunc(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Errorf("the sandbox ended with %v", err)
		}
	})
	t.Cleanup(stop)
	select {
	case <-up:
	case err := <-ended:
		ended <- nil
		t.Fatalf("the sandbox does not start: %v", err)
	}
	client, err := sandbox.Connect(live.State(dir))
	if err != nil {
		t.Fatal(err)
	}
	return client, stop
}
