package document

import (
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
)

// edit is a change of the paths of a cli-inputs file. Made both to the paths that the
// program knows and to those in the file, it gives the wanted file.
type edit struct {
	name    string
	own     []string // paths whose lines may change
	only    bool     // starts from a file with a single path
	loses   bool     // takes away what cannot be put rolled back
	rewrite func(paths tree) tree
}

func edits() []edit {
	remove := func(path string) func(tree) tree {
		return func(paths tree) tree { return paths.with(paths.at(path), 1) }
	}
	return []edit{
		{name: "change access", own: []string{"/b"}, rewrite: func(paths tree) tree {
			return paths.set("/b", closed(paths.get("/b").(tree)))
		}},
		{name: "change access back", own: []string{"/a"}, rewrite: func(paths tree) tree {
			return paths.set("/a", opened(paths.get("/a").(tree)))
		}, loses: true},
		{name: "insert first", own: []string{"/new"}, rewrite: func(paths tree) tree {
			return paths.with(paths.at("/a"), 0, newPath("/new"))
		}},
		{name: "insert in the middle", own: []string{"/new"}, rewrite: func(paths tree) tree {
			return paths.with(paths.at("/a")+1, 0, newPath("/new"))
		}},
		{name: "insert last", own: []string{"/new"}, rewrite: func(paths tree) tree {
			return paths.with(paths.at("/c")+1, 0, newPath("/new"))
		}},
		{name: "insert two", own: []string{"/new", "/more"}, rewrite: func(paths tree) tree {
			return paths.with(paths.at("/b")+1, 0, newPath("/new"), newPath("/more"))
		}},
		{name: "rename", own: []string{"/b", "/z"}, rewrite: func(paths tree) tree {
			return rename(paths, "/b", "/z")
		}},
		{name: "rename and change", own: []string{"/b", "/z"}, rewrite: func(paths tree) tree {
			paths = rename(paths, "/b", "/z")
			return paths.set("/z", closed(paths.get("/z").(tree)))
		}},
		{name: "rename all", own: []string{"/a", "/b", "/c", "/x", "/y", "/z"}, rewrite: func(paths tree) tree {
			return rename(rename(rename(paths, "/a", "/x"), "/b", "/y"), "/c", "/z")
		}},
		{name: "delete first", own: []string{"/a"}, rewrite: remove("/a"), loses: true},
		{name: "delete in the middle", own: []string{"/b"}, rewrite: remove("/b"), loses: true},
		{name: "delete last", own: []string{"/c"}, rewrite: remove("/c"), loses: true},
		{name: "delete the only one", own: []string{"/a"}, only: true, rewrite: remove("/a"), loses: true},
		{name: "insert beside the only one", own: []string{"/new"}, only: true, rewrite: func(paths tree) tree {
			return paths.with(paths.at("/a")+1, 0, newPath("/new"))
		}},
		{name: "several at once", own: []string{"/a", "/b", "/c", "/z", "/new"}, rewrite: func(paths tree) tree {
			paths = remove("/a")(rename(paths, "/b", "/z"))
			paths = paths.set("/c", closed(paths.get("/c").(tree)))
			return paths.with(paths.at("/c")+1, 0, newPath("/new"))
		}, loses: true},
	}
}

func newPath(key string) member {
	return member{key, tree{
		{"name", key},
		{"lambdaFunction", "fn"},
		{"permissions", tree{{"setting", "protected"}, {"auth", []any{"create", "read"}}, {"guest", []any{"read"}}}},
	}}
}

func rename(paths tree, old, key string) tree {
	i := paths.at(old)
	return paths.with(i, 1, member{key, paths[i].value.(tree).set("name", key)})
}

func closed(path tree) tree {
	permissions := path.get("permissions").(tree).set("setting", "private")
	at := permissions.at("setting") + 1
	return path.set("permissions", permissions.with(at, 0, member{"auth", []any{"read", "delete"}}))
}

func opened(path tree) tree {
	permissions := path.get("permissions").(tree).set("setting", "open")
	at := permissions.at("auth")
	return path.set("permissions", permissions.with(at, 2))
}

// samplePaths returns the paths that the program knows: /a and /c are restricted.
func samplePaths(e edit) tree {
	a := newPath("/a")
	if e.only {
		return tree{a}
	}
	b := member{"/b", tree{{"name", "/b"}, {"lambdaFunction", "b"}, {"permissions", tree{{"setting", "open"}}}}}
	c := member{"/c", tree{{"name", "/c"}, {"lambdaFunction", "c"}, {"permissions", tree{{"setting", "open"}, {"groups", tree{{"A", []any{"read"}}}}}}}}
	return tree{a, b, c}
}

