package session

import (
	"slices"
	"testing"

	"gatewright/project"
)

func TestAnEditorOpensAFileAtALine(t *testing.T) {
	for editor, want := range map[string][]string{
		"vim":           {"vim", "+12", "/p/src/index.js"},
		"/usr/bin/nano": {"/usr/bin/nano", "+12", "/p/src/index.js"},
		"code --wait":   {"code", "--wait", "--goto", "/p/src/index.js:12"},
		"hx":            {"hx", "/p/src/index.js:12"},
		"my-own -x":     {"my-own", "-x", "/p/src/index.js"},
	} {
		s := &Session{Dir: "/p", Editor: editor, Project: &project.Project{}}
		if got := s.EditAt("src/index.js", 12).Args; !slices.Equal(got, want) {
			t.Errorf("%s runs %q, want %q", editor, got, want)
		}
		if got := s.EditAt("src/index.js", 0).Args; !slices.Equal(got, s.Edit("src/index.js").Args) {
			t.Errorf("without a line %s runs %q", editor, got)
		}
	}
}
