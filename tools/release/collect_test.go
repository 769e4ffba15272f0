package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"gatewright/cli/licence"
)

// collect reads, for cli/licence, the licences of the program, those of Go, and then those of the modules that have
// code in the program on any system and processor of a release. It runs in the folder of the program.
func collect(ctx context.Context) (c licence.Collection, err error) {
	goRoot, err := run(ctx, nil, "env", "GOROOT")
	if err != nil {
		return c, err
	}
	roots, packages := map[string]licence.Module{}, map[string]bool{}
	for _, system := range []string{"darwin", "linux", "windows"} {
		for _, arch := range []string{"amd64", "arm64"} {
			out, err := run(ctx, []string{"CGO_ENABLED=0", "GOOS=" + system, "GOARCH=" + arch}, "list", "-deps", "-f",
				"{{with .Module}}{{if not .Main}}{{.Path}}\t{{.Version}}\t{{.Dir}}\t{{$.Dir}}{{end}}{{end}}", ".")
			if err != nil {
				return c, err
			}
			for line := range strings.Lines(out) {
				if f := strings.Split(strings.TrimRight(line, "\r\n"), "\t"); len(f) == 4 {
					roots[f[2]], packages[f[3]] = licence.Module{Path: f[0], Version: f[1]}, true
				}
			}
		}
	}
	order := slices.SortedFunc(maps.Keys(roots), func(a, b string) int {
		return strings.Compare(roots[a].Path, roots[b].Path)
	})
	// The program knows the versions of itself and of Go.
	goRoot = strings.TrimSpace(goRoot)
	roots["."], roots[goRoot] = licence.Module{Path: "gatewright"}, licence.Module{Path: "stdlib"}
	for _, root := range append([]string{".", goRoot}, order...) {
		if err := add(&c, roots[root], root, packages); err != nil {
			return c, err
		}
	}
	return c, nil
}

// run runs the go command with more in its environment.
func run(ctx context.Context, environment []string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Env = append(os.Environ(), environment...)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("go %s: %w", args[0], err)
	}
	return string(out), nil
}

var (
	fileName = regexp.MustCompile(`(?i)^(licen[cs]e|copying|unlicense|notice|patents)([-._].*)?$`)
	codeName = regexp.MustCompile(`(?i)\.(go|s|c|h|js|py)$`)
	// errNone is the error about a module without a licence.
	errNone = errors.New("has no file with a licence that is known, so it cannot be given away: ask its authors, or do " +
		"without it")
)

// add adds a module with what the licence files of its folder say, and those of the folders between
// it and its packages: a folder below a module may have a licence of its own.
func add(c *licence.Collection, module licence.Module, root string, packages map[string]bool) error {
	folders := map[string]bool{root: true}
	for dir := range packages {
		for strings.HasPrefix(dir, root+string(filepath.Separator)) {
			folders[dir] = true
			dir = filepath.Dir(dir)
		}
	}
	licensed := false
	for _, dir := range slices.Sorted(maps.Keys(folders)) {
		entries, err := os.ReadDir(dir)
		if err != nil {
			return err
		}
		for _, e := range entries {
			if !e.Type().IsRegular() || !fileName.MatchString(e.Name()) || codeName.MatchString(e.Name()) {
				continue
			}
			body, err := os.ReadFile(filepath.Join(dir, e.Name()))
			if err != nil {
				return err
			}
			addText(c, module.Path, tidy(body))
			name := strings.ToLower(e.Name())
			if strings.HasPrefix(name, "notice") || strings.HasPrefix(name, "patents") {
				continue
			}
			for _, id := range recognize(string(body)) {
				licensed = licensed || dir == root
				if !slices.Contains(module.Licenses, id) {
					module.Licenses = append(module.Licenses, id)
				}
			}
		}
	}
	if !licensed {
		return fmt.Errorf("module %s %s %w", module.Path, module.Version, errNone)
	}
	c.Modules = append(c.Modules, module)
	return nil
}

// addText adds a text of a module. Modules with the same text share it.
func addText(c *licence.Collection, of, text string) {
	at := slices.IndexFunc(c.Texts, func(t licence.Text) bool { return t.Text == text })
	switch {
	case text == "":
	case at < 0:
		c.Texts = append(c.Texts, licence.Text{Of: []string{of}, Text: text})
	case !slices.Contains(c.Texts[at].Of, of):
		c.Texts[at].Of = append(c.Texts[at].Of, of)
	}
}

func tidy(body []byte) string {
	var lines []string
	for line := range strings.Lines(strings.ToValidUTF8(string(bytes.ReplaceAll(body, []byte("\r\n"), []byte("\n"))),
		"?")) {
		lines = append(lines, strings.TrimRight(line, " \t\n"))
	}
	return strings.Trim(strings.Join(lines, "\n"), "\n")
}

// signs are words of each licence that no other one has; all of them must be there.
var signs = []struct {
	name  string
	words []string
	not   string
}{
	{"Apache-2.0", []string{"apache license", "version 2.0"}, ""},
	{"MIT", []string{"permission is hereby granted, free of charge, to any person obtaining a copy"}, ""},
	{"BSD-3-Clause", []string{"redistribution and use in source and binary forms", "neither the name of"}, ""},
	{"BSD-2-Clause", []string{"redistribution and use in source and binary forms"}, "neither the name of"},
	{"ISC", []string{"permission to use, copy, modify, and/or distribute this software for any purpose with " +
		"or without fee"}, ""},
	{"MPL-2.0", []string{"mozilla public license", "2.0"}, ""},
	{"Unlicense", []string{"this is free and unencumbered software released into the public domain"}, ""},
}

// recognize names the licences in a text by their SPDX identifiers. A text that it does not
// know gets none.
func recognize(text string) []string {
	words := strings.ToLower(strings.Join(strings.Fields(text), " "))
	var names []string
	for _, s := range signs {
		found := s.not == "" || !strings.Contains(words, s.not)
		for _, w := range s.words {
			found = found && strings.Contains(words, w)
		}
		if found {
			names = append(names, s.name)
		}
	}
	return names
}
