package outside_test

import (
	"os"
	"path/filepath"
	"testing"

	"gatewright/sandbox"
	"gatewright/sandbox/live"
	"gatewright/tui/app/apptest"
	"gatewright/tui/frame"
	"gatewright/tui/outside"
)

func TestAPulseBeatsWithTheFilesOfAProjectAndItsSandbox(t *testing.T) {
	t.Parallel()
	dir := apptest.Written(t, apptest.Shop(t))
	pulse := frame.NewPulse()
	first := pulse.Next()
	defer outside.Beats(pulse, dir)()
	// It has begun.
	<-first
	for _, name := range []string{"backend/project.json", "access.test.json", ".gatewright/deployed/dev/record.json", "backend/new/folder/x.json"} {
		next := pulse.Next()
		at := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(at, []byte("{ }"), 0o644); err != nil {
			t.Fatal(err)
		}
		<-next
	}
	state, err := live.MakeState(dir)
	if err != nil {
		t.Fatal(err)
	}
	next := pulse.Next()
	s, err := sandbox.Start(sandbox.Options{State: state})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Apply(sandbox.Config{}); err != nil {
		t.Fatal(err)
	}
	<-next
	next = pulse.Next()
	if err := s.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	<-next
}
