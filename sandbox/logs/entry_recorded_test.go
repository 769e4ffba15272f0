package logs_test

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gatewright/sandbox/logs"
	"gatewright/sandbox/logs/entry"
)

var update = flag.Bool("update", false, "write what the recorded logs are read as")

// source is where the functions of the recorded logs had their source.
func source(function string) entry.Source {
	return entry.Source{Root: "/home/emma/day", Folder: "backend/function/" + function + "/src"}
}

// recorded reads lines that functions really wrote.
func recorded(t testing.TB, name string) []logs.Line {
	t.Helper()
	file, err := os.Open(filepath.Join("testdata", name+".jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	var lines []logs.Line
	scan := bufio.NewScanner(file)
	scan.Buffer(nil, 1<<20)
	for scan.Scan() {
		var l logs.Line
		if err := json.Unmarshal(scan.Bytes(), &l); err != nil {
			t.Fatal(err)
		}
		lines = append(lines, l)
	}
	return lines
}

// told is a log as text: the severity of each entry that is shown, and its lines, each with
// the file that it leads to.
func told(g *entry.Log, whole bool) string {
	var b strings.Builder
	for n := g.First(); n < g.End(); n++ {
		e := g.At(n)
		if e.Folded() {
			continue
		}
		of := source(e.Function)
		lines := entry.Body(e, g.More(n), of, whole)
		word := e.Severity.Word()
		if e.Heading() {
			lines, word = []entry.Line{e.Of.Heading()}, "#"
		}
		for i, l := range lines {
			if i > 0 {
				word = ""
			}
			fmt.Fprintf(&b, "%-5s %s", word, l.Text())
			if name, own := of.Name(l.Place); own {
				fmt.Fprintf(&b, "   -> %s:%d", name, l.Place.Line)
			}
			b.WriteByte('\n')
		}
	}
	return b.String()
}

func TestRecordedLogsAreReadAsAPersonReadsThem(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"node18", "node24", "python"} {
		for _, whole := range []bool{false, true} {
			var g entry.Log
			g.Add(entry.Read(recorded(t, name)))
			file := filepath.Join("testdata", name+".golden")
			if whole {
				file = filepath.Join("testdata", name+"-whole.golden")
			}
			got := told(&g, whole)
			if *update {
				if err := os.WriteFile(file, []byte(got), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if got != string(want) {
				t.Errorf("%s is read as\n%s\nwant\n%s", name, got, want)
			}
		}
	}
}
