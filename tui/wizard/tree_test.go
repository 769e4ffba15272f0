package wizard

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/google/go-cmp/cmp"

	"gatewright/flow/preview"
	"gatewright/project"
	"gatewright/project/journal"
	"gatewright/project/plan"
	"gatewright/tui/theme"
)

// planOf is a review of two paths, things, warnings and nine files, of which four are in a folder
// that is folded at first.
func planOf() *review {
	o := preview.Overview{
		Paths: []preview.Path{{Name: "/a", Served: "by f"}, {Name: "/b", Was: "/old", Served: "by f"}}, Things: []string{"function f: runs on nodejs", "group Admins: is new"},
		Warnings: []string{"it is open", "it is\x1b slow"},
	}
	plan := &plan.Plan{Changes: []journal.Change{
		{Path: "backend/api/shop/cli-inputs.json", Existed: true, Old: []byte("a\nb\n"), New: []byte("a\nc\nd\n")},
		{Path: "backend/function/f/function.json", New: []byte("{}\n")},
		{Path: "backend/function/f/src/app.js", New: []byte("1\n2\n")},
		{Path: "backend/function/f/src/event.json", New: []byte("{}\n")},
		{Path: "backend/function/f/src/package.json", New: []byte("{}\n")},
		{Path: "backend/function/g/function.json", New: []byte("{}\n")},
		{Path: "backend/function/g/src/index.js", New: []byte("{}\n")},
		{Path: "backend/old.json", Existed: true, Old: []byte("{}\n"), Delete: true},
		{Path: "project.json", New: []byte("{}\n")},
	}}
	r := &review{plan: plan, overview: o, tree: newTree(o, plan)}
	for _, change := range plan.Changes {
		r.files = append(r.files, project.FileDiff(change))
	}
	return r
}

// drawn is the tree without styles.
func (t *tree) drawn() string {
	var rows []string
	for _, line := range t.draw(theme.New(theme.None), 40, 40, true) {
		rows = append(rows, strings.TrimRight(ansi.Strip(line), " "))
	}
	return strings.Join(rows, "\n")
}

func TestTheTreeOfAReviewFoldsAndGoesFromFileToFile(t *testing.T) {
	t.Parallel()
	r := planOf()
	if difference := cmp.Diff(wholeTree, r.tree.drawn()); difference != "" {
		t.Errorf("at first the tree differs (-want +got):\n%s", difference)
	}
	rows := &r.tree
	for i, step := range []struct {
		what string
		do   func()
		row  string
		rows int
	}{
		{"down", func() { rows.move(1) }, "/a", 15},
		{"up beyond", func() { rows.move(-9) }, "result", 15},
		{"the next file of none", func() { rows.toFile(1) }, "backend/api/shop/cli-inputs.json", 15},
		{"the file before the first", func() { rows.toFile(-1) }, "backend/api/shop/cli-inputs.json", 15},
		{"a folder", func() { rows.move(1) }, "backend/function/f", 15},
		{"the file after a folder is in it", func() { rows.toFile(1) }, "function.json", 19},
		{"the next", func() { rows.toFile(1) }, "src/app.js", 19},
		{"fold in a folder", rows.fold, "backend/function/f", 15},
		{"the file before a folder", func() { rows.toFile(-1) }, "backend/api/shop/cli-inputs.json", 15},
		{"down and unfold", func() { rows.move(1); rows.fold() }, "backend/function/f", 19},
		{"fold again", rows.fold, "backend/function/f", 15},
		{"down", func() { rows.move(1) }, "backend/function/g/function.json", 15},
		{"fold what is in no folder", rows.fold, "backend/function/g/function.json", 15},
		{"the file before is in the folder", func() { rows.toFile(-1) }, "src/package.json", 19},
		{"the end", func() { rows.move(99) }, "project.json", 19},
		{"the file after the last", func() { rows.toFile(1) }, "project.json", 19},
		{"the files", func() { rows.move(-10) }, "files", 19},
		{"fold the files", rows.fold, "files", 9},
		{"down at the end", func() { rows.move(1) }, "files", 9},
		{"the next file unfolds them", func() { rows.toFile(1) }, "backend/api/shop/cli-inputs.json", 19},
		{"the warnings", func() { rows.move(-4) }, "worth a look", 19},
		{"fold the warnings", rows.fold, "worth a look", 17},
	} {
		step.do()
		if row, n := rows.row().text, len(rows.visible()); row != step.row || n != step.rows {
			t.Fatalf("step %d, %s: the cursor is on %q of %d rows, want %q of %d:\n%s", i, step.what, row, n, step.row, step.rows, rows.drawn())
		}
	}
	if difference := cmp.Diff(foldedTree, rows.drawn()); difference != "" {
		t.Errorf("at the end the tree differs (-want +got):\n%s", difference)
	}
}

