package flow_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gatewright/flow/session"
	"gatewright/project"
)

func TestEditorsOpenALineIfTheyCanBeToldOne(t *testing.T) {
	t.Parallel()
	file, err := filepath.Abs("/p/a.json")
	if err != nil {
		t.Fatal(err)
	}
	for _, of := range []struct {
		editor string
		line   int
		want   string
	}{
		{"vim", 7, "vim +7 /p/a.json"},
		{"/usr/bin/nano -w", 7, "/usr/bin/nano -w +7 /p/a.json"},
		{"code --wait", 7, "code --wait --goto /p/a.json:7"},
		{"code.cmd", 7, "code.cmd --goto /p/a.json:7"},
		{"hx", 7, "hx /p/a.json:7"},
		{"kate -b", 3, "kate -b --line=3 /p/a.json"},
		{"my-editor -x", 7, "my-editor -x /p/a.json"},
		{"vim", 0, "vim /p/a.json"},
	} {
		s := &session.Session{Dir: "/p", Project: &project.Project{}, Editor: of.editor}
		if got := strings.Join(s.EditAt(file, of.line).Args, " "); got != strings.ReplaceAll(of.want, "/p/a.json", file) {
			t.Errorf("%s opens line %d with %q, and not with %q", of.editor, of.line, got, of.want)
		}
	}
}

func TestTheSettingOfAnEditorMayHaveSpacesInItsPath(t *testing.T) {
	t.Parallel()
	program := filepath.Join(t.TempDir(), "an editor.exe")
	if err := os.WriteFile(program, nil, 0o700); err != nil {
		t.Fatal(err)
	}
	for setting, want := range map[string][]string{
		program:                          {program, "a.json"},
		`"` + program + `"`:              {program, "a.json"},
		`"` + program + `" --wait "a b"`: {program, "--wait", "a b", "a.json"},
		"vim  -u NONE":                   {"vim", "-u", "NONE", "a.json"},
	} {
		s := &session.Session{Dir: t.TempDir(), Project: &project.Project{}, Editor: setting}
		got := s.EditAt("a.json", 0).Args
		got[len(got)-1] = filepath.Base(got[len(got)-1])
		if !slices.Equal(got, want) {
			t.Errorf("%s opens %q, want %q", setting, got, want)
		}
		if s.EditorName() != filepath.Base(want[0]) {
			t.Errorf("%s is named %s", setting, s.EditorName())
		}
	}
	for _, none := range []string{"", " ", `""`} {
		if s := (&session.Session{Editor: none}); s.EditorName() != "" {
			t.Errorf("%q is the editor %q", none, s.EditorName())
		}
	}
}
