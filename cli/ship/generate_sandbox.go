package ship

import (
	"context"
	"errors"
	"maps"
	"os"
	"path/filepath"

	"gatewright/cli/command"
	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/project"
	"gatewright/render"
	"gatewright/sandbox/live"
)

// sandboxSource is an environment of a project of the Amplify CLI as a source, as the
// sandbox serves it. What the Amplify CLI deployed is not known here.
func (g *outputsCommand) sandboxSource(ctx context.Context, here *project.Project) (*outputsSource, error) {
	if g.form.folder == "" && !g.stdout {
		return nil, command.Misuse("the files of this project are the Amplify CLI's own; for a file that " +
			"leads to the sandbox give --out-dir FOLDER or --stdout")
	}
	served, err := live.ServedOf(ctx, here, g.env.String())
	if err != nil {
		return nil, asked(err)
	}
	s := recordSource(served.Record, here, g.form)
	s.sandbox = served.Address
	start := "gatewright sandbox"
	if g.env != "" {
		start += " --env " + phrase.Quote(g.env.String())
	}
	switch {
	case served.Other != "":
		s.notes = append(s.notes,
			"the running sandbox serves environment "+phrase.Quote(served.Other)+"; for this one end it, and run: "+start)
	case !served.Running:
		s.notes = append(s.notes, "no sandbox is running; start it with: "+start)
	}
	return s, nil
}

// takeAmplifyCLI makes a file of the Amplify CLI from the values of the source.
func (f *outputFile) takeAmplifyCLI() error {
	region := ""
	if f.source.record != nil {
		region = f.source.record.Region
	}
	text := render.AmplifyCLIFile(f.source.values, region, f.format)
	err := render.Failed(text)
	if err == nil {
		f.text = text
		f.values, err = valuesIn(text, f.format)
	}
	if err != nil {
		return f.problem("cannot be written as "+string(f.format)+": "+err.Error(), "change that value")
	}
	return nil
}

// apiList is the key of the REST APIs in files of the Amplify CLI.
const apiList = "aws_cloud_logic_custom"

// apisByName returns the values of two files of the Amplify CLI with their REST APIs as
// objects with the names of the APIs, so that an API with another endpoint counts as
// changed, not as lost. If one of the files has other lists, both stay as they are.
func apisByName(have, want model.Outputs) (haveNamed, wantNamed model.Outputs) {
	old, oldOK := named(have[apiList])
	now, nowOK := named(want[apiList])
	if !oldOK || !nowOK {
		return have, want
	}
	have, want = maps.Clone(have), maps.Clone(want)
	have[apiList], want[apiList] = old, now
	return have, want
}

// named returns a list of REST APIs by their names, if each has a name of its own.
func named(list any) (byName map[string]any, ok bool) {
	items, _ := list.([]any)
	byName = make(map[string]any, len(items))
	for _, item := range items {
		api, _ := item.(map[string]any)
		name, _ := api["name"].(string)
		if byName[name] != nil || name == "" {
			return nil, false
		}
		byName[name] = api
	}
	return byName, len(byName) > 0
}

// refuseAmplifyCLI returns an error if the file is one that the Amplify CLI writes for a
// project: the one here, or the one that the file is in.
func (f *outputFile) refuseAmplifyCLI(here *project.Project) error {
	var roots []string
	if here != nil && here.Amplify != nil {
		roots = append(roots, here.Root)
	}
	if root, layout, err := project.Find(filepath.Dir(f.path)); err == nil && !layout.Defines(model.KindEnvironment) {
		roots = append(roots, root)
	}
	for _, root := range roots {
		for _, own := range project.FrontendOf(root).Files {
			if f.isAt(own) {
				return f.problem("is the Amplify CLI's own file, which gatewright does not write",
					"give another folder with --out-dir, or --stdout")
			}
		}
	}
	return nil
}

// isAt reports whether the file is at a path, also through links.
func (f *outputFile) isAt(path string) bool {
	if f.path == path {
		return true
	}
	there, err := os.Stat(path)
	if errors.Is(err, os.ErrNotExist) {
		folder, err := filepath.EvalSymlinks(filepath.Dir(path))
		return err == nil && f.path == filepath.Join(folder, filepath.Base(path))
	}
	is, wrong := os.Stat(f.path)
	return err == nil && wrong == nil && os.SameFile(is, there)
}
