package request

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gatewright/flow/request/requesttest"
	"gatewright/model"
	"gatewright/sandbox"
	"gatewright/sandbox/identity/identitypool"
)

func TestAFormHasItsRowsAndEachSetsItsOwnField(t *testing.T) {
	t.Parallel()
	f := Form{
		Environment: "dev", API: "shop", Path: "/books/{isbn}/{page}", Method: "GET", Values: []string{"1\x1b", ""}, Below: "/x", Query: "q=1",
		Headers: []string{"A: 1"}, Body: "abc", As: identitypool.Signer{User: "emma"}, Groups: []string{"A"},
	}
	var b strings.Builder
	rows := f.Rows()
	for _, r := range rows {
		fmt.Fprintf(&b, "%d %d|%s|%s|%s|%s|%t\n", r.Kind, r.N, r.Label, r.Value, r.Shown, r.Placeholder, r.IsText())
	}
	same(t, "rows", b.String())
	for _, r := range rows {
		value := fmt.Sprint("new ", r.Label, r.N)
		switch r.Kind {
		case ModeRow:
			value = "test"
		case CallerRow:
			value = "group:B"
		}
		r.Set(value)
	}
	want := Form{
		Environment: "new Environment0", API: "new API0", Path: "new Path0", Method: "new Method0", Values: []string{"new {isbn}0", "new {page}1"}, Below: "new Below it0",
		Query: "new Query0", Headers: []string{"new Header0", "new Header1"}, Body: "new Body0", As: identitypool.Signer{Group: "B"}, Test: true,
	}
	if diff := cmp.Diff(want, f); diff != "" {
		t.Errorf("the form (-want +got):\n%s", diff)
	}
	if n := len(f.Rows()); n != len(rows)-1 {
		t.Errorf("without variables, and with a header more, there are %d rows, before %d", n, len(rows))
	}
	if n := len(f.Rows()); n != len(rows)-1 {
		t.Errorf("an empty header is there already, and there are %d rows", n)
	}
	for _, r := range rows {
		bad := r.Check("no header") != nil
		if bad != (r.Kind == HeaderRow) || r.Check("") != nil || r.Check("A: 1") != nil {
			t.Errorf("the row %s checks wrongly", r.Label)
		}
	}
}

func TestTheChoicesForARowAreThoseOfTheProject(t *testing.T) {
	t.Parallel()
	s := served(t)
	f := Form{Environment: "dev", API: "shop", Path: "/books/{isbn}", Values: []string{""}, Method: "GET"}
	for what, row := range map[string]struct {
		kind RowKind
		as   identitypool.Signer
	}{
		"modes":                     {ModeRow, f.As},
		"environments":              {EnvironmentRow, f.As},
		"APIs":                      {APIRow, f.As},
		"paths":                     {PathRow, f.As},
		"methods of nobody":         {MethodRow, f.As},
		"methods of a signed-in":    {MethodRow, identitypool.Signer{AnyUser: true}},
		"methods of a group":        {MethodRow, identitypool.Signer{Group: "Editors"}},
		"a text":                    {QueryRow, f.As},
		"callers, whom People asks": {CallerRow, f.As},
	} {
		f.As = row.as
		same(t, what, optionsTold(s.Options(f, row.kind)))
	}
	if f.Values[0] != "" {
		t.Errorf("asking for the choices filled in %q", f.Values[0])
	}
	s.Down = fmt.Errorf("no sandbox")
	people, err := s.People(t.Context(), s.Environment("dev"))
	must(t, err)
	same(t, "people", optionsTold(people))
	people, err = s.People(t.Context(), nil)
	must(t, err)
	same(t, "people of no environment", optionsTold(people))
}

func TestAVerdictIsTheRoutersAboutTheCallerOfTheForm(t *testing.T) {
	t.Parallel()
	s := served(t)
	var b strings.Builder
	for _, path := range []string{"/open", "/books/{isbn}", "/staff"} {
		for _, f := range []Form{
			{Method: "GET"},
			{Method: "GET", As: identitypool.Signer{Guest: true}},
			{Method: "POST", As: identitypool.Signer{AnyUser: true}},
			{Method: "DELETE", As: identitypool.Signer{User: "emma"}, Groups: []string{"Readers", "Editors"}},
			{Method: "DELETE", As: identitypool.Signer{User: "emma"}},
			{Method: "GET", As: identitypool.Signer{Group: "Editors"}, Groups: []string{"Readers"}},
			{Method: "GET", As: identitypool.Signer{User: "tom"}, Missing: true},
			{Method: "GET", As: identitypool.Signer{User: "tom"}, Missing: true, Test: true},
			{Method: "DELETE", Test: true},
		} {
			f.Environment, f.API, f.Path, f.Values = "dev", "shop", path, []string{"1"}
			text, allowed := s.Verdict(f)
			fmt.Fprintf(&b, "%s|%t|%s\n", f.Sentence(), allowed, text)
		}
	}
	same(t, "verdicts", b.String())
	for what, f := range map[string]Form{
		"no environment": {Environment: "none", API: "shop", Path: "/open", Method: "GET"},
		"no API":         {Environment: "dev", API: "none", Path: "/open", Method: "GET"},
		"no value":       {Environment: "dev", API: "shop", Path: "/books/{isbn}", Method: "GET", Values: []string{""}},
	} {
		if text, allowed := s.Verdict(f); text != "" || allowed {
			t.Errorf("%s: %q, %t", what, text, allowed)
		}
	}
}

