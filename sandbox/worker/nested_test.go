package worker

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gatewright/model"
	"gatewright/sandbox/function"
	"gatewright/test/await"
	"gatewright/test/depth"
)

// waiter answers when a file exists, and tells by another one that it has begun.
const waiter = `const fs = require("fs");
exports.handler = async (event) => {
  if (event.wait) {
    fs.writeFileSync(event.wait + ".begun", "");
    while (!fs.existsSync(event.wait)) await new Promise((done) => setTimeout(done, 5));
  }
  return event.name;
};`

// begun is a call that waits until it is released.
type begun struct {
	t      *testing.T
	file   string
	answer chan outcome
}

// beginWaiting begins a call whose handler waits, and returns when the handler runs.
func beginWaiting(t *testing.T, f *facility, name string, nested bool) begun {
	t.Helper()
	b := begin(t, f, name, nested)
	await.Until(t, "the handler of "+name, b.runs)
	return b
}

func begin(t *testing.T, f *facility, name string, nested bool) begun {
	b := begun{t, filepath.Join(t.TempDir(), name), make(chan outcome, 1)}
	payload := `{"name":"` + name + `","wait":"` + filepath.ToSlash(b.file) + `"}`
	f.Begin(function.Call{Environment: "dev", Function: "items", Payload: []byte(payload), Nested: nested}, func(a function.Answer, err error) { b.answer <- outcome{answer: a, err: err} })
	return b
}

func (b begun) runs() bool {
	_, err := os.Stat(b.file + ".begun")
	return err == nil
}

func (b begun) release() string {
	b.t.Helper()
	if err := os.WriteFile(b.file, nil, 0o600); err != nil {
		b.t.Fatal(err)
	}
	o := <-b.answer
	if o.err != nil {
		b.t.Fatal(o.err)
	}
	return string(o.answer.Payload)
}

func TestAWorkerThatWaitsForAnotherFunctionLeavesRoomForANestedCall(t *testing.T) {
	t.Parallel()
	f := newFacility(t, func(o *Options) { o.MaxWorkers = 1 })
	f.serve(t, model.NodeJS, map[string]string{"index.js": waiter}, nil)
	outer := beginWaiting(t, f, "outer", false)
	second := begin(t, f, "second", false)
	over := f.Waiting("dev", "items")
	// The nested call passes the one that came earlier from outside.
	nested := beginWaiting(t, f, "nested", true)
	over2 := f.Waiting("dev", "items")
	deeper := beginWaiting(t, f, "deeper", true)
	if second.runs() {
		t.Error("a call from outside got a worker beyond the limit")
	}
	for _, b := range []begun{deeper, nested} {
		if got := b.release(); !strings.Contains(b.file, strings.Trim(got, `"`)) {
			t.Errorf("%s is answered %s", b.file, got)
		}
		over2()
	}
	// Two workers are idle now, but only one call from outside may run.
	if second.runs() {
		t.Error("a call from outside got an idle worker beyond the limit")
	}
	over()
	over()
	outer.release()
	second.release()
}

func TestANestedCallWaitsForWorkersThatWorkAndIsRefusedIfAllWait(t *testing.T) {
	depth.Gate(t)
	t.Parallel()
	f := newFacility(t, func(o *Options) { o.MaxWorkers = 1 })
	f.mostNested = 1
	f.serve(t, model.NodeJS, map[string]string{"index.js": waiter}, nil)
	outer := beginWaiting(t, f, "outer", false)
	over := f.Waiting("dev", "items")
	nested := beginWaiting(t, f, "nested", true)
	// The second worker works, so the next call waits for it.
	deeper := begin(t, f, "deeper", true)
	select {
	case o := <-deeper.answer:
		t.Fatalf("the call did not wait: %v %s", o.err, o.answer.Payload)
	default:
	}
	// Now it waits too: nobody would ever answer.
	overNested := f.Waiting("dev", "items")
	o := <-deeper.answer
	var refused *function.Error
	if !errors.As(o.err, &refused) || refused.Kind != function.Throttled || !strings.Contains(refused.Error(), "all of its 2 workers wait for functions that they called") {
		t.Errorf("the call that would wait for ever: %v", o.err)
	}
	overNested()
	nested.release()
	over()
	outer.release()
}