// strange adds unknown keys to every object except the groups, at its start and its end.
func strange(value any) any {
	t, ok := value.(tree)
	if !ok {
		return value
	}
	out := tree{{"x-first", 1.5}}
	for _, m := range t {
		out = append(out, member{m.key, strange(m.value)})
	}
	return append(out, member{"x-last", tree{{"deep", []any{true, nil}}}})
}

func file(paths any) tree { return tree{{"version", 1}, {"paths", paths}} }

func TestEveryEditInEveryLayout(t *testing.T) {
	t.Parallel()
	rendering := layout{newline: "\n", unit: "  ", colon: ": "}
	for _, l := range layouts() {
		for _, e := range edits() {
			for _, foreign := range []bool{false, true} {
				name := l.name + "/" + e.name
				known := samplePaths(e)
				var disk any = file(known)
				if foreign {
					name += " among unknown keys"
					disk = strange(disk)
				}
				t.Run(name, func(t *testing.T) {
					wantTree := disk.(tree).set("paths", e.rewrite(disk.(tree).get("paths").(tree)))
					src, want := l.render(disk), l.render(wantTree)
					before, after := rendering.render(file(known)), rendering.render(file(e.rewrite(known)))
					got := mustChange(t, src, before, after)
					if diff := cmp.Diff(meaning(t, want), meaning(t, got)); diff != "" {
						t.Fatalf("meaning (-want +got):\n%s\n%s", diff, got)
					}
					checkOtherLines(t, src, got, e)
					if l.odd {
						return
					}
					if diff := cmp.Diff(want, got); diff != "" {
						t.Errorf("bytes (-want +got):\n%s", diff)
					}
					lastArrayGone := e.only && e.loses && (l.flatArrays || l.pad != "")
					if foreign && e.loses || lastArrayGone {
						return
					}
					if diff := cmp.Diff(src, mustChange(t, got, after, before)); diff != "" {
						t.Errorf("undone (-want +got):\n%s", diff)
					}
				})
			}
		}
	}
}

func TestAPartOfTheFileIsEnough(t *testing.T) {
	t.Parallel()
	rendering := layout{colon: ":", flatComma: ","}
	for _, l := range layouts() {
		for _, e := range edits() {
			t.Run(l.name+"/"+e.name, func(t *testing.T) {
				known := samplePaths(e)
				wanted := e.rewrite(known)
				src := l.render(strange(file(known)))
				whole := mustChange(t, src, rendering.render(file(known)), rendering.render(file(wanted)))
				keys := slices.Concat(near(known, e), near(wanted, e))
				before, after := tree{{"paths", known.only(keys)}}, tree{{"paths", wanted.only(keys)}}
				part := mustChange(t, src, rendering.render(before), rendering.render(after))
				if diff := cmp.Diff(whole, part); diff != "" {
					t.Errorf("(-whole +part):\n%s", diff)
				}
			})
		}
	}
}

// near returns the paths that an edit changes and their neighbours.
func near(paths tree, e edit) []string {
	var keys []string
	for i, m := range paths {
		around := paths[max(i-1, 0):min(i+2, len(paths))]
		if slices.ContainsFunc(around, func(n member) bool { return slices.Contains(e.own, n.key) }) {
			keys = append(keys, m.key)
		}
	}
	return keys
}

// checkOtherLines reports a line outside the edit's paths that changed, except by the
// comma at its end.
func checkOtherLines(t *testing.T, src, got string, e edit) {
	t.Helper()
	if !strings.Contains(strings.TrimSpace(src), "\n") {
		return
	}
	want, have := otherLines(t, src, e), otherLines(t, got, e)
	if diff := cmp.Diff(want, have); diff != "" {
		t.Errorf("other lines (-want +got):\n%s\n%s", diff, got)
	}
}

// otherLines returns the lines outside the edit's paths, without the commas at their
// ends. If the edit's path is the only one, the object around it counts as the path's.
func otherLines(t *testing.T, src string, e edit) []string {
	t.Helper()
	d := mustParse(t, src)
	own := map[int]bool{}
	line := func(offset int) int { return strings.Count(src[:offset], "\n") }
	mark := func(pointer string) {
		if n, ok := d.Find(pointer); ok {
			for i := line(n.Offset()); i <= line(n.Offset()+len(n.Raw())); i++ {
				own[i] = true
			}
		}
	}
	for _, path := range e.own {
		mark(string(jsontext.Pointer("/paths").AppendToken(path)))
	}
	if e.only {
		mark("/paths")
	}
	var others []string
	for i, text := range strings.Split(src, "\n") {
		if own[i] {
			continue
		}
		if head, comma, _ := cutLast(text, ","); strings.TrimSpace(comma) == "" {
			text = head + comma
		}
		others = append(others, text)
	}
	return others
}

func cutLast(text, sep string) (before, after string, found bool) {
	i := strings.LastIndex(text, sep)
	if i < 0 {
		return text, "", false
	}
	return text[:i], text[i+len(sep):], true
}
