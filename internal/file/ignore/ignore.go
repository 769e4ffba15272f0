// Package ignore reads files that say which files do not count, in the syntax of Git
// (https://git-scm.com/docs/gitignore).
package ignore

import (
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"gatewright/internal/file"
	"gatewright/internal/text/phrase"
)

// Rule is a line of such a file.
type Rule struct {
	// File is the path of the file, Text the line, and Line its number.
	File, Text string
	Line       int

	// base is the folder whose names it is about, with slashes.
	base          string
	pattern       []string
	again, folder bool
}

// Words say which rule it is, with its file as it is named from a folder: "by default", or "by *.tmp in
// .gatewrightignore:3".
func (r *Rule) Words(from string) string {
	if r.File == "" {
		return "by default"
	}
	name, err := filepath.Rel(from, r.File)
	if err != nil || !filepath.IsLocal(name) {
		name = filepath.Base(r.File)
	}
	return fmt.Sprintf("by %s in %s:%d", phrase.Quote(r.Text), phrase.QuotePath(filepath.ToSlash(name)), r.Line)
}

// Rules are those that count somewhere, the stronger last.
type Rules []Rule

// Read returns the rules of a file, which may be missing, for the names below its folder.
func Read(name string) Rules {
	text, _ := file.ReadRegular(name)
	return Parse(name, string(text))
}

// Parse returns the rules in the text of a file.
func Parse(name, text string) (found Rules) {
	base := path.Dir(filepath.ToSlash(name))
	number := 0
	for line := range strings.Lines(strings.TrimPrefix(text, "\ufeff")) {
		number++
		line = strings.TrimRight(line, "\r\n")
		for strings.HasSuffix(line, " ") && !strings.HasSuffix(line, `\ `) {
			line = line[:len(line)-1]
		}
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		pattern, again := strings.CutPrefix(line, "!")
		pattern, folder := strings.CutSuffix(strings.ReplaceAll(pattern, "[!", "[^"), "/")
		if !strings.Contains(pattern, "/") {
			pattern = "**/" + pattern
		}
		parts := strings.Split(strings.TrimPrefix(pattern, "/"), "/")
		found = append(found, Rule{name, line, number, base, parts, again, folder})
	}
	return found
}

// Find returns the rule that leaves out a file or folder, by its path with slashes; nil if it
// counts. To ask for what is in a folder is to ask for the folder.
func (r Rules) Find(name string, isFolder bool) *Rule {
	for i, one := range slices.Backward(r) {
		if one.folder && !isFolder {
			continue
		}
		at, below := strings.CutPrefix(name, strings.TrimSuffix(one.base, "/")+"/")
		if one.base == "." {
			at, below = name, true
		}
		if !below || !one.matches(at) {
			continue
		}
		if one.again {
			return nil
		}
		return &r[i]
	}
	return nil
}

// matches reports whether a rule is about a path below its folder. Most name a file anywhere.
func (r *Rule) matches(at string) bool {
	if len(r.pattern) == 2 && r.pattern[0] == "**" {
		same, _ := path.Match(r.pattern[1], path.Base(at))
		return same
	}
	return matches(r.pattern, strings.Split(at, "/"))
}

// matches reports whether a pattern matches a whole path.
func matches(pattern, names []string) bool {
	if len(pattern) == 0 || len(names) == 0 {
		return len(pattern) == 0 && len(names) == 0
	}
	if pattern[0] == "**" {
		return len(pattern) == 1 || matches(pattern[1:], names) || matches(pattern, names[1:])
	}
	same, _ := path.Match(pattern[0], names[0])
	return same && matches(pattern[1:], names[1:])
}
