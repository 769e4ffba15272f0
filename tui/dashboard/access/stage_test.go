package access

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	editor "gatewright/flow/matrix"
	"gatewright/model"
	"gatewright/model/access"
	"gatewright/model/edit"
	"gatewright/tui/dashboard/board/boardtest"
)

// pool are the groups of the library.
var pool = []string{"Admins", "Editors"}

// edited is the edit of a path of the library: a group may read under it, and the groups are these.
func edited(b *model.Backend, path, group string, groups ...string) stagedPath {
	was := b.API("shop").Path(path).Access
	to := editor.Matrix{Path: path, Access: was, Groups: groups, Before: &was}
	if group != "" {
		to.Access = was.With(access.Principal{Kind: access.Group, Group: group}, access.ActionSet(access.Read))
	}
	to.Made = slices.DeleteFunc(slices.Clone(groups), func(group string) bool { return slices.Contains(pool, group) })
	return stagedPath{api: "shop", path: path, was: was, to: to}
}

// told is a stage in words.
func told(s stage) string {
	var paths []string
	for _, p := range s.paths {
		var groups []string
		for _, g := range p.to.Access.Grants {
			if g.To.Kind == access.Group {
				groups = append(groups, g.To.Group)
			}
		}
		paths = append(paths, p.path+" "+strings.Join(groups, "+"))
	}
	return fmt.Sprintf("%s: %s; groups %v, made %v", s.what(), strings.Join(paths, ", "), s.groups, s.made)
}

func TestAStageKeepsTheOtherPathsAndForgetsGroupsThatAreGone(t *testing.T) {
	t.Parallel()
	b := boardtest.Library(t, pool...)
	one := stage{}.with(edited(b, "/books", "New", "New", "Admins", "Editors"), pool)
	two := one.with(edited(b, "/books/{isbn}", "New", "New", "Admins", "Editors"), pool)
	again := two.with(edited(b, "/books", "Admins", "New", "Admins", "Editors"), pool)
	gone := two.with(edited(b, "/books", "Editors", pool...), pool)
	back := gone.with(edited(b, "/books", "", pool...), pool)
	ordered := stage{}.with(edited(b, "/books", "", "Editors", "Admins"), pool)
	for _, of := range []struct {
		name, got, want string
	}{
		{"one", told(one), "1 path and the groups: /books New; groups [New Admins Editors], made [New]"},
		{"two", told(two), "2 paths and the groups: /books New, /books/{isbn} Editors+Admins+New; groups [New Admins Editors], made [New]"},
		{"the first again", told(again), "2 paths and the groups: /books/{isbn} Editors+Admins+New, /books Admins; groups [New Admins Editors], made [New]"},
		{"the group gone", told(gone), "2 paths: /books/{isbn} Editors+Admins, /books Editors; groups [], made []"},
		{"the first as it was", told(back), "1 path: /books/{isbn} Editors+Admins; groups [], made []"},
		{"another order", told(ordered), "the groups: ; groups [Editors Admins], made []"},
	} {
		if of.got != of.want {
			t.Errorf("%s stages\n%s, want\n%s", of.name, of.got, of.want)
		}
	}
	if !(stage{}).empty() || ordered.empty() || back.empty() || !slices.Equal(ordered.order(pool), []string{"Editors", "Admins"}) || !slices.Equal(back.order(pool), pool) {
		t.Error("what is staged, or the order of the groups, is told wrongly")
	}
}

