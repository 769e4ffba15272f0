package plan

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"

	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/model/clientfile"
	"gatewright/project"
	"gatewright/project/document"
	"gatewright/project/journal"
	"gatewright/project/read"
	"gatewright/render"
)

// clientFile plans the client configuration file, of the environment that it was
// last written for, with the outputs of that environment's deployment.
func (pl *planner) clientFile() error {
	env, err := pl.environment()
	if err != nil {
		return err
	}
	last := pl.LastRendering()
	if stays := pl.next.Environment(pl.newName(model.KindEnvironment, last.Environment)); stays != nil {
		env = stays
	}
	var deployed model.Outputs
	if env != nil && pl.oldName(model.KindEnvironment, env.Name) == env.Name {
		if deployed, err = pl.DeployedOutputs(env.Name); err != nil {
			// The file would lose the outputs of the deployment.
			pl.note(project.ClientFile(pl.next), "stays as it is: %s", err)
			return nil
		}
	}
	now, err := pl.renderingOf(env, deployed, last)
	if err != nil {
		return err
	}
	return pl.clientFileOf(now, last)
}

// renderingOf returns what the client configuration file has for an environment: its definition, with the outputs of
// its deployment or, if it was never pushed, with those of the sandbox for which the file was last written.
func (pl *planner) renderingOf(env *model.Environment, deployed model.Outputs,
	last project.Rendering,
) (project.Rendering, error) {
	now := project.Rendering{Environment: project.NameOf(env), Dialect: pl.next.Project.Dialect}
	if deployed == nil && env != nil && env.Name == last.Environment &&
		pl.oldName(model.KindEnvironment, env.Name) == env.Name {
		deployed, now.Outputs = last.Outputs, last.Outputs
	}
	content, err := clientfile.Of(pl.next, env, deployed)
	if err != nil && now.Outputs != nil {
		// They contradict the definition now: the next sandbox has others.
		now.Outputs = nil
		content, err = clientfile.Of(pl.next, env, nil)
	}
	now.Values = content.Values
	return now, err
}

// clientFileOf plans the client configuration file. An existing file gets the values
// and loses those of the last rendering; whatever else it has stays.
func (pl *planner) clientFileOf(now, last project.Rendering) error {
	if err := pl.saveRendering(now); err != nil {
		return err
	}
	name := project.ClientFile(pl.next)
	f, err := pl.openClientFile(name, last.Dialect, now.Dialect)
	if errors.Is(err, fs.ErrNotExist) {
		return pl.create(name, render.ClientFile(clientfile.Content{Values: now.Values}, now.Dialect, render.Whole))
	}
	if err != nil {
		return err
	}
	disk, err := model.ParseOutputs(f.Doc.Root().Raw())
	if err != nil {
		return f.Problem(model.Error, "", "remove it; the next edit writes it again", "expected an object, found %s",
			read.KindOf(f.Doc.Root()))
	}
	disk = render.Translate(disk, now.Dialect, model.Neutral)
	before, after := project.ThreeWay(last.Values, now.Values, disk)
	if pl.oldName(model.KindEnvironment, now.Environment) == last.Environment {
		project.KeepKey(disk, before, after)
	}
	part := func(values map[string]any) []byte {
		return render.ClientFile(clientfile.Content{Values: values}, now.Dialect, render.Part)
	}
	if err := pl.editFile(f, name, part(before), part(after)); err != nil {
		return err
	}
	if was := pl.oldName(model.KindEnvironment, now.Environment); was != last.Environment && was != "" &&
		last.Environment != "" {
		pl.note(name, "is now for environment %s; it was for %s", phrase.Quote(now.Environment),
			phrase.Quote(last.Environment))
	}
	return nil
}

// openClientFile reads the client configuration file. If the dialect changed since
// it was written, it plans to delete the old file and returns its translation.
func (pl *planner) openClientFile(name string, from, to model.Dialect) (*read.File, error) {
	other := render.ClientFileName(from)
	if other == name || !pl.hasFile(model.KindProject) || !read.Exists(pl.FS, other) {
		return read.JSON(pl.FS, name)
	}
	old, err := read.JSON(pl.FS, other)
	if err != nil {
		return nil, err
	}
	values, err := model.ParseOutputs(old.Doc.Root().Raw())
	if err != nil {
		return nil, old.Problem(model.Error, "", "remove it; the next edit writes it again", "expected an object, found %s",
			read.KindOf(old.Doc.Root()))
	}
	delete(values, "$schema")
	content := clientfile.Content{Values: render.Translate(values, from, model.Neutral)}
	text := render.ClientFile(content, to, render.Whole)
	if err := pl.create(name, text); err != nil {
		return nil, err
	}
	pl.put(journal.Change{Path: other, Existed: true, Old: old.Doc.Bytes(), Delete: true})
	pl.note(other, "becomes %s: its content is translated into the dialect %s", name, to)
	doc, err := document.Parse(text)
	if err != nil {
		return nil, fmt.Errorf("reading %s as it was translated: %w", name, err)
	}
	return &read.File{Path: name, Doc: doc}, nil
}

// saveRendering plans to write project.LastClientFile.
func (pl *planner) saveRendering(now project.Rendering) error {
	text, err := json.Marshal(now)
	if err != nil {
		return fmt.Errorf("planning %s: %w", project.LastClientFile, err)
	}
	return pl.writeState(project.LastClientFile, append(text, '\n'))
}

// writeState plans a file in StateFolder.
func (pl *planner) writeState(name string, data []byte) error {
	have, err := read.Bytes(pl.FS, name)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err != nil || !bytes.Equal(have, data) {
		pl.plan.state = append(pl.plan.state, journal.Change{Path: name, Existed: err == nil, Old: have, New: data})
	}
	return nil
}