func TestEachRowOfAReviewHasItsDetail(t *testing.T) {
	t.Parallel()
	r := planOf()
	none := theme.New(theme.None)
	for _, of := range []struct{ row, name, want string }{
		{"function f", "thing", `╭─ Result ───────────────────────────────────────╮
function f: runs on nodejs
group Admins: is new`},
		{"it is open", "warning", `╭─ Worth a look ─────────────────────────────────╮
! it is open
! it is␛ slow`},
		{"files", "files", `╭─ Files ────────────────────────────────────────╮
backend/api/shop/cli-inputs.json  +2 -1
backend/function/f/function.json  +1
backend/function/f/src/app.js  +2
backend/function/f/src/event.json  +1
backend/function/f/src/package.json  +1
backend/function/g/function.json  +1
backend/function/g/src/index.js  +1
backend/old.json  +0 -1
project.json  +1`},
		{"backend/function/f", "folder", `╭─ Files ────────────────────────────────────────╮
backend/function/f/function.json  +1
backend/function/f/src/app.js  +2
backend/function/f/src/event.json  +1
backend/function/f/src/package.json  +1`},
		{"backend/old.json", "deleted", `╭─ backend/old.json ────────────── 8 of 9 files ─╮
1 - {}`},
		{"backend/api/shop/cli-inputs.json", "updated", `╭─ backend/api/shop/cli-inputs.… ─ 1 of 9 files ─╮
1   a
2 - b
2 + c
3 + d`},
	} {
		for i, n := range r.tree.visible() {
			if n.text == of.row {
				r.tree.at = i
			}
		}
		r.show(none)
		var rows []string
		for line := range strings.Lines(ansi.Strip(r.drawDetail(none, 50, 14))) {
			if text := strings.Trim(line, "│ \n"); text != "" && !strings.HasPrefix(text, "╰") {
				rows = append(rows, text)
			}
		}
		got := strings.Join(rows, "\n")
		if difference := cmp.Diff(of.want, got); difference != "" {
			t.Errorf("the detail of the %s differs (-want +got):\n%s", of.name, difference)
		}
	}
	// What is put into the editor afterwards is the file that has the handler.
	for want, names := range map[string][]string{"src/app.js": {"src/index.js", "src/app.js", "src/event.json"}, "src/index.js": {"src/index.js", "lib/index.mjs"}, "main.go": {"go.mod", "main.go"}, "": {"function.json"}} {
		plan := &plan.Plan{Changes: []journal.Change{{Path: "old/index.js", Existed: true}}}
		for _, name := range names {
			plan.Changes = append(plan.Changes, journal.Change{Path: name})
		}
		if got := newSource(plan); got != want {
			t.Errorf("of %q, %q is opened, want %q", names, got, want)
		}
	}
}

const (
	wholeTree = `▌ ▾ result
      /a
      /b
      function f
      group Admins
  ▾ worth a look                       2
      it is open
      it is␛ slow
  ▾ files                              9
      ~ backend/api/shop/cli-inputs.js…
    ▸ + backend/function/f             4
      + backend/function/g/function.js…
      + backend/function/g/src/index.js
      - backend/old.json
      + project.json`
	foldedTree = `  ▾ result
      /a
      /b
      function f
      group Admins
▌ ▸ worth a look                       2
  ▾ files                              9
      ~ backend/api/shop/cli-inputs.js…
    ▾ + backend/function/f             4
        + function.json
        + src/app.js
        + src/event.json
        + src/package.json
      + backend/function/g/function.js…
      + backend/function/g/src/index.js
      - backend/old.json
      + project.json`
)
