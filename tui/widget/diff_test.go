package widget_test

import (
	"fmt"
	"strings"
	"testing"

	"gatewright/project"
	"gatewright/project/journal"
	"gatewright/test/depth"
	"gatewright/tui/keys"
	"gatewright/tui/theme"
	"gatewright/tui/widget"
)

var none = theme.New(theme.None)

// changed is a Diff of a file that changes; a new file if old is "".
func changed(path, old, now string) *widget.Diff {
	var d widget.Diff
	d.Show(project.FileDiff(journal.Change{Path: path, Existed: old != "", Old: []byte(old), New: []byte(now)}))
	return &d
}

// looks compares what is drawn with a text, in which an escape character is written as ␛.
func looks(t *testing.T, lines []string, want string) {
	t.Helper()
	got := strings.ReplaceAll(strings.Join(lines, "\n"), "\x1b", "␛")
	if want = strings.Trim(want, "\n"); got != want {
		t.Errorf("it looks like\n%s\nwant\n%s", got, want)
	}
}

// source is a text of JavaScript with 14 lines.
const source = `/* Books.
   One table. */
const name = "books";

function list(limit) {
  return table.scan({ name, limit });
}

function load(id) {
  return table.get({ name, id });
}

module.exports = { list, load };
// the end
`

func TestAChangedFileIsDrawnInPlainText(t *testing.T) {
	t.Parallel()
	now := strings.NewReplacer(`"books"`, `"library"`, "// the end\n", "// the end, or the beginning of another one").Replace(source)
	d := changed("a.js", source, now)
	looks(t, d.Draw(none, 62, 30), `
 1  1   /* Books.
 2  2      One table. */
␛[2m 3    -␛[m const name = "␛[4m␛[2mbooks␛[m";
␛[1m    3 +␛[m const name = "␛[4m␛[1mlibrary␛[m";
 4  4   
 5  5   function list(limit) {
 6  6     return table.scan({ name, limit });
        … 4 lines unchanged …
11 11   }
12 12   
13 13   module.exports = { list, load };
␛[2m14    -␛[m // the end
␛[1m   14 +␛[m // the end␛[4m␛[1m, or the beginning of another one␛[m
        no line break at the end
`)
	looks(t, d.Draw(none, 40, 6), `
 1   /* Books.
 2      One table. */
␛[2m 3 -␛[m const name = "␛[4m␛[2mbooks␛[m";
␛[1m 3 +␛[m const name = "␛[4m␛[1mlibrary␛[m";
 4   
1 to 5 of 13 lines
`)
}

func TestANewFileLooksLikeAText(t *testing.T) {
	t.Parallel()
	looks(t, changed("a.js", "", source).Draw(none, 30, 9), `
 1 │ /* Books.
 2 │    One table. */
 3 │ const name = "books";
 4 │ 
 5 │ function list(limit) {
 6 │   return table.scan({ 
 · │ name, limit });
 7 │ }
1 to 7 of 14 lines
`)
}

func TestADeletedFileHasNoColoursOfItsLanguage(t *testing.T) {
	t.Parallel()
	var d widget.Diff
	d.Show(project.FileDiff(journal.Change{Path: "a.js", Existed: true, Old: []byte("return 1;\n"), Delete: true}))
	looks(t, d.Draw(dark, 80, 9), `
␛[38;2;255;117;127m1 -␛[m ␛[38;2;154;165;184mreturn 1;␛[m
`)
}

func TestSourceTextHasColours(t *testing.T) {
	t.Parallel()
	now := strings.Replace(source, "table. ", "table, sorted. ", 1)
	now = strings.Replace(now, "scan(", "query(", 1)
	looks(t, changed("a.js", source, now).Draw(dark, 62, 10)[1:9], `
␛[38;2;255;117;127m 2    -␛[m ␛[38;2;154;165;184m   One table. */␛[m
␛[38;2;158;206;106m    2 +␛[m ␛[38;2;154;165;184m   One table␛[m␛[4m␛[1;38;2;158;206;106m, sorted␛[m␛[38;2;154;165;184m. */␛[m
␛[38;2;154;165;184m 3  3  ␛[m ␛[38;2;125;207;255mconst ␛[m␛[38;2;216;222;233mname ␛[m␛[38;2;154;165;184m= ␛[m␛[38;2;158;206;106m"books"␛[m␛[38;2;154;165;184m;␛[m
␛[38;2;154;165;184m 4  4  ␛[m 
␛[38;2;154;165;184m 5  5  ␛[m ␛[38;2;125;207;255mfunction ␛[m␛[38;2;169;184;211mlist␛[m␛[38;2;154;165;184m(␛[m␛[38;2;216;222;233mlimit␛[m␛[38;2;154;165;184m) {␛[m
␛[38;2;255;117;127m 6    -␛[m ␛[38;2;154;165;184m  return table.␛[m␛[4m␛[38;2;255;117;127mscan␛[m␛[38;2;154;165;184m({ name, limit });␛[m
␛[38;2;158;206;106m    6 +␛[m ␛[38;2;216;222;233m  ␛[m␛[38;2;125;207;255mreturn ␛[m␛[38;2;216;222;233mtable␛[m␛[38;2;154;165;184m.␛[m␛[4m␛[1;38;2;158;206;106mquery␛[m␛[38;2;154;165;184m({ ␛[m␛[38;2;216;222;233mname␛[m␛[38;2;154;165;184m, ␛[m␛[38;2;216;222;233mlimit ␛[m␛[38;2;154;165;184m});␛[m
␛[38;2;154;165;184m 7  7  ␛[m ␛[38;2;154;165;184m}␛[m
`)
}

