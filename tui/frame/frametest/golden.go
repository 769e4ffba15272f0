package frametest

import (
	"cmp"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"gatewright/test/depth"
)

var update = flag.Bool("update", false, "write the goldens")

// goldens are those of the package that is tested.
var goldens = archives{folder: filepath.Join(workingFolder(), "testdata"), open: make(map[string]*archive)}

// workingFolder is where the tests start, which may change the working folder later.
func workingFolder() string {
	dir, err := os.Getwd()
	if err != nil {
		panic(err)
	}
	return dir
}

// archives are the txtar archives of a folder: one a screen, with a section for each of its sizes
// and themes. Parallel tests use them at the same time.
type archives struct {
	folder string
	mu     sync.Mutex
	open   map[string]*archive
}

type archive struct {
	txtar.Archive
	drawn map[string]bool
}

// Golden compares text with its section of an archive in testdata. With -update it writes that
// section first, and leaves the others as they are. What a name names, [place] says.
func Golden(t testing.TB, name, got string) {
	t.Helper()
	want, err := goldens.want(name, got, *update)
	if err != nil {
		t.Fatal(err)
	}
	if got != want {
		t.Errorf("%s: the window is\n%s\nwant\n%s", name, got, want)
	}
}

// sized is where the size begins in a name.
var sized = regexp.MustCompile(`[-_]\d+x\d+`)

// place is the archive and the section that a name names: those of "apis_below_80x24_dark" are
// "apis_below" and "80x24_dark". A slash is between them where that does not tell.
func place(name string) (file, section string, err error) {
	if file, section, ok := strings.Cut(name, "/"); ok {
		return file, section, nil
	}
	at := sized.FindStringIndex(name)
	if at == nil {
		return "", "", fmt.Errorf("the golden %s has neither a size nor a section: call it ARCHIVE/SECTION", name)
	}
	return name[:at[0]], name[at[0]+1:], nil
}

// want is the text of a golden. If write is set, that is got from now on.
func (a *archives) want(name, got string, write bool) (string, error) {
	file, section, err := place(name)
	if err != nil {
		return "", err
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	in, err := a.archive(file, write)
	if err != nil {
		return "", fmt.Errorf("%w: go test -update writes it", err)
	}
	in.drawn[section] = true
	at := slices.IndexFunc(in.Files, func(f txtar.File) bool { return f.Name == section })
	if at >= 0 && (!write || string(in.Files[at].Data) == got) {
		return string(in.Files[at].Data), nil
	}
	if !write {
		return "", fmt.Errorf("%s has no section %s: go test -update writes it", a.path(file), section)
	}
	if !keepable(section, got) {
		return "", fmt.Errorf("%s cannot keep the text of %s: it has no newline at its end, or a line such as "+
			"those between sections", a.path(file), section)
	}
	if at < 0 {
		in.Files = append(in.Files, txtar.File{Name: section})
		at = len(in.Files) - 1
	}
	in.Files[at].Data = []byte(got)
	slices.SortStableFunc(in.Files, func(x, y txtar.File) int { return bySize(x.Name, y.Name) })
	return got, a.write(file, in)
}

func (a *archives) path(file string) string { return filepath.Join(a.folder, file+".txtar") }

// archive reads an archive once. With create there may be none.
func (a *archives) archive(file string, create bool) (*archive, error) {
	if in := a.open[file]; in != nil {
		return in, nil
	}
	in := &archive{drawn: make(map[string]bool)}
	switch data, err := os.ReadFile(a.path(file)); {
	case err == nil:
		in.Archive = *txtar.Parse(data)
	case !create || !os.IsNotExist(err):
		return nil, err
	}
	a.open[file] = in
	return in, nil
}

// keepable reports whether an archive gives back the text of a section as it is.
func keepable(section, text string) bool {
	one := txtar.Parse(txtar.Format(&txtar.Archive{Files: []txtar.File{{Name: section, Data: []byte(text)}}}))
	return len(one.Files) == 1 && one.Files[0].Name == section && string(one.Files[0].Data) == text
}

// write replaces the file of an archive.
func (a *archives) write(file string, in *archive) error {
	if err := os.MkdirAll(a.folder, 0o755); err != nil {
		return err
	}
	return os.WriteFile(a.path(file), txtar.Format(&in.Archive), 0o644)
}

// bySize orders sections by width, height, and the rest of their names.
func bySize(x, y string) int {
	var a, b [2]int
	_, _ = fmt.Sscanf(x, "%dx%d", &a[0], &a[1])
	_, _ = fmt.Sscanf(y, "%dx%d", &b[0], &b[1])
	return cmp.Or(slices.Compare(a[:], b[:]), strings.Compare(x, y))
}

// Main runs the tests of a package, for its TestMain. If all of them ran and passed, it fails for the
// sections of goldens that none of them has drawn; a run that lacks a program draws not all. At the end it
// runs what else there is to do. A test program that acts as an editor edits instead (see [Editor]).
func Main(m *testing.M, ends ...func()) {
	if len(os.Args) == 4 && os.Args[1] == actsAsEditor {
		if err := edit(os.Args[2], os.Args[3]); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	// Screens leave much garbage and keep little, so that the collector would run all the time.
	debug.SetGCPercent(400)
	code := inState(m.Run)
	if code == 0 && everyTest() && !depth.Lacked() {
		if left := goldens.undrawn(); len(left) > 0 {
			fmt.Printf("FAIL: no test draws these goldens any more; remove them:\n  %s\n", strings.Join(left, "\n  "))
			code = 1
		}
	}
	for _, end := range ends {
		end()
	}
	os.Exit(code)
}

// inState runs tests with a state folder of their own, unless they have one: what they push is not
// seen by the user, nor by the tests of other packages.
func inState(run func() int) int {
	const name = "GATEWRIGHT_STATE"
	if os.Getenv(name) != "" {
		return run()
	}
	state, err := os.MkdirTemp("", "gatewright-state-")
	if err == nil {
		err = os.Setenv(name, state)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer func() { _ = os.RemoveAll(state) }()
	return run()
}

// everyTest reports whether the command line leaves no test out.
func everyTest() bool {
	for name, usual := range map[string]string{"run": "", "skip": "", "list": "", "short": "false"} {
		if flag.Lookup("test."+name).Value.String() != usual {
			return false
		}
	}
	return flag.Lookup("test.count").Value.String() != "0"
}

// undrawn are the sections that [Golden] has not been called for.
func (a *archives) undrawn() []string {
	a.mu.Lock()
	defer a.mu.Unlock()
	files, _ := filepath.Glob(a.path("*"))
	var left []string
	for _, name := range files {
		file := strings.TrimSuffix(filepath.Base(name), ".txtar")
		in, err := a.archive(file, false)
		if err != nil {
			left = append(left, fmt.Sprintf("%s: %v", file, err))
			continue
		}
		sections := make(map[string]bool)
		for _, f := range in.Files {
			sections[f.Name] = true
		}
		for _, section := range slices.SortedFunc(maps.Keys(sections), bySize) {
			if !in.drawn[section] {
				left = append(left, fmt.Sprintf("%s, section %s", filepath.Base(name), section))
			}
		}
	}
	return left
}
