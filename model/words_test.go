package model_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/model/access"
	"gatewright/model/check"
)

func TestFunctionsAreSuggestedForAPath(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("a", 40)
	for path, want := range map[string][]string{
		"/":                           {"root", "root"},
		"/items":                      {"items", "items"},
		"/items/{id}":                 {"items", "items-id"},
		"/book/{isbn}/authors":        {"authors", "book-isbn-authors"},
		"/{id}":                       {"root", "id"},
		"/v1.2/a_b":                   {"a-b", "v1-2-a-b"},
		"/" + long + "/" + long:       {long, long + "-" + long[:19]},
		"/" + long + long[:19] + "/x": {"x", long + long[:19]},
	} {
		got := model.SuggestFunctions(path)
		if !slices.Equal(got, want) {
			t.Errorf("for %s: %q, want %q", path, got, want)
		}
		for _, name := range got {
			if err := model.CheckName(model.KindFunction, name); err != nil {
				t.Errorf("for %s: %v", path, err)
			}
		}
	}
}

func TestAFreeNameIsTheFirstThatIsNotTaken(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		names, taken []string
		want         string
	}{
		{[]string{"a", "b"}, nil, "a"},
		{[]string{"a", "b"}, []string{"A"}, "b"},
		{[]string{"a", "b"}, []string{"a", "b"}, "b-2"},
		{[]string{"a", "b"}, []string{"a", "b", "B-2", "b-3", "b-5"}, "b-4"},
	} {
		if got := model.FreeName(tt.names, model.Among(tt.taken)); got != tt.want {
			t.Errorf("of %q without %q it is %s, want %s", tt.names, tt.taken, got, tt.want)
		}
	}
}

