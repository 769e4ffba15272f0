package project

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"

	"gatewright/model"
	"gatewright/project/document"
	"gatewright/project/journal"
	"gatewright/render"
)

// lastClientFile holds what the client configuration file was last written from.
var lastClientFile = journal.State[0]

// rendering is what the client configuration file was written from, in neutral
// words: what of the file is ours to change and to take away.
type rendering struct {
	Environment string        `json:"environment,omitempty"`
	Dialect     model.Dialect `json:"dialect"`
	Values      model.Outputs `json:"values"`
}

// lastRendering is what the client configuration file was last written from;
// where that is not known, what it would be written from as the project is.
func (p *Project) lastRendering() rendering {
	if text, err := readFile(p.fsys, lastClientFile); err == nil {
		var last rendering
		decoder := json.NewDecoder(bytes.NewReader(text))
		decoder.UseNumber()
		if decoder.Decode(&last) == nil && last.Values != nil {
			return last
		}
	}
	env := p.CurrentEnvironment()
	// A record that cannot be read says nothing.
	deployed, _ := p.deployedOutputs(nameOf(env))
	content, err := p.Backend.ClientFile(env, deployed)
	if err != nil {
		content.Values = model.Outputs{"version": model.ClientFileVersion}
	}
	return rendering{Environment: nameOf(env), Dialect: p.Backend.Project.Dialect, Values: content.Values}
}

func nameOf(env *model.Environment) string {
	if env == nil {
		return ""
	}
	return env.Name
}

// clientFile plans the client configuration file of the environment that it is
// of, with what a deployment of that knows.
func (pl *planner) clientFile() error {
	env, err := pl.environment()
	if err != nil {
		return err
	}
	last := pl.lastRendering()
	if stays := pl.next.Environment(pl.newName(model.KindEnvironment, last.Environment)); stays != nil {
		env = stays
	}
	var deployed model.Outputs
	if env != nil && pl.oldName(model.KindEnvironment, env.Name) == env.Name {
		if deployed, err = pl.deployedOutputs(env.Name); err != nil {
			// The file would lose what only the deployment knows.
			pl.note(clientFile(pl.next), "stays as it is: %s", err)
			return nil
		}
	}
	content, err := pl.next.ClientFile(env, deployed)
	if err != nil {
		return err
	}
	return pl.clientFileOf(nameOf(env), content.Values, last)
}

// clientFileOf plans the client configuration file. One that is there gets what
// is wanted now and loses what was wanted when it was last written; what others
// put beside that stays.
func (pl *planner) clientFileOf(env string, values model.Outputs, last rendering) error {
	now := rendering{Environment: env, Dialect: pl.next.Project.Dialect, Values: values}
	if err := pl.saveRendering(now); err != nil {
		return err
	}
	name := clientFile(pl.next)
	f, err := pl.openClientFile(name, last.Dialect, now.Dialect)
	if errors.Is(err, fs.ErrNotExist) {
		return pl.create(name, render.ClientFile(model.ClientFileContent{Values: values}, now.Dialect, render.Whole))
	}
	if err != nil {
		return err
	}
	disk, err := model.ParseOutputs(f.doc.Root().Raw())
	if err != nil {
		return f.problem(model.Error, "", "remove it, and it is written anew", "expected an object, found %s", kindOf(f.doc.Root()))
	}
	disk = render.Translate(disk, now.Dialect, model.Neutral)
	before, after := threeWay(last.Values, now.Values, disk)
	if pl.oldName(model.KindEnvironment, env) == last.Environment {
		keepKey(disk, before, after)
	}
	part := func(values map[string]any) []byte {
		return render.ClientFile(model.ClientFileContent{Values: values}, now.Dialect, render.Part)
	}
	if err := pl.editFile(f, name, part(before), part(after)); err != nil {
		return err
	}
	if was := pl.oldName(model.KindEnvironment, now.Environment); was != last.Environment && was != "" && last.Environment != "" {
		pl.note(name, "is of environment %s from now on; it was of %s", model.Quote(now.Environment), model.Quote(last.Environment))
	}
	return nil
}

// openClientFile reads the client configuration file. When the dialect changed
// since it was written, it is the old file in the new words, and the old one
// goes.
func (pl *planner) openClientFile(name string, from, to model.Dialect) (*file, error) {
	other := render.ClientFileName(from)
	if other == name || !pl.hasFile(model.KindProject) || !exists(pl.fsys, other) {
		return readDocument(pl.fsys, name)
	}
	old, err := readDocument(pl.fsys, other)
	if err != nil {
		return nil, err
	}
	values, err := model.ParseOutputs(old.doc.Root().Raw())
	if err != nil {
		return nil, old.problem(model.Error, "", "remove it, and it is written anew", "expected an object, found %s", kindOf(old.doc.Root()))
	}
	delete(values, "$schema")
	content := model.ClientFileContent{Values: render.Translate(values, from, model.Neutral)}
	text := render.ClientFile(content, to, render.Whole)
	if err := pl.create(name, text); err != nil {
		return nil, err
	}
	pl.put(journal.Change{Path: other, Existed: true, Old: old.doc.Bytes(), Delete: true})
	pl.note(other, "becomes %s: what stands in it is kept in the words of the dialect %s", name, to)
	doc, err := document.Parse(text)
	if err != nil {
		return nil, fmt.Errorf("reading %s as it was translated: %w", name, err)
	}
	return &file{path: name, doc: doc}, nil
}

// saveRendering plans to keep what the client configuration file is written from.
func (pl *planner) saveRendering(now rendering) error {
	text, err := json.Marshal(now)
	if err != nil {
		return fmt.Errorf("planning %s: %w", lastClientFile, err)
	}
	return pl.writeState(lastClientFile, append(text, '\n'))
}

// writeState plans a file of the state of this machine.
func (pl *planner) writeState(name string, data []byte) error {
	have, err := readFile(pl.fsys, name)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err != nil || !bytes.Equal(have, data) {
		pl.plan.state = append(pl.plan.state, journal.Change{Path: name, Existed: err == nil, Old: have, New: data})
	}
	return nil
}
