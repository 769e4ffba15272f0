//go:build unix

package cloud

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gatewright/test/standin"
)

// handlerOf is the source of a function that answers with a text.
func handlerOf(text string) string {
	return "exports.handler = async () => ({ statusCode: 200, body: '" + text + "' })\n"
}

// newsSays sends a request to the function news in the cloud, which must answer with a text.
func (m *machine) newsSays(want string) {
	m.t.Helper()
	if got := m.send(devAccount, request{Who: "nobody", Method: "GET", Path: "/news"}); got[0].Status != 200 || got[0].Body != want {
		m.t.Errorf("news answers %d %q, and should say %q", got[0].Status, got[0].Body, want)
	}
}

func TestAHotPushRunsTheNewCodeAndTheNextPushBringsTheStackInLine(t *testing.T) {
	m := newMachine(t)
	m.must(shop)
	source := filepath.Join(m.dir, "backend/function/news/src/index.js")
	m.write(source, handlerOf("first"))
	_, refusal := m.run(1, "push", "--env", "dev", "--hot")
	oneLine(t, refusal, "environment dev was never deployed")
	m.run(0, "push", "--env", "dev", "--yes")
	m.newsSays("first")
	m.take()

	m.write(source, handlerOf("second"))
	out, _ := m.run(0, "push", "--env", "dev", "--hot", "--dry-run")
	if !strings.Contains(out, "function news would get its new code") {
		t.Errorf("the dry run says:\n%s", out)
	}
	m.newsSays("first")
	m.take()
	out, _ = m.run(0, "push", "--env", "dev", "--hot")
	if !strings.Contains(out, "function news has its new code") || strings.Contains(out, "function items has") {
		t.Errorf("the hot push says:\n%s", out)
	}
	m.newsSays("second")
	for _, action := range standin.Actions(m.take(), "cloudformation") {
		if !slices.Contains([]string{"DescribeStacks", "DescribeStackResource", "ListStackResources"}, action) {
			t.Errorf("a hot push calls %s", action)
		}
	}

	// The source goes back to what the stack has: the push takes the code back.
	m.write(source, handlerOf("first"))
	out, _ = m.run(0, "push", "--env", "dev", "--yes")
	if strings.Contains(out, "AWS is up to date") {
		t.Errorf("the push says:\n%s", out)
	}
	m.newsSays("first")
	if out, _ = m.run(0, "push", "--env", "dev", "--yes"); !strings.Contains(out, "AWS is up to date") {
		t.Errorf("the push after it says:\n%s", out)
	}

	_, refusal = m.run(1, "push", "--env", "prod", "--hot")
	oneLine(t, refusal, "environment prod was never deployed")
	m.must("update env prod --guarded")
	_, refusal = m.run(1, "push", "--env", "prod", "--hot")
	oneLine(t, refusal, "environment prod", "is guarded")
}
