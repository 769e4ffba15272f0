package project_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"gatewright/internal/text/prose"
	"gatewright/project"
	"gatewright/project/journal"
	"gatewright/test/await"
	"gatewright/test/depth"
)

// drawn has a line for each line of a diff: its numbers, its edge, its text, its pair.
func drawn(d *prose.FileDiff) string {
	var b strings.Builder
	for _, l := range d.Lines {
		if l.Tone == prose.Changed {
			fmt.Fprintf(&b, "%d %d … %d\n", l.Old, l.New, l.Hidden)
			continue
		}
		edge := map[prose.Tone]string{prose.Plain: " ", prose.Added: "+", prose.Removed: "-"}[l.Tone]
		fmt.Fprintf(&b, "%d %d %s%s", l.Old, l.New, edge, d.Text(l))
		if l.Pair > 0 {
			fmt.Fprintf(&b, " (%d)", l.Pair)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func TestAChangeIsReadLineByLine(t *testing.T) {
	t.Parallel()
	const old = "1\n2\n3\n4\n5\n6\n7\n\"name\": \"a\",\nend\n10\n11\n12\n13\n14\n15\n16\n17\n"
	for _, row := range []struct {
		name     string
		old, now string
		want     string
	}{
		{
			"changed", old, strings.NewReplacer("\"a\"", "\"b\"", "end\n", "fin\nnew\n").Replace(old),
			"1 1 … 4\n5 5  5\n6 6  6\n7 7  7\n" +
				"8 0 -\"name\": \"a\", (8)\n9 0 -end\n0 8 +\"name\": \"b\", (8)\n0 9 +fin\n0 10 +new\n" +
				"10 11  10\n11 12  11\n12 13  12\n13 14 … 5\n",
		},
		{"one line is not hidden", "1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1\n2\n3\n4\nfive\n6\n7\n8\n9\n", "1 1  1\n2 2  2\n3 3  3\n4 4  4\n5 0 -5\n0 5 +five\n6 6  6\n7 7  7\n8 8  8\n9 9  9\n"},
		{"carriage returns", "a\r\nb\r\n", "a\r\nc\r\n", "1 1  a\n2 0 -b\n0 2 +c\n"},
		{"without carriage returns", "a\r\n", "a\n", "1 0 -a\r (1)\n0 1 +a (1)\n"},
		{"same", "a\n", "a\n", ""},
		{"empty", "", "", ""},
	} {
		d := project.FileDiff(journal.Change{Path: "a.txt", Existed: true, Old: []byte(row.old), New: []byte(row.now)})
		if got := drawn(d); got != row.want || d.Created || d.Deleted || d.Binary || d.OldOpen || d.NewOpen {
			t.Errorf("%s: it is %+v\n%s\nwant\n%s", row.name, d, got, row.want)
		}
	}
}

func TestFilesThatComeAndGoAreReadLineByLine(t *testing.T) {
	t.Parallel()
	created := project.FileDiff(journal.Change{Path: "a", New: []byte("a\nb")})
	if got := drawn(created); got != "0 1 +a\n0 2 +b\n" || !created.Created || !created.NewOpen {
		t.Errorf("a new file is %+v\n%s", created, got)
	}
	deleted := project.FileDiff(journal.Change{Path: "a", Existed: true, Old: []byte("a\nb\n"), New: []byte("c"), Delete: true})
	if got := drawn(deleted); got != "1 0 -a\n2 0 -b\n" || !deleted.Deleted || deleted.OldOpen {
		t.Errorf("a deleted file is %+v\n%s", deleted, got)
	}
	if d := project.FileDiff(journal.Change{Path: "a", New: []byte("a\x00")}); !d.Binary || d.Lines != nil {
		t.Errorf("a binary file is %+v", d)
	}
}

func TestAllLinesOfAFileAreInItsDiff(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching("([abc]{0,2}\r?\n){0,40}[ab]?")
		old, now := text.Draw(t, "old"), text.Draw(t, "now")
		change := journal.Change{Path: "a", Existed: true, Old: []byte(old), New: []byte(now)}
		d := project.FileDiff(change)
		var unified strings.Builder
		nextOld, nextNew := 1, 1
		for _, l := range d.Lines {
			if l.Old > 0 && l.Old != nextOld || l.New > 0 && l.New != nextNew {
				t.Fatalf("%+v follows %d and %d:\n%s", l, nextOld-1, nextNew-1, drawn(d))
			}
			switch l.Tone {
			case prose.Changed:
				if !slices.Equal(d.Old[l.Old-1:l.Old-1+l.Hidden], d.New[l.New-1:l.New-1+l.Hidden]) {
					t.Fatalf("%+v hides a change:\n%s", l, drawn(d))
				}
				nextOld, nextNew = nextOld+l.Hidden, nextNew+l.Hidden
			case prose.Removed:
				nextOld++
				unified.WriteString("-" + strings.TrimSuffix(d.Text(l), "\r") + "\n")
			case prose.Added:
				nextNew++
				unified.WriteString("+" + strings.TrimSuffix(d.Text(l), "\r") + "\n")
			default:
				if d.Old[l.Old-1] != d.New[l.New-1] {
					t.Fatalf("%+v differs:\n%s", l, drawn(d))
				}
				nextOld, nextNew = nextOld+1, nextNew+1
			}
		}
		if len(d.Lines) > 0 && (nextOld != len(d.Old)+1 || nextNew != len(d.New)+1) {
			t.Fatalf("it ends before the lines %d and %d:\n%s", nextOld, nextNew, drawn(d))
		}
		var want strings.Builder
		for line := range strings.Lines(project.Diff(change)) {
			if line = strings.TrimRight(line, "\r\n"); !strings.HasPrefix(line, "---") && !strings.HasPrefix(line, "+++") && strings.ContainsAny(line[:1], "+-") {
				want.WriteString(line + "\n")
			}
		}
		if unified.String() != want.String() {
			t.Fatalf("the lines are\n%s\nand in the unified diff\n%s", &unified, &want)
		}
	})
}

func TestTheLinesOfADiffShowNoKey(t *testing.T) {
	t.Parallel()
	change := journal.Change{
		Path: "client_config.json", Existed: true,
		Old: []byte("{\n\"api_key\":\n  \"s3cret-1\",\n\"a\": {\"apiKey\": \"s3cret-2\"}}\n"),
		New: []byte("{\n\"api_key\":\n  \"s3cret-3\",\n\"a\": {\"apiKey\": \"s3cret-4\"}}\n"),
	}
	d := project.FileDiff(change)
	for _, text := range []string{drawn(d), strings.Join(d.Old, ""), strings.Join(d.New, ""), project.Diff(change)} {
		if strings.Contains(text, "s3cret") || !strings.Contains(text, "<redacted>") {
			t.Errorf("it has\n%s", text)
		}
	}
	if got := strings.Count(drawn(d), "<redacted>"); got != 4 {
		t.Errorf("%d of 4 keys are redacted:\n%s", got, drawn(d))
	}
	// The value stays and is no key any more.
	change.New = bytes.Replace(change.Old, []byte("api_key"), []byte("name"), 1)
	if d := project.FileDiff(change); strings.Contains(drawn(d)+project.Diff(change), "s3cret-1") {
		t.Errorf("it has\n%s\n%s", drawn(d), project.Diff(change))
	}
}

func TestTheDiffOfALargeFileIsMadeInABoundedTime(t *testing.T) {
	t.Parallel()
	line := strings.Repeat("a b c ", 12) + "\n"
	old := []byte(strings.Repeat(line, depth.Rounds(1, 4, 4)<<20/len(line)))
	start := time.Now()
	d := project.FileDiff(journal.Change{Path: "a.js", Existed: true, Old: old, New: bytes.ReplaceAll(old, []byte("b"), []byte("d"))})
	if took := time.Since(start); took > await.Limit(t)/4 {
		t.Errorf("it took %s", took)
	}
	if d.Lines[0].Pair == 0 {
		t.Error("the first line that changed has no pair")
	}
}
