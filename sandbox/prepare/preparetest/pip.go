package preparetest

import (
	"archive/zip"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// PipRan is the file in which the stand-in for pip keeps how it was run, besides what it installed.
const PipRan = ".pip-ran"

// standForPip does what these tests need of Python with pip, in its words: it installs wheels of a
// folder.
func standForPip(arguments []string) int {
	switch {
	case len(arguments) == 1 && arguments[0] == "--version":
		fmt.Println("Python 3.13.0")
		return 0
	case len(arguments) < 5 || arguments[0] != "-c" || arguments[4] != "install":
		fmt.Fprintf(os.Stderr, "the stand-in cannot do %q\n", arguments)
		return 2
	}
	var list []string
	if at := slices.Index(arguments, "--requirement"); at > 0 {
		list = linesOf(arguments[at+1])
	}
	links := "."
	for _, line := range list {
		if folder, ok := strings.CutPrefix(line, "--find-links "); ok {
			links = folder
		}
	}
	target := arguments[slices.Index(arguments, "--target")+1]
	for _, line := range list {
		if strings.HasPrefix(line, "-") {
			continue
		}
		name, version, _ := strings.Cut(line, "==")
		wheels, _ := filepath.Glob(filepath.Join(links, name+"-"+version+"*.whl"))
		if len(wheels) == 0 {
			fmt.Fprintf(os.Stderr,
				"ERROR: Could not find a version that satisfies the requirement %s (from versions: none)\n", line)
			fmt.Fprintf(os.Stderr, "ERROR: No matching distribution found for %s\n", line)
			return 1
		}
		if err := unzip(wheels[0], target); err != nil {
			fmt.Fprintln(os.Stderr, "ERROR:", err)
			return 1
		}
	}
	if err := os.WriteFile(filepath.Join(target, PipRan), []byte(strings.Join(arguments[2:], " ")), 0o600); err != nil {
		fmt.Fprintln(os.Stderr, "ERROR:", err)
		return 1
	}
	return 0
}

// linesOf returns the lines of a list of requirements and of those that it includes.
func linesOf(file string) (lines []string) {
	text, _ := os.ReadFile(file)
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		if more, ok := strings.CutPrefix(line, "-r "); ok {
			lines = append(lines, linesOf(more)...)
		} else if line != "" && !strings.HasPrefix(line, "#") {
			lines = append(lines, line)
		}
	}
	return lines
}

func unzip(archive, folder string) error {
	opened, err := zip.OpenReader(archive)
	if err != nil {
		return err
	}
	defer func() { _ = opened.Close() }()
	for _, file := range opened.File {
		from, err := file.Open()
		if err != nil {
			return err
		}
		text, err := io.ReadAll(from)
		name := filepath.Join(folder, filepath.FromSlash(file.Name))
		if err = errors.Join(err, from.Close(), os.MkdirAll(filepath.Dir(name), 0o755),
			os.WriteFile(name, text, 0o644)); err != nil {
			return err
		}
	}
	return nil
}
