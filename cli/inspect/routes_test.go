package inspect

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gatewright/cli/command"
	"gatewright/model/access"
)

// printed is what printing gives without a terminal.
func printed(t *testing.T, do func(command.Streams) error) string {
	t.Helper()
	var out bytes.Buffer
	if err := do(command.Streams{Out: &out}); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestRoutesAreInTheOrderInWhichTheyAreMatched(t *testing.T) {
	t.Parallel()
	path := func(name, function string) *access.Path {
		return &access.Path{Name: name, Function: function, Access: access.Access{Setting: access.Open}}
	}
	shop := &access.API{Label: "shop", Paths: []*access.Path{
		path("/{any}", "f"), path("/books/{isbn}", "books"), path("/", "root"), path("/books", "f"), path("/books/new", "f"), path("/a b", "f"),
	}}
	got := printed(t, func(s command.Streams) error {
		return printRoutes(access.Gate{}, []*access.API{shop, {Label: "empty one"}, {Label: "rest", Paths: []*access.Path{path(access.ProxyPath, "rest"), path("/", "root")}}}, map[string]string{"shop": "https://a.example/dev"}, "none\n", s)
	})
	const want = `API shop at https://a.example/dev
  Resource                Methods       Function  Access
  /                       ANY, OPTIONS  root      open to everybody
  /a b                    ANY, OPTIONS  f         open to everybody
  /a b/{proxy+}           ANY, OPTIONS  f         open to everybody
  /books                  ANY, OPTIONS  f         open to everybody
  /books/new              ANY, OPTIONS  f         open to everybody
  /books/new/{proxy+}     ANY, OPTIONS  f         open to everybody
  /books/{isbn}           ANY, OPTIONS  books     open to everybody
  /books/{isbn}/{proxy+}  ANY, OPTIONS  books     open to everybody
  /{any}                  ANY, OPTIONS  f         open to everybody
  /{any}/{proxy+}         ANY, OPTIONS  f         open to everybody
  /{proxy+} is never reached: /{any} serves everything below /, such as /1 and /object/1
  /books/{proxy+} is never reached: /books/{isbn} serves everything below /books, such as /books/1 and /books/object/1
  /books goes to /books and not to /{any}
  /books/new and /books/new/1 go to /books/new and not to /books/{isbn}
  "/a b" and "/a b/1" go to "/a b" and not to /{any}

API "empty one"
  Resource  Methods  Function  Access

API rest
  Resource   Methods       Function  Access
  /          ANY, OPTIONS  root      open to everybody
  /{proxy+}  ANY, OPTIONS  root      open to everybody
  /{proxy+} is never reached: /{proxy+} of the path / matches the same requests
`
	if diff := cmp.Diff(strings.Split(want, "\n"), strings.Split(got, "\n")); diff != "" {
		t.Errorf("(-want +got)\n%s\n%s", diff, got)
	}
	if got := printed(t, func(s command.Streams) error { return printRoutes(access.Gate{}, nil, nil, "none\n", s) }); got != "none\n" {
		t.Errorf("without an API it prints %q", got)
	}
}

func TestManyRemarksAndLossesAreCountedFromALimitOn(t *testing.T) {
	t.Parallel()
	for n, left := range map[int]int{command.MostLines: 0, command.MostLines + 1: 0, command.MostLines + 2: 2, command.MostLines + 9: 9} {
		api := &access.API{Label: "shop", Paths: []*access.Path{{Name: "/{a}"}}}
		var losses []lossText
		for i := range n {
			api.Paths = append(api.Paths, &access.Path{Name: fmt.Sprintf("/b%d", i)})
			losses = append(losses, lossText{"members lose", []string{fmt.Sprintf("/b%d", i)}})
		}
		routes := printed(t, func(s command.Streams) error { return printRoutes(access.Gate{}, []*access.API{api}, nil, "", s) })
		var lost strings.Builder
		printLosses(&lost, losses, 0)
		for text, one := range map[string]string{routes: " go to /b", lost.String(): "members lose\n"} {
			if shown := strings.Count(text, one); shown != n-left || (left > 0) != strings.Contains(text, fmt.Sprintf("  and %d more\n", left)) {
				t.Errorf("of %d, %d are shown in\n%s", n, shown, text)
			}
		}
	}
	var b strings.Builder
	printLosses(&b, []lossText{{"x", []string{"/a", "/b c", "/d"}}, {"y", []string{"/a", "/b", "/c", "/d"}}, {"z", []string{"/a", "/b", "/c", "/d", "/e"}}}, 0)
	if got, want := b.String(), "  under /a, \"/b c\", /d x\n  under /a, /b, /c and 1 other path y\n  under /a, /b, /c and 2 other paths z\n"; got != want {
		t.Errorf("the losses are\n%s\nwant\n%s", got, want)
	}
}
