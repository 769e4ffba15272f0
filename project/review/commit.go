package review

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"gatewright/internal/text/phrase"
	"gatewright/project"
	"gatewright/project/git"
	"gatewright/project/journal"
)

// shortID is how many digits of the id of a commit a report shows.
const shortID = 7

// CommitName is how a report calls a commit: "main (1a2b3c4)". name is what a person called it.
func CommitName(name, id string) string {
	short := id[:min(shortID, len(id))]
	if name == "" || strings.HasPrefix(id, name) {
		return short
	}
	return phrase.Quote(name) + " (" + short + ")"
}

// AtCommit reads the project as it is in a folder of a commit. There may be none.
func AtCommit(name string, files *git.FS) (State, error) {
	s := State{Name: name}
	fsys := files.Afero()
	layout, found := project.LayoutOf(fsys)
	if !found {
		s.unread = notRead(name, files, func(file string) bool {
			return file == "." || file == project.Native.String() || file == project.Amplify.String() ||
				file == path.Dir(project.Amplify.String())
		})
		return s, nil
	}
	p, err := project.Load(fsys, layout)
	if err != nil {
		return s, fmt.Errorf("%s: %w", name, err)
	}
	s = StateOf(name, p)
	below := func(file string) bool { return strings.HasPrefix(file, layout.String()+"/") }
	source := func(file string) bool { return slices.Contains(strings.Split(file, "/"), "src") }
	s.Notes = notRead(name, files, func(file string) bool { return below(file) && source(file) })
	s.unread = notRead(name, files, func(file string) bool { return below(file) && !source(file) })
	return s, nil
}

// FolderOf returns the folder of the project in one of several commits: the one that is asked
// for, or the nearest one above that has a project; ok is false if none has.
func FolderOf(folder string, all ...*git.FS) (at string, ok bool) {
	for at := folder; ; at = path.Dir(at) {
		if at == "." {
			at = ""
		}
		if hasProject(at, all) {
			return at, true
		}
		if at == "" {
			return "", false
		}
	}
}

// mostFolders is how many folders Folders looks at.
const mostFolders = 100

// Folders lists folders with a project in one of several commits, sorted; "" is the top. Of a great
// many it lists the first. What was deployed is none.
func Folders(all ...*git.FS) []string {
	var folders []string
	for _, files := range all {
		for _, layout := range []project.Layout{project.Native, project.Amplify} {
			above := files.Above(layout.String())
			folders = append(folders, above[:min(len(above), mostFolders)]...)
		}
	}
	slices.Sort(folders)
	return slices.DeleteFunc(slices.Compact(folders), func(folder string) bool { return !IsProject(folder, all...) })
}

// IsProject reports whether a folder has a project in one of several commits. What was deployed is none.
func IsProject(folder string, all ...*git.FS) bool {
	return !slices.Contains(strings.Split(folder, "/"), journal.Folder) && hasProject(folder, all)
}

// hasProject reports whether there is a project in a folder of one of several commits.
func hasProject(folder string, all []*git.FS) bool {
	return slices.ContainsFunc(all, func(files *git.FS) bool {
		_, found := project.LayoutOf(files.In(folder).Afero())
		return found
	})
}

// notRead says which of the files that are meant were not looked at.
func notRead(name string, files *git.FS, meant func(file string) bool) []string {
	var notes []string
	for _, kind := range []struct {
		text  string
		names []string
	}{{"symbolic links are not followed", files.Links()}, {"submodules are not read", files.LeftOut()}} {
		var shown []string
		for _, file := range kind.names {
			if meant(file) {
				shown = append(shown, phrase.QuotePath(file))
			}
		}
		if len(shown) > 0 {
			notes = append(notes, "in "+name+", "+kind.text+": "+phrase.List(shown))
		}
	}
	return notes
}
