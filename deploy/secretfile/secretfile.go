// Package secretfile has the values of an environment's secrets on this machine: the file that a
// sandbox runs functions with, and from which a push sends them.
package secretfile

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"runtime"
	"slices"

	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/project"
)

// Name returns the file with the values of an environment's secrets for local runs, relative to the project: a JSON
// object of names and strings, which only its owner should be able to read.
func Name(environment string) string {
	return path.Join(project.StateFolder, "secrets", environment+".json")
}

// Secrets are the values of an environment's secrets on this machine.
type Secrets struct {
	File   string
	Values map[string]string
	// Problem is why the file cannot be read; exposed means that other users can read it.
	Problem string
	exposed bool
}

// mostSecrets is the largest allowed size of the file, in bytes.
const mostSecrets = 1 << 20

// Read reads the file of an environment, which may be missing. No part of its content is in a problem.
func Read(root, environment string) Secrets {
	s := Secrets{File: Name(environment)}
	folder, err := os.OpenRoot(root)
	if err != nil {
		s.Problem = "cannot be read"
		return s
	}
	defer func() { _ = folder.Close() }()
	// A pipe would wait for somebody who writes.
	if info, err := folder.Stat(s.File); err == nil && !info.Mode().IsRegular() {
		s.Problem = "is not a regular file"
		return s
	}
	f, err := folder.Open(s.File)
	if errors.Is(err, fs.ErrNotExist) {
		return s
	}
	if err != nil {
		s.Problem = "cannot be opened"
		return s
	}
	defer func() { _ = f.Close() }()
	const others = 0o077
	if info, err := f.Stat(); err == nil {
		s.exposed = runtime.GOOS != "windows" && info.Mode().Perm()&others != 0
	}
	text, err := io.ReadAll(io.LimitReader(f, mostSecrets+1))
	switch {
	case err != nil:
		s.Problem = "cannot be read"
	case len(text) > mostSecrets:
		s.Problem = "is too large"
	case json.Unmarshal(text, &s.Values) != nil:
		s.Problem, s.Values = "is not a JSON object of strings", nil
	}
	return s
}

// Missing returns the warnings about the secrets of a function.
func (s Secrets) Missing(f *model.Function) []string {
	if len(f.Secrets) == 0 {
		return nil
	}
	file := phrase.QuotePath(s.File)
	var warnings []string
	if s.Problem != "" {
		warnings = append(warnings, fmt.Sprintf("its secrets: %s %s; write it as {\"NAME\": \"value\"}", file, s.Problem))
	}
	if s.exposed {
		warnings = append(warnings, fmt.Sprintf("its secrets: %s can be read by others; run: chmod 600 %s", file, file))
	}
	for _, name := range f.Secrets {
		if _, known := s.Values[name]; !known && s.Problem == "" {
			warnings = append(warnings,
				fmt.Sprintf("runs without its secret %s; write it into %s as {\"%s\": \"value\"}", phrase.Quote(name), file, name))
		}
	}
	return warnings
}

// Known returns the names of an environment's secrets that have a value on this
// machine, and why they cannot be read ("" if they can). It returns no value.
func Known(root, environment string) (names []string, problem string) {
	s := Read(root, environment)
	if s.Problem != "" {
		return nil, phrase.QuotePath(s.File) + " " + s.Problem
	}
	return slices.Sorted(maps.Keys(s.Values)), ""
}

// Write writes the file with the values of an environment's secrets into the folder of a project that has none.
func Write(root, environment string, text []byte) error {
	folder, err := os.OpenRoot(root)
	if err != nil {
		return err
	}
	defer func() { _ = folder.Close() }()
	name := Name(environment)
	const onlyOwner = 0o700
	if err = folder.MkdirAll(path.Dir(name), onlyOwner); err == nil {
		var f *os.File
		if f, err = folder.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600); err == nil {
			_, err = f.Write(text)
			err = errors.Join(err, f.Close())
		}
	}
	if err != nil {
		return fmt.Errorf("writing the secrets of environment %s: %w", phrase.Quote(environment), err)
	}
	return nil
}
