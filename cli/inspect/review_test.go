package inspect

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"gatewright/cli/command"
	"gatewright/deploy/trial"
	"gatewright/model"
	"gatewright/model/access"
	"gatewright/model/diff"
	"gatewright/project"
	"gatewright/project/disk"
	"gatewright/project/review"
	"gatewright/test/depth"
)

// reviewOfBackends makes the report of a change from one backend to another.
func reviewOfBackends(t *testing.T, was, now *model.Backend) reviewReport {
	t.Helper()
	found, err := review.Compare(stateOf("old", was), stateOf("new", now), "")
	if err != nil {
		t.Fatal(err)
	}
	return reviewOf(found, "")
}

// shopWith is a backend with an API whose paths all have the same access.
func shopWith(setting access.Setting, names ...string) *model.Backend {
	api := &access.API{Label: "shop"}
	for _, name := range names {
		api.Paths = append(api.Paths, &access.Path{Name: name, Function: "f", Access: access.Access{Setting: setting}})
	}
	return &model.Backend{APIs: []*access.API{api}}
}

// many are paths with long names.
func many(from, to int) []string {
	var names []string
	for i := from; i < to; i++ {
		names = append(names, fmt.Sprintf("/%s/%d", strings.Repeat("long", 10), i))
	}
	return names
}

func TestACommentOfAnyChangeFits(t *testing.T) {
	t.Parallel()
	depth.WithoutRace(t)
	const characters = 65_536
	for _, n := range []int{0, 10, 150, 1000, depth.Rounds(2000, 20_000, 20_000)} {
		// All paths of the first half are closed, all of the second half are opened.
		report := reviewOfBackends(t, shopWith(access.Open, many(0, n)...), shopWith(access.Open, many(n, 2*n)...))
		comment := report.comment()
		if len(comment) >= characters || !strings.HasPrefix(comment, commentMark) {
			t.Errorf("%d paths: the comment has %d bytes and begins with %.30q", n, len(comment), comment)
		}
		opened, closed := report.counts()
		left := 0
		for _, count := range regexp.MustCompile(`(?m)^- (?:and )?(\d+)(?: more|, which do not fit here)$`).FindAllStringSubmatch(comment, -1) {
			var one int
			_, _ = fmt.Sscan(count[1], &one)
			left += one
		}
		listed := strings.Count(comment, " may now ") + strings.Count(comment, " may no longer ")
		others := len(report.Resources) + len(report.Files) - strings.Count(comment, "\n- `API shop changes`")
		if listed+left != opened+closed+others {
			t.Errorf("%d paths: %d entries are listed and %d left out, of %d", n, listed, left, opened+closed+others)
		}
		if strings.Contains(comment, " may no longer ") && strings.Count(comment, " may now ") < opened {
			t.Errorf("%d paths: what is closed is shown, and not all that is opened", n)
		}
	}
}

// plain are a comment's lines without what is code.
func plain(t *testing.T, comment string) string {
	t.Helper()
	var b strings.Builder
	for comment != "" {
		at := strings.IndexByte(comment, '`')
		if at < 0 {
			break
		}
		b.WriteString(comment[:at])
		fence := comment[at:]
		fence = fence[:len(fence)-len(strings.TrimLeft(fence, "`"))]
		rest := comment[at+len(fence):]
		// A fence ends at the next row of as many backticks.
		end := 0
		for {
			next := strings.IndexByte(rest[end:], '`')
			if next < 0 {
				t.Fatalf("a code span does not end: %.60q", comment[at:])
			}
			end += next
			row := len(rest[end:]) - len(strings.TrimLeft(rest[end:], "`"))
			if row == len(fence) {
				break
			}
			end += row
		}
		if strings.Contains(rest[:end], "\n") {
			t.Errorf("a code span has a line break: %q", rest[:end])
		}
		comment = rest[end+len(fence):]
	}
	return b.String() + comment
}

