package depth

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// The test binaries of one "go test ./..." have the go command as their parent. They note in a
// folder with its number what they lack, a file each, and the last of them tells it.

// folder is where the test binaries of the go command with a number note what they lack.
func folder(parent int) string {
	return filepath.Join(os.TempDir(), "gatewright-lacking-"+strconv.Itoa(parent))
}

// note adds a line to the file of this test binary. A note that cannot be written is left out: the
// test is skipped with its reason anyway.
func note(what, test string) {
	dir := folder(os.Getppid())
	if os.MkdirAll(dir, 0o700) != nil {
		return
	}
	f, err := os.OpenFile(filepath.Join(dir, strconv.Itoa(os.Getpid())), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return
	}
	defer func() { _ = f.Close() }()
	_, _ = fmt.Fprintf(f, "%s\t%s\n", what, test)
}

// Tell is called when the tests of the package have ended that the go command lists last. It waits
// until all other test binaries have ended, then says once which tests of all packages did not
// run, and for want of what.
func Tell() {
	parent := os.Getppid()
	for range 6000 {
		if !othersRun(parent) {
			break
		}
		time.Sleep(100 * time.Millisecond)
	}
	if text := lacking(folder(parent)); text != "" {
		tell(parent, text)
	}
	_ = os.RemoveAll(folder(parent))
}

// lacking says what the notes in a folder say, without the names of subtests.
func lacking(dir string) string {
	files, _ := filepath.Glob(filepath.Join(dir, "*"))
	tests := make(map[string][]string)
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			continue
		}
		for line := range strings.Lines(string(data)) {
			what, test, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
			test, _, _ = strings.Cut(test, "/")
			if !slices.Contains(tests[what], test) {
				tests[what] = append(tests[what], test)
			}
		}
	}
	if len(tests) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("\nThese tests did not run:\n")
	for _, what := range slices.Sorted(func(yield func(string) bool) {
		for what := range tests {
			if !yield(what) {
				return
			}
		}
	}) {
		slices.Sort(tests[what])
		fmt.Fprintf(&b, "  for want of %s, %d: %s\n", what, len(tests[what]), strings.Join(tests[what], ", "))
	}
	b.WriteString("\n")
	return b.String()
}

// tell writes to the standard error of the go command, since that shows nothing of what a package
// prints whose tests pass. Where a system does not let us, it prints, and "go test -v" shows it.
func tell(parent int, text string) {
	f, apart, err := standardError(parent)
	if err != nil {
		fmt.Print(text)
		return
	}
	defer func() { _ = f.Close() }()
	if info, err := f.Stat(); err == nil && apart && info.Mode().IsRegular() {
		// What the go command prints next is written over this, from where it stopped.
		text = strings.Repeat(" ", 200) + text
	}
	_, _ = io.WriteString(f, text)
}

// othersRun reports whether the go command with a number has started other test binaries that
// have not ended. It sees them on Linux only.
func othersRun(parent int) bool {
	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, name := range stats {
		data, err := os.ReadFile(name)
		if err != nil {
			continue
		}
		// The name of the program is in brackets, and may have brackets of its own (proc(5)).
		id, rest, _ := strings.Cut(string(data), " ")
		fields := strings.Fields(rest[strings.LastIndexByte(rest, ')')+1:])
		if len(fields) < 2 || fields[0] == "Z" || fields[1] != strconv.Itoa(parent) || id == strconv.Itoa(os.Getpid()) {
			continue
		}
		if program, err := os.Readlink("/proc/" + id + "/exe"); err == nil && strings.HasSuffix(program, ".test") {
			return true
		}
	}
	return false
}
