package worker

import (
	"path/filepath"
	"slices"
	"strings"

	"gatewright/internal/file"
	"gatewright/internal/text/phrase"
	"gatewright/sandbox/function"
	"gatewright/sandbox/prepare"
)

// A function must not write into its own source: in the cloud all its file system but /tmp
// is read-only (https://docs.aws.amazon.com/lambda/latest/dg/configuration-ephemeral-storage.html).
// Where the system allows it, the folders are read-only for its processes (guardian); the
// bootstraps refuse a write on every system. Either way nothing changes in the folders, so
// that every change that is seen there is an edit.

// ownFolders returns the folders that a function must not write into: that which it runs from, its own,
// what its source was made into, and its layers.
func ownFolders(s *function.Spec, p prepare.Prepared) []string {
	folders := append([]string{s.Folder}, s.Layers...)
	for _, made := range []string{p.Dir, p.Source, p.Opt} {
		inside, err := filepath.Rel(s.Folder, made)
		if made != "" && (err != nil || !filepath.IsLocal(inside)) && !slices.Contains(folders, made) {
			folders = append(folders, made)
		}
	}
	return folders
}

// withRealPaths adds the folders that links lead to.
func withRealPaths(folders []string) []string {
	all := slices.Clone(folders)
	for _, folder := range folders {
		if path := file.RealPath(folder); !slices.Contains(all, path) {
			all = append(all, path)
		}
	}
	return all
}

// ownSource says once what is to be said about writes into a function's source.
type ownSource struct {
	pool    *pool
	told    *told
	folders []string
}

// written returns what to say about a file that the function wanted to write, "" for
// nothing.
func (s *ownSource) written(file string) string {
	if s == nil {
		return ""
	}
	return s.say("it writes into its own source (" + s.inside(file) +
		"), which is read-only, as in the cloud: write into /tmp instead")
}

// refusals are the words of systems and libraries about a write that was refused.
var refusals = []string{"ead-only file system", "EROFS", "readonly database", "unable to open database file"}

// refusedIn returns what to say about a line that the function wrote, "" for nothing.
func (s *ownSource) refusedIn(line string) string {
	if s == nil || s.told.write.Load() ||
		!slices.ContainsFunc(refusals, func(words string) bool { return strings.Contains(line, words) }) {
		return ""
	}
	for _, folder := range s.folders {
		if _, rest, found := strings.Cut(line, folder+string(filepath.Separator)); found {
			end := strings.IndexAny(rest, "'\":\n")
			if end < 0 {
				end = len(rest)
			}
			return s.written(filepath.Join(folder, rest[:end]))
		}
	}
	return s.say("if it wanted to write into its own source: that is read-only, as in the cloud; write into /tmp instead")
}

// inside returns the name of a file below the function's folder.
func (s *ownSource) inside(file string) string {
	for _, folder := range s.folders {
		if name, err := filepath.Rel(folder, file); err == nil && filepath.IsLocal(name) {
			return phrase.Quote(filepath.ToSlash(name))
		}
	}
	return phrase.QuotePath(file)
}

// say returns a text, and reports it as an Event, unless this generation of the function
// was told already.
func (s *ownSource) say(text string) string {
	if !s.told.write.CompareAndSwap(false, true) {
		return ""
	}
	text = function.OneLine(text)
	go s.pool.notify(function.EventWarning, text)
	return text
}

// tellFailure says what is to be said about the error of a call.
func (o *output) tellFailure(request string, body []byte) {
	o.tellSource(request, o.source.refusedIn(o.named(string(body))))
}