func TestAListIsReadWithoutSpacesAndEmptyElements(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][]string{"": nil, " , ": nil, "a": {"a"}, " a ,b b,,c,": {"a", "b b", "c"}} {
		if got := model.SplitList(text); !slices.Equal(got, want) {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
}

func TestTheNameOfAPartOfAQueryIsDecoded(t *testing.T) {
	t.Parallel()
	for part, want := range map[string]string{"": "", "a": "a", "a=b=c": "a", "a%3Db+c=d": "a=b c", "%zz=1": "%zz", "=x": ""} {
		if got := model.QueryName(part); got != want {
			t.Errorf("the name of %q is %q, want %q", part, got, want)
		}
	}
}

func TestEachTemplateHasItsNameAndItsTypeScript(t *testing.T) {
	t.Parallel()
	want := []string{
		"plain: Plain handler function, plain-typescript, [nodejs python go]",
		"express: Serverless ExpressJS function, express-typescript, [nodejs]",
		"crud: CRUD function for DynamoDB-style key-value table, , [nodejs]",
		"express-typescript: Serverless ExpressJS function in TypeScript, , [nodejs]",
		"plain-typescript: Plain handler function in TypeScript, , [nodejs]",
		"other: other, , [nodejs]",
	}
	var got []string
	for _, template := range append(slices.Clone(model.Templates), "other") {
		var runs []model.Runtime
		for _, runtime := range model.Languages {
			if template.Runs(runtime) {
				runs = append(runs, runtime)
			}
		}
		got = append(got, fmt.Sprintf("%s: %s, %s, %v", template, template.Title(), template.InTypeScript(), runs))
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	for runtime, want := range map[model.Runtime]string{model.NodeJS: "index.handler", model.Python: "index.handler", model.Go: "bootstrap"} {
		if got := runtime.Handler(); got != want {
			t.Errorf("the handler of %s is %s", runtime, got)
		}
	}
}

func TestWhatAnEnvironmentLacksIsSaidWithTheCommandThatListsIt(t *testing.T) {
	t.Parallel()
	all, some, none := &model.Environment{Name: "dev"}, &model.Environment{Name: "my env", APIs: []string{"b", "a"}}, &model.Environment{Name: "x", APIs: []string{}}
	for e, want := range map[*model.Environment]string{
		all: "", some: "", none: "environment x: has no API a; see its APIs with: gatewright env show x",
	} {
		if err := e.CheckHas("a"); (err == nil) != (want == "") || err != nil && err.Error() != want {
			t.Errorf("%s: %v, want %s", e.Name, err, want)
		}
	}
	if err := some.CheckHas("c\x1b"); err == nil || err.Error() != `environment "my env": has no API "c\x1b"; see its APIs with: gatewright env show "my env"` {
		t.Error(err)
	}
}

func TestATableIsDeployedUnderTheNameOfItsEnvironment(t *testing.T) {
	t.Parallel()
	plain, taken := &model.Table{Name: "items"}, &model.Table{Name: "items", DeployedAs: "old", SortKey: model.Key{Name: "at"}}
	if plain.DeployedName("dev") != "items-dev" || taken.DeployedName("dev") != "old-dev" || plain.HasSortKey() || !taken.HasSortKey() {
		t.Errorf("%s and %s", plain.DeployedName("dev"), taken.DeployedName("dev"))
	}
	if got := model.PoolRegion("eu-west-1_AbC"); got != "eu-west-1" {
		t.Errorf("the region of a pool is %s", got)
	}
}

func TestThePlacesOfAnAccessAreEscaped(t *testing.T) {
	t.Parallel()
	for want, got := range map[string]string{
		"/paths/~1a~1{b}/permissions/guest":    check.EntryPointer("/a/{b}", access.Principal{Kind: access.Guest}),
		"/paths/~1/permissions/auth":           check.EntryPointer("/", access.Principal{Kind: access.Authenticated}),
		"/paths/~1/permissions/groups/a~1b~0c": check.EntryPointer("/", access.Principal{Kind: access.Group, Group: "a/b~c"}),
		"/paths/~1items/permissions/setting":   check.SettingPointer("/items"),
	} {
		if got != want {
			t.Errorf("it is %s, want %s", got, want)
		}
	}
}

func TestAProblemIsOneLine(t *testing.T) {
	t.Parallel()
	for want, p := range map[string]*model.Problem{
		"path /a b of the API shop: is wrong; mend it": {Of: model.Ref{Kind: model.KindPath, API: "shop", Name: "/a b"}, Field: "path", Text: "is wrong", Fix: "mend it"},
		"timeout: is wrong":                            {Field: "timeout", Text: "is wrong"},
		"is wrong":                                     {Text: "is wrong"},
		"auth: is wrong":                               {Of: model.Ref{Kind: model.KindAuth}, Text: "is wrong"},
		"API x: is wrong":                              {Of: model.Ref{Kind: model.KindAPI, Name: "x"}, Text: "is wrong"},
		"path /x: is wrong":                            {Of: model.Ref{Kind: model.KindPath, Name: "/x"}, Text: "is wrong"},
	} {
		if got := strings.ReplaceAll(p.Error(), `"/a b"`, "/a b"); got != want {
			t.Errorf("it is %s, want %s", got, want)
		}
	}
	if !errors.Is(&model.Problem{Cause: model.ErrInUse}, model.ErrInUse) || errors.Is(&model.Problem{}, model.ErrInUse) {
		t.Error("the cause is not found")
	}
	if got := fmt.Sprint(model.Error, model.Warning, model.Note, model.Level(9)); got != "error warning note error" {
		t.Errorf("the levels are %s", got)
	}
}

func TestListsAreCutAndCounted(t *testing.T) {
	t.Parallel()
	names := strings.Fields("a b c d e f g h i")
	for n, want := range []string{"", "a", "a, b", "a, b, c", "a, b, c, d", "a, b, c, d, e", "a, b, c, d, e, f", "a, b, c, d, e, f, g", "a, b, c, d, e, f and 2 more", "a, b, c, d, e, f and 3 more"} {
		if got := phrase.List(names[:n]); got != want {
			t.Errorf("%d are %q, want %q", n, got, want)
		}
	}
	for n, want := range []string{"", "a", "a or b", "a, b or c"} {
		if got := phrase.Either(names[:n]); got != want {
			t.Errorf("one of %d is %q, want %q", n, got, want)
		}
	}
	for n, want := range []string{"", "a", "a and b", "a, b and c"} {
		if got := phrase.Enumerated(names[:n]); got != want {
			t.Errorf("%d are %q, want %q", n, got, want)
		}
	}
	if got := phrase.QuoteList([]string{"a", "b c"}); got != `a, "b c"` {
		t.Errorf("quoted: %s", got)
	}
	if got := phrase.Count(0, "path") + phrase.Count(1, "path") + phrase.Count(2, "path"); got != "0 paths1 path2 paths" {
		t.Errorf("counted: %s", got)
	}
}

func TestARuleIsSummedUpForItsPaths(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		api       string
		paths     []string
		text, fix string
	}{
		{"shop", []string{"/a"}, "1 path of the API shop is open to everybody in the world: /a", "restrict them, or leave them if that is meant"},
		{"", []string{"/a", "/b c", "/c"}, `3 paths are open to everybody in the world: /a, "/b c" and /c`, "restrict them, or leave them if that is meant"},
		{"x y", []string{"/a", "/b", "/c", "/d"}, `4 paths of the API "x y" are open to everybody in the world, such as /a, /b and /c`, "restrict them, or leave them if that is meant"},
		{"shop", nil, "", ""},
	} {
		if text, fix := access.RuleSentence(access.RuleOpen, tt.api, tt.paths); text != tt.text || fix != tt.fix {
			t.Errorf("%q, %q\nwant %q, %q", text, fix, tt.text, tt.fix)
		}
	}
	if text, fix := access.RuleSentence("unknown", "shop", []string{"/a"}); text+fix != "" {
		t.Errorf("an unknown rule says %q, %q", text, fix)
	}
}
