package ignore

import "testing"

func TestRulesAreThoseOfGit(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		text, name string
		folder     bool
		want       bool
	}{
		{"*.log", "p/a.log", false, true},
		{"*.log", "p/d/a.log", false, true},
		{"/*.log", "p/d/a.log", false, false},
		{"*.log\n!a.log", "p/a.log", false, false},
		{"!a.log\n*.log", "p/a.log", false, true},
		{"d/", "p/d", true, true},
		{"d/", "p/d", false, false},
		{"d/", "p/x/d", true, true},
		{"a/d/", "p/x/a/d", true, false},
		{"a/**/b", "p/a/b", false, true},
		{"a/**/b", "p/a/x/y/b", false, true},
		{"a/**", "p/a", true, false},
		{"a/**", "p/a/x", false, true},
		{"**/b", "p/x/b", false, true},
		{"# x\n\\#x", "p/#x", false, true},
		{"\\!x", "p/!x", false, true},
		{"a ", "p/a", false, true},
		{"a\\ ", "p/a ", false, true},
		{"[!a]", "p/b", false, true},
		{"[!a]", "p/a", false, false},
		{"a?c", "p/abc", false, true},
		{"a*c", "p/ab/c", false, false},
		{"x", "q/x", false, false},
		{"\ufeffx", "p/x", false, true},
		{"x\r\n", "p/x", false, true},
	} {
		if got := Parse("p/.gatewrightignore", row.text).Find(row.name, row.folder) != nil; got != row.want {
			t.Errorf("%q of %q: %v", row.text, row.name, got)
		}
	}
}
