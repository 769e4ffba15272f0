package main

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gatewright/tools/release/licence"
)

const (
	mit  = "MIT License\n\nPermission is hereby granted, free of charge, to any person obtaining a copy\nof this software"
	bsd3 = "Redistribution and use in source and binary forms, with or without\nmodification.\n * Neither the name of"
)

func layFiles(t *testing.T, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	for name, body := range files {
		file := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(body), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func TestLicencesOfFoldersCountIfTheirPackagesAreInTheProgram(t *testing.T) {
	t.Parallel()
	root := layFiles(t, map[string]string{
		"LICENSE": mit + "\r\n", "NOTICE.txt": "made by A", "license.go": "package x",
		"in/LICENSE-bsd": bsd3, "in/deep/x.go": "package deep", "out/LICENSE": "Mozilla Public License 2.0",
	})
	m, err := licence.Read(licence.Module{Path: "example.com/m", Version: "v1.0.0"}, root, map[string]bool{filepath.Join(root, "in", "deep"): true})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(m.Names, []string{"MIT", "BSD-3-Clause"}) {
		t.Errorf("names %q", m.Names)
	}
	if want := []string{mit, "made by A", bsd3}; !slices.Equal(m.Texts, want) {
		t.Errorf("texts %q, want %q", m.Texts, want)
	}
}

func TestAModuleWithoutALicenceIsRefused(t *testing.T) {
	t.Parallel()
	for name, files := range map[string]map[string]string{
		"none":     {"README": "x"},
		"notice":   {"NOTICE": "made by A"},
		"empty":    {"LICENSE": " \n"},
		"only one": {"sub/LICENSE": mit},
	} {
		root := layFiles(t, files)
		_, err := licence.Read(licence.Module{Path: "example.com/m", Version: "v1.0.0"}, root, map[string]bool{filepath.Join(root, "sub"): name == "only one"})
		if name == "none" || name == "notice" || name == "empty" {
			_, err = licence.Read(licence.Module{Path: "example.com/m", Version: "v1.0.0"}, root, nil)
		}
		if !errors.Is(err, licence.ErrNone) || !strings.Contains(err.Error(), "example.com/m v1.0.0") {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

func TestLicencesAreRecognizedByTheirWords(t *testing.T) {
	t.Parallel()
	own, err := os.ReadFile("../../LICENSE")
	if err != nil {
		t.Fatal(err)
	}
	for want, text := range map[string]string{
		"Apache-2.0": string(own), "MIT": mit, "BSD-3-Clause": bsd3,
		"BSD-2-Clause": strings.ReplaceAll(bsd3, "Neither the name of", ""), "": "All rights reserved.",
	} {
		if got := strings.Join(licence.Recognize(text), " "); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestModulesWithOneTextShareIt(t *testing.T) {
	t.Parallel()
	doc := licence.Document([]licence.Module{
		{Path: "example.com/a", Version: "v1.0.0", Texts: []string{mit}, Names: []string{"MIT"}},
		{Path: "example.com/b", Version: "v1.0.0", Texts: []string{bsd3}, Names: []string{"BSD-3-Clause"}},
		{Path: "example.com/c", Version: "v1.0.0", Texts: []string{mit}, Names: []string{"MIT"}},
	})
	if strings.Count(doc, mit) != 1 || strings.Count(doc, bsd3) != 1 {
		t.Errorf("a text is there twice, or not at all:\n%s", doc)
	}
	if !strings.Contains(doc, "example.com/a v1.0.0 (MIT)\nexample.com/c v1.0.0 (MIT)\n"+strings.Repeat("=", 80)) {
		t.Errorf("the modules do not share the text:\n%s", doc)
	}
}

func TestTheModulesOfTheProgramHaveLicences(t *testing.T) {
	t.Chdir("../..")
	got, err := licence.Collect(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if got[0].Path != "stdlib" || !slices.Equal(got[0].Names, []string{"BSD-3-Clause"}) {
		t.Errorf("the first module is %+v, want that of Go", got[0])
	}
	at := slices.IndexFunc(got, func(m licence.Module) bool { return m.Path == "github.com/evanw/esbuild" })
	if at < 0 || !slices.Equal(got[at].Names, []string{"MIT"}) || !strings.Contains(got[at].Texts[0], "Evan Wallace") {
		t.Errorf("collected %+v", got)
	}
}
