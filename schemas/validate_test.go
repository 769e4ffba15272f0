package schemas

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gatewright/test/depth"
)

// Each of these takes very long if anything is quadratic in the members of an object or an
// array.
func TestHugeDocumentsAreJudgedInLinearTimeWithFewProblems(t *testing.T) {
	t.Parallel()
	depth.WithoutRace(t)
	n := depth.Rounds(10_000, 50_000, 50_000)
	repeat := func(entry string) string { return strings.TrimSuffix(strings.Repeat(entry+",", n), ",") }
	each := func(format string) string {
		var text strings.Builder
		for i := range n {
			if i > 0 {
				text.WriteByte(',')
			}
			fmt.Fprintf(&text, format, i)
		}
		return text.String()
	}
	tests := []struct {
		name, schema, doc string
		problems          int
	}{
		{"unique words", "auth", `{"version": 1, "groups": [` + each(`"g%d"`) + `]}`, 0},
		{"one word", "auth", `{"version": 1, "mfa_methods": [` + repeat(`"SMS"`) + `]}`, 0},
		{"repeated words", "auth", `{"version": 1, "groups": [` + repeat(`"a"`) + `]}`, n - 1},
		{"unknown words", "auth", `{"version": 1, "mfa_methods": [` + each(`"m%d"`) + `]}`, n},
		{"unknown fields", "auth", `{"version": 1,` + each(`"f%d": 1`) + `}`, n},
		{"map", "environment", `{"version": 1, "provider": "local", "parameters": {` + each(`"p%d": ""`) + `}}`, 0},
		{"names of a map", "function", `{"version": 1, "runtime": "go", "environment": {` + each(`"%d": ""`) + `}}`, n},
		{"too many entries", "function", `{"version": 1, "runtime": "go", "layers": [` + each(`"l%d"`) + `]}`, 1},
		{"a free object", "client-config", `{"version": "1", "custom": {` + each(`"c%d": [1, 1]`) + `}}`, 0},
		{"a number", "project", `{"version": 1` + strings.Repeat("0", n) + `, "name": "a", "applicationId": "b"}`, 1},
		{"a string", "table", `{"version": 1, "partitionKey": {"name": "` + strings.Repeat("a", n) + `", "type": "string"}}`, 1},
		{"depth", "client-config", `{"version": "1", "custom": {"a": ` + strings.Repeat("[", 9000) + strings.Repeat("]", 9000) + `}}`, 0},
	}
	for _, test := range tests {
		found := problems(t, test.schema, []byte(test.doc))
		if want := min(test.problems, maxProblems+1); len(found) != want {
			t.Errorf("%s: %d problems, want %d", test.name, len(found), want)
		}
		if test.problems > maxProblems {
			want := Problem{"", fmt.Sprintf("and %d more problems", test.problems-maxProblems), "fix the problems listed, then validate again"}
			if diff := cmp.Diff(want, found[maxProblems]); diff != "" {
				t.Errorf("%s: %s", test.name, diff)
			}
		}
	}
}

