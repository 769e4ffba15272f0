package prepare

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"gatewright/internal/file"
	"gatewright/internal/file/fingerprint"
	"gatewright/internal/text/lazyregexp"
)

// pythonList is what lists packages of Python.
type pythonList struct {
	// name is the file in messages, and path where it is: "" for the package of that name.
	name, path string
	// texts are the lists that pip itself reads, and stamp is the fingerprint of all files.
	texts [][]byte
	stamp string
}

const requirementsFile = "requirements.txt"

// readPythonList returns what lists the packages of a function: requirements.txt in its source, else
// uv.lock, poetry.lock or pyproject.toml there or in its folder, else Pipfile.lock or Pipfile in its
// folder, which the Amplify CLI makes; nil if nothing does. The error is a *prepareError.
func readPythonList(folder, source string) (*pythonList, error) {
	paths := []string{filepath.Join(source, requirementsFile)}
	for _, at := range slices.Compact([]string{source, folder}) {
		for _, name := range []string{"uv.lock", "poetry.lock", "pyproject.toml"} {
			paths = append(paths, filepath.Join(at, name))
		}
	}
	for _, path := range append(paths, filepath.Join(folder, "Pipfile.lock"), filepath.Join(folder, "Pipfile")) {
		list := &pythonList{name: filepath.Base(path), path: path}
		text, err := file.ReadRegular(path)
		if errors.Is(err, fs.ErrNotExist) || err == nil && !asksForPackages[list.name]().Match(text) {
			continue
		}
		sum := fingerprint.New()
		sum.Content(list.name, text)
		switch list.name {
		case requirementsFile, "pyproject.toml":
			list.texts = append(list.texts, text)
			err = errors.Join(err, list.addNamed(sum, filepath.Dir(path), text, map[string]bool{path: true}))
		case "poetry.lock":
			// It says what is there, and not what is asked for.
			err = errors.Join(err, sum.File("pyproject.toml", filepath.Join(filepath.Dir(path), "pyproject.toml")))
		}
		if list.stamp = sum.String(); list.name == requirementsFile {
			list.name = "src/requirements.txt"
		}
		if err != nil {
			return nil, notPrepared(list.name+" cannot be read: "+reason(err), "make it a file that you can read")
		}
		return list, nil
	}
	return nil, nil
}

// addNamed adds the files and folders that a list names, such as those after -r, and what such files name.
func (l *pythonList) addNamed(sum *fingerprint.Sum, folder string, text []byte, seen map[string]bool) error {
	for line := range strings.Lines(string(text)) {
		line, _, _ = strings.Cut(line, "#")
		between := func(r rune) bool { return strings.ContainsRune(" \t\r\n=,'\"[]", r) }
		for _, word := range strings.FieldsFunc(line, between) {
			name := filepath.Join(folder, filepath.FromSlash(word))
			info, err := os.Stat(name)
			if err != nil || seen[name] {
				continue // it is no file; of one that should be there, pip tells
			}
			seen[name] = true
			if info.IsDir() {
				content, err := fingerprint.Contents(name)
				if err != nil {
					return err
				}
				sum.Text(content)
				continue
			}
			if err := sum.File(word, name); err != nil {
				return err
			}
			if ending := filepath.Ext(name); ending == ".txt" || ending == ".in" {
				more, err := file.ReadRegular(name)
				if err = errors.Join(err, l.addNamed(sum, filepath.Dir(name), more, seen)); err != nil {
					return err
				}
				l.texts = append(l.texts, more)
			}
		}
	}
	return nil
}

// arguments returns the list that pipProgram reads, and what pip itself does.
func (l *pythonList) arguments() (list string, words []string) {
	switch {
	case l.path == "":
		return "", []string{l.name}
	case filepath.Base(l.path) == requirementsFile:
		return "", []string{"--requirement", requirementsFile}
	}
	return l.path, nil
}

// asksForPackages matches the lists that may have packages, by their names. What else is in them is read when
// they are installed. The Amplify CLI names the function itself, as src, in a Pipfile.
var asksForPackages = map[string]func() *regexp.Regexp{
	requirementsFile: lazyregexp.New(`(?m)^\s*[^\s#]`),
	"uv.lock":        lazyregexp.New(`(?s)\[\[package\]\].*\[\[package\]\]`),
	"poetry.lock":    lazyregexp.New(`\[\[package\]\]`),
	"pyproject.toml": lazyregexp.New(`dependencies`),
	"Pipfile.lock":   lazyregexp.New(`"version"`),
	"Pipfile": lazyregexp.New(
		`(?m)^\[packages\]\s*(?:^(?:#|src\s*=).*\s*)*^["']?(?:[^\[#s\s]|s[^r]|sr[^c]|src[\w.-])`),
}
