package session_test

import (
	"strings"
	"testing"

	"gatewright/flow/session"
	"gatewright/project"
)

func TestEditorsOpenALineIfTheyCanBeToldOne(t *testing.T) {
	for _, of := range []struct {
		editor string
		line   int
		want   string
	}{
		{"vim", 7, "vim +7 /p/a.json"},
		{"/usr/bin/nano -w", 7, "/usr/bin/nano -w +7 /p/a.json"},
		{"code --wait", 7, "code --wait --goto /p/a.json:7"},
		{"hx", 7, "hx /p/a.json:7"},
		{"kate -b", 3, "kate -b --line=3 /p/a.json"},
		{"my-editor -x", 7, "my-editor -x /p/a.json"},
		{"vim", 0, "vim /p/a.json"},
	} {
		s := &session.Session{Dir: "/p", Project: &project.Project{}, Editor: of.editor}
		if got := strings.Join(s.EditAt("/p/a.json", of.line).Args, " "); got != of.want {
			t.Errorf("%s opens line %d with %q, and not with %q", of.editor, of.line, got, of.want)
		}
	}
}
