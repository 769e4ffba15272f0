package inspect

import (
	"context"
	"fmt"
	"os"
	"path"
	"path/filepath"

	"gatewright/cli/command"
	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/project"
	"gatewright/project/git"
	"gatewright/project/review"
)

// enter goes to the folder that --project names, or keeps its name if only commits may have it.
func (x *reviewCommand) enter(ctx context.Context) error {
	if x.project == "" {
		return nil
	}
	folder := command.Absolute(x.project, x.streams)
	bare := false
	if repository, err := git.Open(ctx, x.streams.Dir, x.streams.Environ...); err == nil {
		bare = repository.Bare()
		if err := repository.Close(); err != nil {
			return err
		}
	}
	if info, err := os.Stat(folder); err == nil && info.IsDir() && !bare {
		x.streams.Dir = folder
		return nil
	}
	below, err := filepath.Rel(x.streams.Dir, folder)
	if err != nil {
		return &model.Problem{
			Field: "--project", Text: "the folder " + phrase.Quote(x.project) + " is on another drive",
			Fix: "go to a folder of its repository",
		}
	}
	x.below = filepath.ToSlash(below)
	if x.against != "" {
		return &model.Problem{
			Field: "--project", Text: "there is no folder " + phrase.Quote(x.project),
			Fix: "name the folder of the project",
		}
	}
	return nil
}

// place returns the folder in which git runs. inTree says that it is that of the project: it may
// be in commits alone, and missing says so if it has to be in the working tree.
func (x *reviewCommand) place() (root string, inTree bool, missing error) {
	if x.below != "" {
		return x.streams.Dir, false,
			&model.Problem{
				Field: "--project", Text: "there is no folder " + phrase.Quote(x.project) + " in a working tree",
				Fix: "compare two commits: BASE..HEAD",
			}
	}
	root, _, missing = project.Find(x.streams.Dir)
	if missing != nil {
		return x.streams.Dir, false, missing
	}
	return root, true, nil
}

// projectIn returns the folder of the project in one of two commits: that of --project, or the
// nearest at or above the folder of the command, whose path in the repository is prefix.
func (x *reviewCommand) projectIn(prefix string, files []*git.FS) (string, error) {
	here := "in this folder or any above"
	if x.below == "" {
		if folder, found := review.FolderOf(prefix, files...); found {
			return folder, nil
		}
	} else {
		folder := path.Join(prefix, x.below)
		if folder == "." {
			folder = ""
		}
		if review.IsProject(folder, files...) {
			return folder, nil
		}
		here = "in the folder " + phrase.Quote(x.project)
	}
	in := "in neither commit"
	if len(files) == 1 {
		in = "neither in the commit nor in the working tree"
	}
	fix := "run the command in the folder of the project, or name it with --project"
	if all := review.Folders(files...); len(all) > 0 {
		var names []string
		for _, folder := range all {
			if rel, err := filepath.Rel(filepath.FromSlash("/"+prefix), filepath.FromSlash("/"+folder)); err == nil {
				names = append(names, filepath.ToSlash(rel))
			}
		}
		fix = "name a folder that has one with --project: " + phrase.QuoteList(names)
	}
	return "", fmt.Errorf("no project %s, %s; %s", here, in, fix)
}