func TestAStageGivesTheProjectAllOrNothing(t *testing.T) {
	t.Parallel()
	guests := func(b *model.Backend, enabled bool) {
		b.Auth = &model.Auth{UnauthenticatedIdentitiesEnabled: &enabled}
	}
	b := boardtest.Library(t, pool...)
	open := edited(b, "/books/{isbn}", "New", "New", "Editors", "Admins")
	open.to.Access.Setting = access.Protected
	open.to.Access = open.to.Access.With(access.Principal{Kind: access.Guest}, access.ActionSet(access.Read))
	s := stage{}.with(edited(b, "/books", "Admins", pool...), pool).with(open, pool)
	guests(b, false)
	if err := s.apply(b); err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(b.Groups, " "); got != "New Editors Admins" || !b.Auth.GuestsEnabled() {
		t.Errorf("the groups are %s, and guests are served: %v", got, b.Auth.GuestsEnabled())
	}
	for path, want := range map[string]string{"/books": "Admins", "/books/{isbn}": "New"} {
		if !slices.ContainsFunc(b.API("shop").Path(path).Access.Grants, func(g access.Grant) bool { return g.To.Group == want }) {
			t.Errorf("%s has no entry for %s", path, want)
		}
	}
	for want, change := range map[string]func(b *model.Backend){
		"no longer exists": func(b *model.Backend) {
			if err := edit.RemovePath(b, "shop", "/books"); err != nil {
				t.Fatal(err)
			}
		},
	} {
		b := boardtest.Library(t, pool...)
		s := stage{}.with(edited(b, "/books", "Admins", pool...), pool)
		change(b)
		if err := s.apply(b); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("what does not fit is refused with %v, want %s", err, want)
		}
	}
	private := boardtest.Library(t, pool...)
	guests(private, false)
	if err := (stage{}).with(edited(private, "/books/{isbn}", "Admins", pool...), pool).apply(private); err != nil || private.Auth.GuestsEnabled() {
		t.Errorf("a private path gives guests an identity, %v", err)
	}
}

// TestAnEditIsToldByWhatItDidToWhatWaited has a second edit of a path, and one that takes it back.
func TestAnEditIsToldByWhatItDidToWhatWaited(t *testing.T) {
	t.Parallel()
	b := boardtest.Library(t, pool...)
	first := stage{}.with(edited(b, "/books", "Admins", pool...), pool)
	both := edited(b, "/books", "Admins", pool...)
	both.to.Access = both.to.Access.With(access.Principal{Kind: access.Group, Group: "Editors"}, access.ActionSet(access.Delete))
	second := first.with(both, pool)
	back := second.with(edited(b, "/books", "", pool...), pool)
	other := second.with(edited(b, "/books/{isbn}", "Admins", pool...), pool)
	for name, of := range map[string][2]string{
		"the first": {first.done, "members of Admins may no longer create under /books"}, "the second": {second.done, "members of Editors may delete under /books, members of Editors may no longer create, read under /books"}, "taken back": {back.done, "members of Admins may create under /books, members of Editors may create and read under /books, members of Editors may no longer delete under /books"}, "another path": {other.done, "members of Admins may read under /books/{isbn}, members of Admins may no longer delete under /books/{isbn}"},
	} {
		if of[0] != of[1] {
			t.Errorf("%s is told as %q, want %q", name, of[0], of[1])
		}
	}
}

// TestAnExampleOfAPathIsTheRequestThatDiffers has a row with an example of its own, and one that no
// request reaches.
func TestAnExampleOfAPathIsTheRequestThatDiffers(t *testing.T) {
	t.Parallel()
	b := boardtest.Library(t, pool...)
	path := b.API("shop").Path("/books/{isbn}")
	differs := func(path, raw string) access.Difference { return access.Difference{Path: path, Raw: raw} }
	for _, of := range []struct {
		changed []access.Difference
		want    string
	}{
		{nil, access.ExamplePath([]string{"/books/{isbn}"})},
		{[]access.Difference{differs("/books", "/books"), differs("/books/{isbn}", "/books/7/x"), differs("/books/{isbn}", "/books/8")}, "/books/7/x"},
		{[]access.Difference{differs("/books/{isbn}", "/news")}, access.ExamplePath([]string{"/books/{isbn}"})},
	} {
		r := &row{changed: of.changed}
		r.Path = path
		if got := exampleOf(b.Router("shop"), r); got != of.want {
			t.Errorf("of %v it is %q, want %q", of.changed, got, of.want)
		}
	}
	gone := &row{}
	gone.Path = &access.Path{Name: "/gone"}
	if got := exampleOf(b.Router("shop"), gone); got != "" {
		t.Errorf("of a path that is not served it is %q", got)
	}
}