func TestAFileWithoutLinesSaysWhy(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		change journal.Change
		want   string
	}{
		{journal.Change{Path: "a"}, "the file is empty"},
		{journal.Change{Path: "a", New: []byte("\x00")}, "the file is not text"},
		{journal.Change{Path: "a", Existed: true, Old: []byte("a"), New: []byte("a")}, "no line changes"},
	} {
		var d widget.Diff
		d.Show(project.FileDiff(row.change))
		looks(t, d.Draw(none, 40, 9), row.want)
	}
	var empty widget.Diff
	do(t, &empty, "down", "G", "g", "pgup")
	if lines := empty.Draw(none, 40, 9); lines != nil {
		t.Errorf("without a file there is %q", lines)
	}
}

func TestTheRestOfAVeryLongLineIsNamed(t *testing.T) {
	t.Parallel()
	d := changed("a.js", "", strings.Repeat("é", 9000)+"\n")
	d.Draw(none, 84, 10)
	do(t, d, "G")
	lines := d.Draw(none, 84, 10)
	if lines[8] != "    … 1616 more bytes in this line …" || lines[9] != "1 to 1 of 1 lines" {
		t.Errorf("it ends with %q", lines[7:])
	}
}

// loads is a text of numbered lines.
func loads(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "const line%d = load(\"%d\"); // a comment\n", i+1, i+1)
	}
	return b.String()
}

func TestADiffScrolls(t *testing.T) {
	t.Parallel()
	d := changed("a.js", "", loads(100))
	first := func(want int, position string) {
		t.Helper()
		lines := plain(d.Draw(dark, 80, 11))
		if !strings.HasPrefix(lines[0], fmt.Sprintf("%3d │ const line%d ", want, want)) || lines[10] != position {
			t.Errorf("it begins with %q and ends with %q, want line %d and %q", lines[0], lines[10], want, position)
		}
	}
	first(1, "1 to 10 of 100 lines")
	do(t, d, "down", "j", "pgdown")
	first(13, "13 to 22 of 100 lines")
	do(t, d, "ctrl+u")
	first(8, "8 to 17 of 100 lines")
	do(t, d, "G", "down")
	first(91, "91 to 100 of 100 lines")
	do(t, d, "g", "up")
	first(1, "1 to 10 of 100 lines")
	if lines := d.Draw(dark, 80, 100); len(lines) != 100 {
		t.Errorf("in a higher rectangle %d lines are drawn", len(lines))
	}
	d.Show(nil)
	if lines := d.Draw(dark, 80, 11); lines != nil {
		t.Errorf("without a file there is %q", lines)
	}
}

func TestADiffGoesFromChangeToChange(t *testing.T) {
	t.Parallel()
	old := loads(200)
	d := changed("a.js", old, strings.NewReplacer("line50 ", "fifty ", "line100 ", "hundred ", "line150 ", "more ").Replace(old))
	top := func(want string) {
		t.Helper()
		if lines := plain(d.Draw(none, 80, 9)); !strings.Contains(lines[2]+lines[3], want) {
			t.Errorf("in view is %q, want %s", lines, want)
		}
	}
	top("line48 ")
	do(t, d, "n")
	top("line50 ")
	do(t, d, "n", "n")
	top("line150 ")
	do(t, d, "N")
	top("line100 ")
	do(t, d, "G")
	if b, found := keys.Find(d.Bindings(), press("n"), false); !found || b.Disabled == "" {
		t.Errorf("after the last change, the next one is %+v", b)
	}
	do(t, d, "N", "N", "N")
	top("line50 ")
}

// TestTheEndOfALargeFileIsDrawn would take minutes if each line were drawn.
func TestTheEndOfALargeFileIsDrawn(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"a.js", "a.py", "a.json", "a.txt"} {
		lines := depth.Rounds(1<<20, 16<<20, 16<<20) / 45
		d := changed(name, "", loads(lines))
		d.Draw(dark, 100, 40)
		do(t, d, "G")
		drawn := plain(d.Draw(dark, 100, 40))
		last, position := fmt.Sprintf("%d │ const line%d ", lines, lines), fmt.Sprintf("%d to %d of %d lines", lines-38, lines, lines)
		if !strings.HasPrefix(drawn[38], last) || drawn[39] != position {
			t.Errorf("%s: the end is\n%s\n%s\nwant %q, %q", name, drawn[38], drawn[39], last, position)
		}
	}
}

func BenchmarkDrawingALargeFile(b *testing.B) {
	d := changed("a.js", "", loads(16<<20/45))
	d.Draw(dark, 120, 40)
	keys.Last.Do(d.Bindings())
	for b.Loop() {
		d.Scroll(-1)
		_ = d.Draw(dark, 120, 40)
	}
}