func TestTheQuestionBeforeARequestNamesWhereItGoes(t *testing.T) {
	t.Parallel()
	s := &Snapshot{environments: []*Environment{{Name: "qa"}, {Name: "prod", Guarded: true}, {Name: "shut", Closed: "it has no API"}}}
	var b strings.Builder
	for _, env := range []string{"qa", "prod", "shut", "none"} {
		for _, method := range []string{"GET", "POST"} {
			text, word := s.Agreement(Form{Environment: env, Method: method, Path: "/open"}, false)
			fmt.Fprintf(&b, "%s %s|%s|%s\n", env, method, word, text)
		}
	}
	for _, e := range []Environment{{Name: "aws"}, {Name: "aws", Guarded: true}} {
		for _, method := range []string{"GET", "HEAD", "POST"} {
			text, word := e.agreement(Form{Method: method}, "/open")
			fmt.Fprintf(&b, "%s %t %s|%s|%s\n", e.Name, e.Guarded, method, word, text)
		}
	}
	same(t, "questions", b.String())
}

func TestAnEnvironmentIsClosedForTheFirstReasonThatHolds(t *testing.T) {
	t.Parallel()
	b := requesttest.Shop(t)
	served := sandbox.Status{APIs: []sandbox.ServedAPI{{Environment: "dev", Label: "shop"}}}
	for what, tt := range map[string]struct {
		snapshot Snapshot
		backend  *model.Backend
		e        model.Environment
		want     string
	}{
		"no sandbox":       {Snapshot{Status: served, Down: errors.New("it is down")}, b, model.Environment{Name: "dev"}, "it is down"},
		"served":           {Snapshot{Status: served}, b, model.Environment{Name: "dev", Provider: model.AWS}, ""},
		"in AWS":           {Snapshot{Status: served}, b, model.Environment{Name: "qa", Provider: model.AWS}, "its provider is aws; the sandbox serves only environments with the provider local"},
		"no API":           {Snapshot{Status: served}, &model.Backend{}, model.Environment{Name: "qa", Provider: model.Local}, "it has no API; add one with: gatewright add api"},
		"not pushed":       {Snapshot{Status: served}, b, model.Environment{Name: "q a"}, "the sandbox serves none of its APIs; push it with: gatewright push --env 'q a'"},
		"another provider": {Snapshot{Status: served}, b, model.Environment{Name: "qa", Provider: "azure"}, "its provider is azure; the sandbox serves only environments with the provider local"},
	} {
		if got := tt.snapshot.closed(&Environment{backend: tt.backend}, &tt.e); got != tt.want {
			t.Errorf("%s: %q, want %q", what, got, tt.want)
		}
	}
}

func TestTheEnvironmentIsTheNamedOneElseTheServedElseTheChosen(t *testing.T) {
	t.Parallel()
	a, b, c := &Environment{Name: "a"}, &Environment{Name: "b"}, &Environment{Name: "c", Tree: true}
	for _, tt := range []struct {
		snapshot Snapshot
		name     string
		want     *Environment
	}{
		{Snapshot{environments: []*Environment{a, b, c}, chosen: "b"}, "a", a},
		{Snapshot{environments: []*Environment{a, b, c}, chosen: "b"}, "", c},
		{Snapshot{environments: []*Environment{c, b, a}, chosen: "b"}, "gone", c},
		{Snapshot{environments: []*Environment{a, b}, chosen: "b"}, "", b},
		{Snapshot{environments: []*Environment{b, a}, chosen: "b"}, "", b},
		{Snapshot{environments: []*Environment{a, b}}, "", a},
		{Snapshot{}, "", nil},
	} {
		if got := tt.snapshot.Environment(tt.name); got != tt.want {
			t.Errorf("%q of %+v is %+v", tt.name, tt.snapshot.environments, got)
		}
	}
}