func TestProblemsFollowTheOrderOfTheDocument(t *testing.T) {
	t.Parallel()
	doc := []byte(`{
		"zeta": 1,
		"password_policy": {"require_symbols": "x", "alpha": 1, "min_length": 1},
		"groups": ["b b", "a", "a"],
		"oauth": {"scopes": [1], "domain": 1},
		"beta": 1
	}`)
	want := []string{
		"", "/zeta", "/password_policy/require_symbols", "/password_policy/alpha", "/password_policy/min_length",
		"/groups/0", "/groups/2", "/oauth", "/oauth", "/oauth", "/oauth", "/oauth/scopes/0", "/oauth/domain", "/beta",
	}
	first := problems(t, "auth", doc)
	var got []string
	for _, problem := range first {
		got = append(got, problem.Pointer)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	for range 20 {
		if diff := cmp.Diff(first, problems(t, "auth", doc)); diff != "" {
			t.Fatalf("another run finds others:\n%s", diff)
		}
	}
}

func TestManyMayCompileAndValidateAtOnce(t *testing.T) {
	t.Parallel()
	names := Names()
	var texts, docs [][]byte
	for _, name := range names {
		text, err := Source(name)
		if err != nil {
			t.Fatal(err)
		}
		texts, docs = append(texts, text), append(docs, encode(t, rich(t, name)))
	}
	var group sync.WaitGroup
	for first := range 8 {
		group.Go(func() {
			for offset := range names {
				i := (first + offset) % len(names)
				if _, err := parseRule(texts[i]); err != nil {
					t.Errorf("%s: %v", names[i], err)
				}
				if found, err := Validate(names[i], docs[i]); err != nil || len(found) > 0 {
					t.Errorf("%s: its rich document: %v, %v", names[i], found, err)
				}
				if found, err := Validate(names[i], []byte(`{"further": 1}`)); err != nil || len(found) == 0 {
					t.Errorf("%s: a wrong document: %v, %v", names[i], found, err)
				}
			}
		})
	}
	group.Wait()
}

// An empty enum makes the engine panic.
func TestAFailureOfTheEngineRefusesTheValue(t *testing.T) {
	t.Parallel()
	e, err := newEngine([]byte(`{"enum": []}`))
	if err != nil {
		t.Fatal(err)
	}
	w := walk{schema: "auth", report: report{place: []string{"a"}}}
	w.judge(&rule{engine: e}, "value")
	found := w.report.all()
	if len(found) != 1 {
		t.Fatalf("problems %+v, want one", found)
	}
	if p := found[0]; p.Pointer != "/a" || !strings.HasPrefix(p.Text, "refused: the validator failed: ") || p.Fix != `compare it with the schema "auth"` {
		t.Errorf("%+v", p)
	}
	if e.objection("value") == "" {
		t.Error("the second value is accepted")
	}
}

func TestWholeNumbers(t *testing.T) {
	t.Parallel()
	tests := []struct {
		number number
		whole  bool
	}{
		{"0", true},
		{"-0", true},
		{"0.0", true},
		{"0e-999999999999999999999", true},
		{"8.0", true},
		{"80e-1", true},
		{"8.5", false},
		{"85e-1", false},
		{"850e-1", true},
		{"1.5e1", true},
		{"1.25e1", false},
		{"0.001e3", true},
		{"0.001E+2", false},
		{"1e400", true},
		{"1e-400", false},
		{"1e9223372036854775807", true},
		{"1e-9223372036854775808", false},
		{"1e99999999999999999999", true},
		{"1e-99999999999999999999", false},
		{"99.00000000000000000000000001", false},
	}
	for _, test := range tests {
		if got := test.number.whole(); got != test.whole {
			t.Errorf("%s whole: %t", test.number, got)
		}
		if float := test.number.float(); test.whole != (float == float64(int64(float)) || float > 1e300) {
			t.Errorf("%s: the engine sees %g", test.number, float)
		}
	}
}

func FuzzValidate(f *testing.F) {
	for i, name := range Names() {
		f.Add(i, encode(f, rich(f, name)))
	}
	f.Add(0, []byte(`{"version":1e999,"oauth":{"":[null,{"a":-0}]},"\u0000":"\ud83d\ude00"}`))
	f.Fuzz(func(t *testing.T, i int, doc []byte) {
		name := Names()[uint(i)%uint(len(Names()))]
		found, err := Validate(name, doc)
		if err != nil && found != nil {
			t.Errorf("problems %v beside the error %v", found, err)
		}
		if len(found) > maxProblems+1 {
			t.Errorf("%d problems", len(found))
		}
		for _, p := range found {
			if p.Text == "" || p.Fix == "" || strings.ContainsAny(p.Text+p.Fix, "\n\r") {
				t.Errorf("%+v: want one line of text and one of fix", p)
			}
		}
	})
}
