package outside_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"gatewright/sandbox"
	"gatewright/sandbox/live"
	"gatewright/tui/app/apptest"
	"gatewright/tui/outside"
)

func TestAPulseBeatsWithTheFilesOfAProjectAndItsSandbox(t *testing.T) {
	t.Parallel()
	dir := apptest.Written(t, apptest.Shop(t))
	beats := make(chan struct{}, 1)
	defer outside.Beats(func() {
		select {
		case beats <- struct{}{}:
		default:
		}
	}, dir)()
	// It has begun.
	<-beats
	// heard does something, of which there may be several beats, when there is none any more.
	heard := func(do func() error) {
		t.Helper()
		for {
			select {
			case <-beats:
				continue
			case <-time.After(100 * time.Millisecond):
			}
			break
		}
		if err := do(); err != nil {
			t.Fatal(err)
		}
		<-beats
	}
	for _, name := range []string{"backend/project.json", "access.test.json", ".gatewright/deployed/dev/record.json", "backend/new/folder/x.json"} {
		at := filepath.Join(dir, name)
		heard(func() error {
			return errors.Join(os.MkdirAll(filepath.Dir(at), 0o755), os.WriteFile(at, []byte("{ }"), 0o644))
		})
	}
	state, err := live.MakeState(dir)
	if err != nil {
		t.Fatal(err)
	}
	var s *sandbox.Sandbox
	heard(func() error {
		if s, err = sandbox.Start(sandbox.Options{State: state}); err != nil {
			return err
		}
		return s.Apply(sandbox.Config{})
	})
	heard(func() error { return s.Close(t.Context()) })
}
