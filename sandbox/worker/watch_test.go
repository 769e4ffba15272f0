package worker

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gatewright/internal/file/watch"
	"gatewright/model"
	"gatewright/sandbox/function"
	"gatewright/test/await"
	"gatewright/test/depth"
)

// readerOf is a handler that answers with the file of a name.
const readerOf = `const fs = require("fs"); const file = __dirname + "/%s"; const v = fs.readFileSync(file, "utf8"); exports.handler = async () => v`

func TestAnEditOfTheLastOfManyFilesIsServed(t *testing.T) {
	depth.Gate(t)
	t.Parallel()
	f := newFacility(t, nil)
	const many = 7000
	last := fmt.Sprintf("zz/%d.txt", many-1)
	files := map[string]string{"index.js": fmt.Sprintf(readerOf, last)}
	for n := range many {
		files[fmt.Sprintf("zz/%d.txt", n)] = "0"
	}
	s := f.serve(t, model.NodeJS, files, nil)
	f.result(t, `{}`)
	for n := 1; n < 4; n++ {
		writeSource(t, s, map[string]string{last: fmt.Sprint(n)})
		f.edited()
		if got := f.result(t, `{}`); got != fmt.Sprintf("%q", fmt.Sprint(n)) {
			t.Errorf("after edit %d the answer is %s", n, got)
		}
	}
}

func TestWhatGitIgnoresStartsNothingUnlessTheHandlerIsThere(t *testing.T) {
	t.Parallel()
	f := newFacility(t, nil)
	s := f.serve(t, model.NodeJS, map[string]string{
		".gitignore": "dist/\ncache/\n", "cache/a.txt": "0", "node_modules/p/index.js": "0", "dist/app/index.js": "exports.handler = async () => 0",
	}, func(s *function.Spec) { s.Handler = "dist/app/index.handler" })
	f.result(t, `{}`)
	for n := range 50 {
		writeSource(t, s, map[string]string{"cache/a.txt": fmt.Sprint(n), fmt.Sprintf("cache/%d/b.txt", n): "0", "node_modules/p/index.js": fmt.Sprint(n)})
	}
	f.edited()
	time.Sleep(4 * settling)
	if changes := f.eventTexts(function.EventChange); len(changes) != 0 {
		t.Errorf("changes are reported: %q", changes)
	}
	writeSource(t, s, map[string]string{"dist/app/index.js": "exports.handler = async () => 1"})
	f.edited()
	if got := f.result(t, `{}`); got != "1" {
		t.Errorf("the answer is %s", got)
	}
}

func TestASourceThatIsNotWatchedIsScannedAndToldOnce(t *testing.T) {
	depth.Gate(t)
	t.Parallel()
	f := newFacility(t, func(o *Options) { o.Watcher = watch.New(1) })
	s := f.serve(t, model.NodeJS, map[string]string{"index.js": fmt.Sprintf(readerOf, "v.txt"), "v.txt": "0"}, nil)
	f.result(t, `{}`)
	for n := 1; n < 3; n++ {
		writeSource(t, s, map[string]string{"v.txt": fmt.Sprint(n)})
		await.Until(t, "the edit", func() bool { return f.result(t, `{}`) == fmt.Sprintf("%q", fmt.Sprint(n)) })
	}
	told := f.eventTexts(function.EventWarning)
	if len(told) != 1 || !strings.HasPrefix(told[0], "changes of its source are found by scanning it") {
		t.Errorf("told: %q", told)
	}
	if n := strings.Count(f.log(""), "found by scanning it"); n != 1 {
		t.Errorf("logged %d times", n)
	}
}

func TestACheckoutOfManyFilesStartsFewWorkers(t *testing.T) {
	depth.Gate(t)
	t.Parallel()
	f := newFacility(t, nil)
	s := f.serve(t, model.NodeJS, map[string]string{"index.js": fmt.Sprintf(readerOf, "v/999.txt"), "v/999.txt": "0"}, nil)
	f.result(t, `{}`)
	other := filepath.Join(t.TempDir(), "v")
	if err := errors.Join(os.MkdirAll(other, 0o755), os.WriteFile(filepath.Join(other, "999.txt"), []byte("moved"), 0o644)); err != nil {
		t.Fatal(err)
	}
	files := make(map[string]string)
	for n := range 1000 {
		files[fmt.Sprintf("v/%d.txt", n)] = "checked out"
	}
	writeSource(t, s, files)
	f.edited()
	if got := f.result(t, `{}`); got != `"checked out"` {
		t.Errorf("the answer is %s", got)
	}
	await.Until(t, "rest", func() bool { return !f.pool("dev").settles.Load() })
	if n := len(f.eventTexts(function.EventStart)); n > 100 {
		t.Errorf("%d workers were started for 1000 files", n)
	}
	place := filepath.Join(s.Folder, "src", "v")
	if err := errors.Join(os.RemoveAll(place), os.Rename(other, place)); err != nil {
		t.Fatal(err)
	}
	f.edited()
	if got := f.result(t, `{}`); got != `"moved"` {
		t.Errorf("after a folder was moved into place the answer is %s", got)
	}
}
