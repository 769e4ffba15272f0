package logs_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"gatewright/sandbox/logs"
	"gatewright/test/symlink"
)

func TestAnIncompleteLastLineIsLeftOut(t *testing.T) {
	t.Parallel()
	s, folder := openStore(t, logs.Small{})
	s.Append(line(0))
	s.Append(line(1))
	must(t, s.Close())
	name := filepath.Join(folder, "dev", "items.log")
	whole, err := os.ReadFile(name)
	must(t, err)
	second := strings.Index(string(whole), "\n") + 1
	for cut := second; cut < len(whole)-1; cut++ {
		must(t, os.WriteFile(name, whole[:cut], 0o600))
		if diff := cmp.Diff(lineTexts(0, 1), texts(read(t, folder, logs.Query{}))); diff != "" {
			t.Fatalf("cut at %d: %s", cut, diff)
		}
		again, err := logs.Open(folder)
		must(t, err)
		again.Append(line(2))
		must(t, again.Close())
		if diff := cmp.Diff([]string{"line 0", "line 2"}, texts(read(t, folder, logs.Query{}))); diff != "" {
			t.Fatalf("cut at %d, then appended: %s", cut, diff)
		}
	}
}

func TestInvalidLinesAreLeftOut(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	must(t, os.MkdirAll(filepath.Join(folder, "dev"), 0o700))
	text := "\n\x00\x00\nnull\n[]\n{}\n\"x\"\n" + `{"time":"2026-01-02T03:04:05Z","environment":"dev","function":"items","text":"good"}` + "\n{\"time\":5}\n"
	must(t, os.WriteFile(filepath.Join(folder, "dev", "items.log"), []byte(text), 0o600))
	must(t, os.WriteFile(filepath.Join(folder, "dev", "notes.txt"), []byte(text), 0o600))
	must(t, os.WriteFile(filepath.Join(folder, "stray.log"), []byte(text), 0o600))
	if diff := cmp.Diff([]string{"good"}, texts(read(t, folder, logs.Query{}))); diff != "" {
		t.Error(diff)
	}
	if got := read(t, filepath.Join(folder, "missing"), logs.Query{}); got != nil {
		t.Errorf("a missing folder has %v", got)
	}
}

func TestNamesDoNotLeaveTheFolder(t *testing.T) {
	t.Parallel()
	parent := t.TempDir()
	folder := filepath.Join(parent, "a", "b", "logs")
	names := []string{
		"", ".", "..", "../..", "/etc/passwd", `..\..`, "a/b", "a", "b", "CON", "con", "Con", "nul", "com1", "COM1", "lpt9", "com", ".gateway", "gateway",
		"items", "Items", "ITEMS", "+items", "=49tems", "x.log", "x.1", "x.1.log", "x", "é", "É", "a b", "a ", "a.", "\x00", "\xff", "\n", strings.Repeat("A", 300), strings.Repeat("a", 300),
	}
	s, err := logs.Open(folder)
	must(t, err)
	for _, name := range names {
		s.Append(logs.Line{Environment: name, Function: name, Text: name})
		s.Append(logs.Line{Environment: "dev", Function: name, Text: name})
	}
	must(t, s.Close())
	files := onDisk(t, parent)
	if len(files) != 2*len(names) {
		t.Errorf("%d names have %d files", len(names), len(files))
	}
	ignoringCase := make(map[string]bool)
	for file, text := range files {
		inside, ok := strings.CutPrefix(file, "a/b/logs/")
		if !ok || strings.Count(inside, "/") != 1 || strings.Count(text, "\n") != 1 {
			t.Errorf("%s has %q", file, text)
		}
		if ignoringCase[strings.ToLower(file)] {
			t.Errorf("%s is two files", file)
		}
		ignoringCase[strings.ToLower(file)] = true
		for part := range strings.SplitSeq(strings.TrimSuffix(inside, ".log"), "/") {
			if part == "" || len(part) > 200 || strings.Trim(part, "abcdefghijklmnopqrstuvwxyz0123456789+=-_") != "" || slices.Contains([]string{"con", "nul", "com1", "lpt9"}, part) {
				t.Errorf("the file is called %s", file)
			}
		}
	}
}

func TestTwoNamesNeverShareAFile(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		alphabet := rapid.StringOfN(rapid.SampledFrom([]rune("aA=+4b16./con\x00éÉ")), 0, 6, -1)
		a, b := alphabet.Draw(t, "a"), alphabet.Draw(t, "b")
		if same := strings.EqualFold(logs.FileName(a), logs.FileName(b)); same != (a == b) {
			t.Fatalf("%q is %s, %q is %s", a, logs.FileName(a), b, logs.FileName(b))
		}
	})
}

func TestLinksDoNotLeadOutOfTheFolder(t *testing.T) {
	t.Parallel()
	folder, outside := t.TempDir(), t.TempDir()
	secret := filepath.Join(outside, "secret")
	must(t, os.WriteFile(secret, []byte("untouched"), 0o600))
	must(t, os.Mkdir(filepath.Join(folder, "dev"), 0o700))
	symlink.Make(t, secret, filepath.Join(folder, "dev", "items.log"))
	symlink.Make(t, outside, filepath.Join(folder, "prod"))
	s, err := logs.Open(folder)
	must(t, err)
	s.Append(line(0))
	s.Append(logs.Line{Environment: "prod", Function: "items", Text: "x"})
	if err := s.Close(); err == nil || strings.Contains(err.Error(), outside) {
		t.Errorf("closing it gives %v", err)
	}
	if diff := cmp.Diff(map[string]string{"secret": "untouched"}, onDisk(t, outside)); diff != "" {
		t.Error(diff)
	}
}

func TestAFailingDiskIsLoggedOnceAndLosesNothingInMemory(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	s, err := logs.Open(folder)
	must(t, err)
	must(t, os.WriteFile(filepath.Join(folder, "dev"), nil, 0o600))
	for n := range 3 {
		s.Append(line(n))
		s.Read(logs.Query{})
	}
	got := texts(s.Read(logs.Query{}))
	failures := slices.DeleteFunc(slices.Clone(got), func(text string) bool { return strings.HasPrefix(text, "line ") })
	if len(got) != 4 || len(failures) != 1 || !strings.HasPrefix(failures[0], "this log cannot be written: ") {
		t.Errorf("the log has %q", got)
	}
	must(t, os.Remove(filepath.Join(folder, "dev")))
	s.Append(line(3))
	must(t, s.Close())
	if diff := cmp.Diff(lineTexts(3, 4), texts(read(t, folder, logs.Query{}))); diff != "" {
		t.Error(diff)
	}
}

func TestARemovedFileIsCreatedAgain(t *testing.T) {
	t.Parallel()
	s, folder := openStore(t, logs.Small{})
	s.Append(line(0))
	s.Read(logs.Query{})
	must(t, os.RemoveAll(filepath.Join(folder, "dev")))
	s.Append(line(1))
	must(t, s.Close())
	if diff := cmp.Diff(lineTexts(1, 2), texts(read(t, folder, logs.Query{}))); diff != "" {
		t.Error(diff)
	}
}

func TestAClosedStoreLeavesItsFolder(t *testing.T) {
	t.Parallel()
	folder := filepath.Join(t.TempDir(), "logs")
	s, err := logs.Open(folder)
	must(t, err)
	s.Append(line(0))
	must(t, s.Close())
	must(t, os.Rename(folder, folder+"-moved"))
	must(t, os.RemoveAll(folder+"-moved"))
	if lines := s.Read(logs.Query{}); len(lines) != 1 {
		t.Errorf("what was in memory is %v", lines)
	}
}
