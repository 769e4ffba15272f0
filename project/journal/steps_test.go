package journal_test

import (
	"fmt"
	"strings"
	"testing"

	"gatewright/project/disk"
	"gatewright/project/journal"
)

const (
	rolledBack = `.gatewright: mkdir
/: sync
.gatewright/.gitignore: openfile write
.gatewright: mkdirall
J: mkdir
J/0.old: openfile chmod write sync
J/0.new: openfile chmod write sync
J/1.new: openfile write sync
J/2.old: openfile chmod write sync
J/2.new: openfile chmod write sync
J/3.old: openfile chmod write sync
J/journal.json.tmp: openfile write sync
J/journal.json.tmp J/journal.json: rename
.gatewright: sync
J: sync
backend: mkdirall
J/0.new backend/a.json: rename
backend/new/deep: mkdirall
J/1.new backend/new/deep/c.json: rename
backend: mkdirall
J/2.new backend/run.sh: rename
backend/gone/deep/b.json: remove
J/journal.json.tmp: openfile write sync
J/journal.json.tmp J/journal.json: rename
.gatewright: sync
J: sync
backend: mkdirall
J/2.old backend/run.sh: rename
backend/new/deep/c.json: remove
backend: mkdirall
J/0.old backend/a.json: rename
backend: sync
backend/gone/deep: sync
backend/new: sync
backend/new/deep: sync
J/journal.json J/done.json: rename
J: sync
backend/new/deep: remove
backend/new: remove
J/done.json: remove
J: remove
.gatewright/.gitignore: remove
.gatewright: remove
change backend/gone/deep/b.json: injected fault; no file was changed
`
	committed = `backend: sync
backend/gone/deep: sync
backend/new: sync
backend/new/deep: sync
J/journal.json J/done.json: rename
J: sync
backend/gone/deep: remove
backend/gone: remove
J/done.json: remove
J: remove
<nil>
`
	inAnotherCase = `.gatewright: mkdir
/: sync
.gatewright/.gitignore: openfile write
.gatewright: mkdirall
J: mkdir
J/0.old: openfile chmod write sync
J/0.new: openfile chmod write sync
J/1.new: openfile write sync
J/journal.json.tmp: openfile write sync
J/journal.json.tmp J/journal.json: rename
.gatewright: sync
J: sync
api/mart api/Mart: rename
api/Mart: mkdirall
J/0.new api/Mart/cli.json: rename
J/1.new other.json: rename
/: sync
api: sync
api/Mart: sync
J/journal.json J/done.json: rename
J: sync
J/done.json: remove
J: remove
<nil>
`
)

// TestEachStepIsOnTheDiskBeforeTheNext lists all that commits do to a filesystem: a machine that loses
// its power between two steps finds the steps before them.
func TestEachStepIsOnTheDiskBeforeTheNext(t *testing.T) {
	t.Parallel()
	// A line has the calls for one name that follow each other.
	steps := func(fsys *faultyFS, changes []journal.Change) string {
		err := journal.Commit(fsys, changes)
		var b strings.Builder
		last := ""
		for _, call := range fsys.calls {
			verb, name, _ := strings.Cut(strings.ReplaceAll(call, journal.Folder+"/journal", "J"), " ")
			// Copies are swept in any order.
			swept := verb == "remove" && strings.HasPrefix(name, "J/") && name != "J/done.json"
			if swept || !writes(call) && verb != "sync" {
				continue
			}
			if name != last {
				b.WriteString("\n" + name + ":")
			}
			b.WriteString(" " + verb)
			last = name
		}
		return fmt.Sprintf("%s\n%v\n", strings.TrimPrefix(b.String(), "\n"), err)
	}
	fsys := disk.Memory()
	setUp(t, fsys)
	failing := &faultyFS{below: fsys}
	for at, call := range countCalls(t, disk.Memory()) {
		if call == "remove backend/gone/deep/b.json" {
			failing.failAt = at + 1
		}
	}
	assertEqual(t, steps(failing, mixedChanges()), rolledBack)
	_, end, _ := strings.Cut(steps(&faultyFS{below: fsys}, mixedChanges()), "b.json: remove\n")
	assertEqual(t, end, committed)
	folding, _ := openMart(t)
	assertEqual(t, steps(&faultyFS{below: folding}, recased()), inAnotherCase)
}