func TestAFormIsCompletedByTheFirstChoiceOfEachKind(t *testing.T) {
	t.Parallel()
	s := served(t)
	for what, row := range map[string]struct{ form, want Form }{
		"nothing": {Form{}, Form{Environment: "dev", API: "shop", Path: "/open", Method: "GET"}},
		"what there is": {
			Form{Environment: "prod", API: "shop", Path: "/staff", Method: "delete", Values: []string{"1"}, Groups: []string{"A"}},
			Form{Environment: "prod", API: "shop", Path: "/staff", Method: "DELETE", Values: []string{}, Groups: []string{"A"}},
		},
		"what is gone": {
			Form{Environment: "old", API: "none", Path: "/none", Method: "TRACE", Values: []string{"1", "2"}, Groups: []string{"A"}},
			Form{Environment: "dev", API: "shop", Path: "/open", Method: "GET", Values: []string{}},
		},
	} {
		if diff := cmp.Diff(row.want, s.Begin(row.form)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", what, diff)
		}
	}
	if f := new(Snapshot).Begin(Form{Environment: "old", API: "a"}); f.Environment != "" {
		t.Errorf("without environments the form names %q", f.Environment)
	}
}

// Each form differs from the first in one field that a request has.
func TestFormsAreTheSameIfTheySendTheSame(t *testing.T) {
	t.Parallel()
	form := func(change func(*Form)) Form {
		f := Form{
			Environment: "dev", API: "shop", Path: "/books/{isbn}", Method: "GET", Values: []string{"1"}, Below: "/x", Query: "q", Headers: []string{"A: 1"},
			Body: "b", As: identitypool.Signer{User: "emma"},
		}
		change(&f)
		return f
	}
	first := form(func(*Form) {})
	for what, other := range map[string]Form{
		"environment": form(func(f *Form) { f.Environment = "x" }),
		"API":         form(func(f *Form) { f.API = "x" }),
		"path":        form(func(f *Form) { f.Path = "x" }),
		"method":      form(func(f *Form) { f.Method = "x" }),
		"values":      form(func(f *Form) { f.Values = []string{"x"} }),
		"below":       form(func(f *Form) { f.Below = "x" }),
		"query":       form(func(f *Form) { f.Query = "x" }),
		"headers":     form(func(f *Form) { f.Headers = []string{"A: 2"} }),
		"body":        form(func(f *Form) { f.Body = "x" }),
		"caller":      form(func(f *Form) { f.As = identitypool.Signer{Group: "emma"} }),
		"test":        form(func(f *Form) { f.Test = true }),
		"variables":   form(func(f *Form) { f.Variables = true }),
	} {
		if first.Same(other) || first.Equal(other) {
			t.Errorf("another %s is the same", what)
		}
	}
	for what, other := range map[string]Form{
		"as it is":        first,
		"an empty header": form(func(f *Form) { f.Headers = []string{"", "A: 1", ""} }),
		"what is known":   form(func(f *Form) { f.Groups, f.Missing, f.Cloud = []string{"A"}, true, true }),
		"a copy":          first.Copy(),
	} {
		if !first.Same(other) || !first.Equal(other) {
			t.Errorf("%s is another", what)
		}
	}
	f := form(func(f *Form) { f.Headers = []string{"", "A: 1"} })
	c := f.Copy()
	if c.Values[0] = "x"; f.Values[0] != "1" || !slices.Equal(c.Headers, []string{"A: 1"}) {
		t.Errorf("the copy is %+v of %+v", c, f)
	}
}

func TestWhatIsFilledInForAPathIsKeptForIt(t *testing.T) {
	t.Parallel()
	var forms Forms
	emma := identitypool.Signer{User: "emma"}
	began := Form{Environment: "dev", API: "shop", Path: "/a", Method: "DELETE", Query: "q", As: emma, Groups: []string{"A"}, Missing: true, Test: true}
	kept := forms.At(began)
	want := Form{Environment: "dev", API: "shop", Path: "/a", Method: "GET", As: emma, Groups: []string{"A"}, Missing: true, Test: true}
	if diff := cmp.Diff(want, kept.Form); diff != "" {
		t.Errorf("a new form (-want +got):\n%s", diff)
	}
	kept.Form.Body = "b"
	for _, other := range []Form{{Environment: "dev", API: "shop", Path: "/b"}, {Environment: "dev", API: "other", Path: "/a"}} {
		if forms.At(other) == kept {
			t.Errorf("%+v has the form of another path", other)
		}
	}
	if again := forms.At(Form{Environment: "dev", API: "shop", Path: "/a"}); again != kept || again.Form.As != emma {
		t.Errorf("the form of the path is lost: %+v", again.Form)
	}
	moved := forms.At(Form{Environment: "prod", API: "shop", Path: "/a", As: identitypool.Signer{Guest: true}, Groups: []string{"B"}, Query: "other"})
	want = Form{
		Environment: "prod", API: "shop", Path: "/a", Method: "GET", As: identitypool.Signer{Guest: true}, Groups: []string{"B"}, Test: true, Body: "b",
	}
	if diff := cmp.Diff(want, moved.Form); diff != "" {
		t.Errorf("in another environment (-want +got):\n%s", diff)
	}
}
