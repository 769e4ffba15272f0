package run

import (
	"bufio"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gatewright/internal/clock"
	"gatewright/sandbox/logs"
	"gatewright/sandbox/logs/entry"
)

var update = flag.Bool("update", false, "write what is printed in a terminal")

func TestInATerminalALogIsPrintedAsEntries(t *testing.T) {
	t.Parallel()
	for name, function := range map[string]string{"node24": "trouble", "python": "snake"} {
		var out strings.Builder
		show := &entryPrinter{clock: clock.In(time.FixedZone("CET", 3600)), out: &out, of: map[string]*functionEntries{
			function: {source: entry.Source{Root: "/home/emma/day", Folder: "backend/function/" + function + "/src"}},
		}}
		file, err := os.Open(filepath.Join("..", "..", "sandbox", "logs", "testdata", name+".jsonl"))
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = file.Close() }()
		scan := bufio.NewScanner(file)
		scan.Buffer(nil, 1<<20)
		for scan.Scan() {
			var l logs.Line
			if err := json.Unmarshal(scan.Bytes(), &l); err != nil {
				t.Fatal(err)
			}
			if err := show.line(l); err != nil {
				t.Fatal(err)
			}
		}
		golden := filepath.Join("testdata", "logs_"+name+".golden")
		if *update {
			if err := os.WriteFile(golden, []byte(out.String()), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(golden)
		if err != nil {
			t.Fatal(err)
		}
		if out.String() != string(want) {
			t.Errorf("%s is printed as\n%s\nwant\n%s", name, out.String(), want)
		}
		if strings.ContainsFunc(strings.ReplaceAll(out.String(), "\n", ""), func(r rune) bool { return r < ' ' }) {
			t.Error("control characters are printed")
		}
	}
}

func TestALineThatGoesOnAfterAnotherFunctionsNamesItsFunctionAgain(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	show := &entryPrinter{out: &out, name: 6, of: map[string]*functionEntries{"books": {}, "orders": {}}}
	at := time.Date(2026, 11, 26, 13, 3, 5, 0, time.UTC)
	for _, l := range []logs.Line{
		{Function: "books", Text: "Error: first"}, {Function: "books", Text: "    at one"}, {Function: "orders", Text: "between"}, {Function: "books", Text: "    at two"},
	} {
		l.Time, l.Request = at, l.Function+"-1"
		if err := show.line(l); err != nil {
			t.Fatal(err)
		}
	}
	lines := strings.Split(strings.TrimRight(out.String(), "\n"), "\n")
	last := lines[len(lines)-1]
	if !strings.Contains(last, "books") || !strings.Contains(last, "at two") || strings.Contains(lines[len(lines)-3], "books") {
		t.Errorf("printed is\n%s", out.String())
	}
}