func TestNamesInACommentAreOnlyText(t *testing.T) {
	t.Parallel()
	for _, name := range []string{
		"@everybody", "[a](https://example.com)", "<img src=x>", "`code`", "``", "` @x", "a\n# title", "| a | b |", "www.example.com", "#1", "0123456789abcdef", "-->", ":tada:", `\`, " ", "`", "&lt;",
	} {
		now := shopWith(access.Private, "/"+name)
		now.APIs[0].Label, now.APIs[0].Paths[0].Function, now.Groups = name, name, []string{name}
		now.APIs[0].Paths[0].Access.Grants = []access.Grant{{To: access.Principal{Kind: access.Group, Group: name}, Actions: access.EveryAction}}
		report := reviewOfBackends(t, &model.Backend{}, now)
		report.Base, report.Head, report.Notes, report.Incomplete = name, name, []string{name}, []string{name}
		comment := report.comment()
		if len(report.Access) != 1 || !strings.Contains(comment, " may now ") {
			t.Fatalf("%q: the comment is\n%s", name, comment)
		}
		rest := strings.TrimPrefix(plain(t, comment), commentMark)
		for _, active := range []string{"@", "[", "<", "|", "www", "#1", "# title", "0123456789abcdef", ":tada:", `\`, "&"} {
			if strings.Contains(rest, active) {
				t.Errorf("%q: outside of code there is %q:\n%s", name, active, comment)
			}
		}
	}
}

func TestAnnotationsAreOneCommandEach(t *testing.T) {
	t.Parallel()
	r := reviewReport{
		Access: []reviewedAccess{
			{Gained: true, Text: "100%\r\n::error::forged", Before: "403", After: "served", Command: "call", Place: reviewedPlace{File: "a,b:c\n::x.json", Line: 3, Column: 7}},
			{Text: "closed", Before: "served", After: "403", Place: reviewedPlace{File: "gone.json", Line: 1, Column: 1, InBase: true}},
		},
		Opened: []reviewedOpening{{Text: "opened"}},
		Tests:  []reviewedTest{{Name: "guests never DELETE", Text: "broken", Place: reviewedPlace{File: "access.test.json", Line: 2, Column: 3}}},
	}
	want := "::error file=access.test.json,line=2,col=3,title=gatewright review%3A access test::guests never DELETE: broken\n" +
		"::warning file=a%2Cb%3Ac %3A%3Ax.json,line=3,col=7,title=gatewright review%3A opened::100%25 %0A::error::forged: 403 before, served now%0Acall\n" +
		"::warning title=gatewright review%3A opened::opened\n" +
		"::notice file=gone.json,title=gatewright review%3A closed::closed: served before, 403 now\n"
	if got := r.workflowCommands(); got != want {
		t.Errorf("the commands are\n%s\nwant\n%s", got, want)
	}
}

func TestAReportSaysAllOfWhatItHas(t *testing.T) {
	t.Parallel()
	at := reviewedPlace{File: "app/shop.json", Line: 3, Column: 7}
	was := at
	was.InBase = true
	reasons := []string{"one", "two", "three", "four", "five", "six", "seven"}
	files := []reviewedFile{{"a", "added"}, {"b\nc", "changed"}, {"d", "removed"}, {"e", "changed"}, {"f", "changed"}, {"g", "changed"}}
	r := reviewReport{
		Base: "main", Head: "work", Environment: "dev", Notes: []string{"a note"}, Incomplete: []string{"a file cannot be read"},
		Opened: []reviewedOpening{{Text: "a table is open", Place: at}, {Text: "so is a bucket"}},
		Tests:  []reviewedTest{{Name: "guests never DELETE", Text: "broken", Place: was}},
		Resources: []reviewedResource{
			{of: model.Ref{Kind: model.KindFunction, Name: "books"}, Environment: "dev", Operation: diff.ToUpdate, Reasons: reasons, Sources: files[:2]},
			{of: model.Ref{Kind: model.KindTable, Name: "stock"}, Operation: diff.ToCreate, Reasons: reasons[:2], ManySources: true},
			{of: model.Ref{Kind: model.KindEnvironment, Name: "test"}, Environment: "test", Operation: diff.ToDelete},
		},
		Files: files,
	}
	const before = `from main to work, environment dev
note: a note
▲ not all is known: a file cannot be read
opened apart from requests to APIs
  ▲ a table is open
      app/shop.json:3:7
  ▲ so is a bucket
access tests that the change breaks
  guests never DELETE: broken
      app/shop.json:3:7, as it was
resources
  function books in environment dev changes
`
	const after = `  table stock is new
    its source changes, in many files
    one
    two
  environment test is gone
`
	const counts = "review: 2 opened, perhaps more opened, 1 access test broken, 3 resources changed, 6 files changed\n"
	for all, want := range map[bool]string{
		true: before + "    its source changes in 2 files: a, \"b\\nc\"\n    one\n    two\n    three\n    four\n    five\n    six\n    seven\n" + after +
			"files\n  added a\n  changed \"b\\nc\"\n  removed d\n  changed e\n  changed f\n  changed g\n" + counts,
		false: before + "    its source changes in 2 files: a, \"b\\nc\"\n    one\n    two\n    three\n    four\n    five\n    and 2 more; -v shows them\n" + after +
			"files: a, \"b\\nc\", d, e, f, g\n" + counts,
	} {
		if got := r.text(all, 0, command.Palette{}); got != want {
			t.Errorf("with all %v it is\n%s\nwant\n%s", all, got, want)
		}
	}
	for want, r := range map[string]reviewReport{
		"nothing changes":                       {Complete: true},
		"perhaps more opened":                   {},
		"nothing opened, 1 closed":              {Complete: true, Access: []reviewedAccess{{}}},
		"1 opened, 1 closed":                    {Complete: true, Access: []reviewedAccess{{Gained: true}, {}}},
		"2 opened":                              {Complete: true, Access: []reviewedAccess{{Gained: true}}, Opened: r.Opened[:1]},
		"perhaps more opened, 1 file changed":   {Files: files[:1]},
		"nothing opened, 2 access tests broken": {Complete: true, Tests: make([]reviewedTest, 2)},
		"nothing opened, 1 resource changed":    {Complete: true, Resources: r.Resources[:1]},
	} {
		if got := r.summary(); got != want {
			t.Errorf("the summary is %q, want %q", got, want)
		}
	}
}

func TestAtMostTenAnnotationsOfAKindAreWritten(t *testing.T) {
	t.Parallel()
	for n, last := range map[int]string{10: "under /9 ", 11: "2 more", 300: "291 more"} {
		var names []string
		for i := range n {
			names = append(names, fmt.Sprintf("/%d", i))
		}
		lines := strings.Split(strings.TrimSpace(reviewOfBackends(t, shopWith(access.Open), shopWith(access.Open, names...)).workflowCommands()), "\n")
		if len(lines) != mostAnnotations || !strings.Contains(lines[9], last) {
			t.Errorf("of %d there are %d, the last one %q", n, len(lines), lines[len(lines)-1])
		}
	}
}

func TestAProofTellsARefusalFromAFunctionsOwn(t *testing.T) {
	t.Parallel()
	a := review.Access{Difference: access.Difference{API: "shop", Gained: true, Methods: []string{"GET"}, Raw: "/books", Who: access.Principal{Kind: access.Guest}}}
	refused, own, served := gives(403, true), gives(403, false), gives(200, false)
	for want, p := range map[string]reviewedProof{
		"proved: GET /books by a guest: 403 before, 200 now":                                    proofOf(a, refused, served),
		"proved: GET /books by a guest: 403 before, 403 of the function itself now":             proofOf(a, refused, own),
		"not proved: GET /books by a guest: 403 of the function itself before, 200 now":         proofOf(a, own, served),
		"not proved: GET /books by a guest: 403 before, 403 now":                                proofOf(a, refused, refused),
		"not proved: GET /books by a guest: no response (the sources are gone) before, 200 now": proofOf(a, noAnswer("the sources are gone"), served),
	} {
		if p.Text != want || p.Proved != strings.HasPrefix(want, "proved") {
			t.Errorf("proved %v: %s; want %s", p.Proved, p.Text, want)
		}
	}
}

func TestRangesAreDividedAsByGit(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"main": "main  false false", "a..b": "a b true false", "a...b": "a b true true", "a..": "a HEAD true false", "...b": "HEAD b true true", "v1.2..v1.3": "v1.2 v1.3 true false",
	} {
		base, head, isRange, between := ends(text)
		if got := fmt.Sprint(base, " ", head, " ", isRange, " ", between); got != want {
			t.Errorf("%s is %s, want %s", text, got, want)
		}
	}
}

func gives(status int, refused bool) trial.Answer {
	return trial.Answer{Status: status, Refused: refused}
}

func noAnswer(why string) trial.Answer { return trial.Answer{Err: errors.New(why)} }

// stateOf is the state of a project that has a backend and no files.
func stateOf(name string, b *model.Backend) review.State {
	p := project.New(disk.Memory(), nil)
	p.Backend = b
	return review.StateOf(name, p)
}
