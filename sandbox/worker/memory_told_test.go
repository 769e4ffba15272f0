package worker

import (
	"slices"
	"testing"

	"gatewright/sandbox/function"
	"gatewright/sandbox/logs"
)

func TestMemoryIsComparedAndToldInWholeMegabytes(t *testing.T) {
	t.Parallel()
	for kilobytes, want := range map[int]int{0: 0, 1: 1, 1023: 1, 1024: 1, 1025: 2} {
		if got := megabytes(kilobytes); got != want {
			t.Errorf("%d KB are %d MB, not %d", kilobytes, got, want)
		}
	}
	s := &function.Spec{Environment: "dev", Name: "items", Memory: 256}
	if exceeds(s, 256<<10) || !exceeds(s, 256<<10+1) || exceeds(&function.Spec{}, 128<<10) || !exceeds(&function.Spec{}, 128<<10+1) {
		t.Error("the limit is not at its edge")
	}
	for used, want := range map[int]string{257: "320", 320: "320", 321: "384"} {
		if got := advice(s, used); got != "use less, or give it more: gatewright update function items --memory "+want {
			t.Errorf("for %d MB: %s", used, got)
		}
	}
	store, err := logs.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = store.Close() })
	var said []string
	p := &pool{environment: "dev", name: "items", runner: &Runner{options: Options{Notify: func(e function.Event) { said = append(said, e.Kind+" "+e.Text) }}}}
	w := &worker{pool: p, spec: s, told: new(told), output: newOutput(nil, store, "dev", "items")}
	const over = "its process has used 300 MB of memory, 44 MB more than the 256 MB that it has: the cloud ends a function there; " +
		"use less, or give it more: gatewright update function items --memory 320"
	for _, used := range []int{0, 256, 300, 300} {
		(&invocation{id: "r1", worker: w}).tellMemory(used)
	}
	// One that was killed has another error.
	w.memory.isOver.Store(true)
	(&invocation{id: "r1", worker: w}).tellMemory(300)
	var lines []string
	for _, l := range store.Read(logs.Query{Environment: "dev", Function: "items", Request: "r1"}) {
		lines = append(lines, string(l.Level)+" "+l.Text)
	}
	if want := []string{"ERROR " + over, "ERROR " + over}; !slices.Equal(lines, want) {
		t.Errorf("logged is %q", lines)
	}
	if want := []string{"warning " + over}; !slices.Equal(said, want) {
		t.Errorf("told is %q", said)
	}
	e := w.overMemory(function.Crashed)
	if e.Kind != function.Crashed || e.Text != "it used more memory than the 256 MB that it has and was killed, as in the cloud" ||
		e.Fix != "use less, or give it more: gatewright update function items --memory 320" {
		t.Errorf("the error is %+v", e)
	}
}
