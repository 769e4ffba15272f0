package journal

import (
	"encoding/json"
	"io/fs"
	"strings"
	"testing"
)

const (
	hashA = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
	hashB = "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"
)

// A journal may come with a cloned project.
func TestHostileJournalsAreRefused(t *testing.T) {
	t.Parallel()
	good := entry{Path: "a", Old: hashA, New: hashB, Saved: "0.old", Staged: "0.new", Mode: 0o644}
	tests := map[string]func(*record){
		"another version":       func(r *record) { r.Version = 2 },
		"path upwards":          func(r *record) { r.Files[0].Path = "../a" },
		"absolute path":         func(r *record) { r.Files[0].Path = "/etc/passwd" },
		"hook":                  func(r *record) { r.Files[0].Path = ".git/hooks/pre-commit" },
		"path of the journal":   func(r *record) { r.Files[0].Path = ".gatewright/lock" },
		"staged elsewhere":      func(r *record) { r.Files[0].Staged = "../../a" },
		"saved elsewhere":       func(r *record) { r.Files[0].Saved = ".." },
		"staged without a hash": func(r *record) { r.Files[0].New = "" },
		"hash without a copy":   func(r *record) { r.Files[0].Saved = "" },
		"old as new":            func(r *record) { r.Files[0].New = r.Files[0].Old },
		"setuid":                func(r *record) { r.Files[0].Mode |= fs.ModeSetuid },
		"folder upwards":        func(r *record) { r.Folders = []string{".."} },
		"one file twice":        func(r *record) { r.Files = append(r.Files, r.Files[0]) },
	}
	for name, spoil := range tests {
		t.Run(name, func(t *testing.T) {
			rec := record{Version: 1, Files: []entry{good}}
			assertParses(t, rec, true)
			spoil(&rec)
			assertParses(t, rec, false)
		})
	}
}

func assertParses(t *testing.T, rec record, want bool) {
	t.Helper()
	data, err := json.Marshal(rec)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := parse(data); (err == nil) != want {
		t.Errorf("parse: %v", err)
	}
}

func FuzzJournalsNameOnlyFilesOfTheProject(f *testing.F) {
	f.Add([]byte(`{"version":1,"files":[{"path":"a/b","old":"` + hashA + `","saved":"0.old","mode":420}],"folders":["a"]}`))
	f.Add([]byte(`{"version":1,"undo":true,"files":[{"path":"a","new":"` + hashB + `","staged":"0.new","mode":493}]}`))
	f.Add([]byte(`{"version":1,"files":[{"path":"../a"}]}`))
	f.Add([]byte(`[`))
	f.Fuzz(func(t *testing.T, data []byte) {
		rec, err := parse(data)
		if err != nil {
			return
		}
		names := rec.Folders
		for _, file := range rec.Files {
			names = append(names, file.Path)
			if strings.Contains(file.Staged+file.Saved, "/") {
				t.Errorf("a copy outside of the journal: %+v", file)
			}
		}
		for _, name := range names {
			if !fs.ValidPath(name) || strings.HasPrefix(name, Folder+"/") || name == "." {
				t.Errorf("path %q", name)
			}
		}
	})
}
