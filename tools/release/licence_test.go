package main

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"flag"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gatewright/cli/licence"
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
	var c licence.Collection
	if err := add(&c, licence.Module{Path: "example.com/m", Version: "v1.0.0"}, root, map[string]bool{filepath.Join(root, "in", "deep"): true}); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(c.Modules[0].Licenses, []string{"MIT", "BSD-3-Clause"}) {
		t.Errorf("licences %q", c.Modules)
	}
	var texts []string
	for _, text := range c.Texts {
		texts = append(texts, text.Text)
	}
	if want := []string{mit, "made by A", bsd3}; !slices.Equal(texts, want) {
		t.Errorf("texts %q, want %q", texts, want)
	}
}

func TestAModuleWithoutALicenceIsRefused(t *testing.T) {
	t.Parallel()
	for name, files := range map[string]map[string]string{
		"none":     {"README": "x"},
		"notice":   {"NOTICE": "made by A"},
		"empty":    {"LICENSE": " \n"},
		"unknown":  {"LICENSE": "All rights reserved."},
		"only one": {"sub/LICENSE": mit},
	} {
		root := layFiles(t, files)
		err := add(&licence.Collection{}, licence.Module{Path: "example.com/m", Version: "v1.0.0"}, root, map[string]bool{filepath.Join(root, "sub"): name == "only one"})
		if name != "only one" {
			err = add(&licence.Collection{}, licence.Module{Path: "example.com/m", Version: "v1.0.0"}, root, nil)
		}
		if !errors.Is(err, errNone) || !strings.Contains(err.Error(), "example.com/m v1.0.0") {
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
		if got := strings.Join(recognize(text), " "); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestModulesWithOneTextShareIt(t *testing.T) {
	t.Parallel()
	var c licence.Collection
	for name, text := range map[string]string{"example.com/a": mit, "example.com/b": bsd3, "example.com/c": mit} {
		root := layFiles(t, map[string]string{"LICENSE": text})
		if err := add(&c, licence.Module{Path: name, Version: "v1.0.0"}, root, nil); err != nil {
			t.Fatal(err)
		}
	}
	slices.SortFunc(c.Modules, func(a, b licence.Module) int { return strings.Compare(a.Path, b.Path) })
	doc := c.Document()
	if strings.Count(doc, mit) != 1 || strings.Count(doc, bsd3) != 1 {
		t.Errorf("a text is there twice, or not at all:\n%s", doc)
	}
	rule := strings.Repeat("=", 80) + "\n"
	if !strings.Contains(doc, rule+"example.com/a v1.0.0\nexample.com/c v1.0.0\n"+rule) {
		t.Errorf("the modules do not share the text:\n%s", doc)
	}
}

var update = flag.Bool("update", false, "write the licences that are in the program")

// TestTheProgramHasTheLicencesOfItsModules reads them where go build reads the modules.
func TestTheProgramHasTheLicencesOfItsModules(t *testing.T) {
	t.Chdir("../..")
	const file = "cli/licence/licences.json.gz"
	collected, err := collect(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	want, err := json.Marshal(collected)
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		var b bytes.Buffer
		w, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
		if err == nil {
			_, err = w.Write(want)
		}
		if err := errors.Join(err, w.Close(), os.WriteFile(file, b.Bytes(), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	r, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	got, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s differs from the licences of the modules in go.mod; write it with: go test ./tools/release -run HasTheLicences -update", file)
	}
}