func TestTheHandlerGetsTheClientContextAndTheARNThatWasInvoked(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name    string
		runtime model.Runtime
		file    string
		source  string
		change  func(*function.Spec)
	}{
		{"Node.js", model.NodeJS, "index.js", `exports.handler = async (event, context) =>
			[context.clientContext?.custom.word, context.clientContext?.client.app_title, context.invokedFunctionArn, process.env._X_AMZN_TRACE_ID.split(";")[3]]`, nil},
		{"Python", model.Python, "index.py", `import os
def handler(event, context):
    c = context.client_context
    return [c and c.custom["word"], c and c.client.app_title, context.invoked_function_arn, (os.environ["_X_AMZN_TRACE_ID"].split(";") + [None])[3]]`, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			f := newFacility(t, nil)
			f.serve(t, test.runtime, map[string]string{test.file: test.source}, test.change)
			call := function.Call{Environment: "dev", Function: "items", Payload: []byte(`{}`)}
			arn := "arn:aws:lambda:eu-west-1:123456789012:function:items-dev"
			for _, with := range []struct {
				context, qualifier, lineage, want string
			}{
				{want: `[null,null,"` + arn + `",null]`},
				{`{"custom":{"word":"gr\u00fcn"},"client":{"app_title":"shop"}}`, "$LATEST", "0badcafe:2", `["grün","shop","` + arn + `:$LATEST","Lineage=0badcafe:2"]`},
				{want: `[null,null,"` + arn + `",null]`},
			} {
				call.ClientContext, call.Qualifier, call.Lineage = with.context, with.qualifier, with.lineage
				a, err := f.Invoke(t.Context(), call)
				got := strings.ReplaceAll(strings.ReplaceAll(string(a.Payload), ", ", ","), `\u00fc`, "ü")
				if err != nil || got != with.want {
					t.Errorf("%v: %s %v, want %s\n%s", with, got, err, with.want, f.log(""))
				}
			}
		})
	}
}

func TestACallOfTheOldSourceDoesNotKeepTheNewOneFromItsWorker(t *testing.T) {
	t.Parallel()
	f := newFacility(t, func(o *Options) { o.MaxWorkers = 1 })
	s := f.serve(t, model.NodeJS, map[string]string{"index.js": waiter}, nil)
	old := beginWaiting(t, f, "old", false)
	writeSource(t, s, map[string]string{"index.js": "exports.handler = async () => 'new'"})
	for range 2 {
		if got := f.result(t, `{}`); got != `"new"` {
			t.Errorf("after the edit a call is answered %s", got)
		}
	}
	select {
	case o := <-old.answer:
		t.Fatalf("the call of the old source ended first: %v %s", o.err, o.answer.Payload)
	default:
	}
	if got := old.release(); got != `"old"` {
		t.Errorf("the call of the old source is answered %s", got)
	}
}

func TestACallThatWaitsForTheOnlyWorkerIsItsNextOne(t *testing.T) {
	t.Parallel()
	f := newFacility(t, func(o *Options) { o.MaxWorkers = 1 })
	f.serve(t, model.NodeJS, map[string]string{"index.js": waiter}, nil)
	for _, nested := range []bool{false, true} {
		first := beginWaiting(t, f, "first", false)
		second := begin(t, f, "second", nested)
		if got := first.release(); got != `"first"` {
			t.Errorf("the first call is answered %s", got)
		}
		if got := second.release(); got != `"second"` {
			t.Errorf("the second call is answered %s", got)
		}
	}
}

func TestACallThatWasGivenUpLeavesItsWorkersPlaceToTheNextCall(t *testing.T) {
	t.Parallel()
	f := newFacility(t, func(o *Options) { o.MaxWorkers = 1 })
	f.serve(t, model.NodeJS, map[string]string{"index.js": waiter}, nil)
	first := begun{t, filepath.Join(t.TempDir(), "first"), make(chan outcome, 1)}
	payload := `{"name":"first","wait":"` + filepath.ToSlash(first.file) + `"}`
	forget := f.Begin(function.Call{Environment: "dev", Function: "items", Payload: []byte(payload)}, func(a function.Answer, err error) { first.answer <- outcome{answer: a, err: err} })
	await.Until(t, "the handler of first", first.runs)
	second := begin(t, f, "second", false)
	if second.runs() {
		t.Error("a second call got a worker beyond the limit")
	}
	forget()
	await.Until(t, "the handler of second", second.runs)
	// The place of the second is taken, so a third one waits.
	third := begin(t, f, "third", false)
	if got := second.release(); got != `"second"` {
		t.Errorf("the second call is answered %s", got)
	}
	await.Until(t, "the handler of third", third.runs)
	for _, b := range []begun{first, third} {
		if got := b.release(); !strings.Contains(b.file, strings.Trim(got, `"`)) {
			t.Errorf("%s is answered %s", b.file, got)
		}
	}
}

func TestCallsThatAreGivenUpStartOnlySoManyWorkers(t *testing.T) {
	t.Parallel()
	p := &pool{workers: make(map[*worker]struct{})}
	for range mostGivenUp + 3 {
		p.workers[&worker{spec: new(function.Spec), state: busy, current: &invocation{givenUp: true}}] = struct{}{}
	}
	if all, _, _ := p.count(); all != 3 {
		t.Errorf("%d workers count", all)
	}
	for w := range p.workers {
		w.spec = &function.Spec{Inspect: true}
	}
	if all, _, _ := p.count(); all != mostGivenUp+3 {
		t.Errorf("%d workers with a debugger count", all)
	}
}
