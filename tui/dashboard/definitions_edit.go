package dashboard

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatewright/model"
	"gatewright/project/definition"
	"gatewright/prose"
	"gatewright/tui/dialog"
	"gatewright/tui/frame"
)

// pendingEdit is a change of a section: of its definition, or of what the environment
// env says otherwise.
type pendingEdit struct {
	kind     model.Kind
	env      string
	done     string
	fields   []definition.Field
	settings []definition.Setting
}

// notSaid and the two words for a truth are what a choice has for a field.
const (
	notSaid  = "not said"
	yesWord  = "yes"
	noWord   = "no"
	yesValue = "true"
	noValue  = "false"
)

// edit asks for the value of a field in the way that its type wants: a choice, a
// list of marks, or a line of text, and an object by its fields together. env is the
// environment that is to say otherwise; "" for the definition.
func (d *definitionsTab) edit(r definitionRow, env string) tea.Cmd {
	f := r.of.Field
	values, err := definition.Of(d.backend, r.kind, env)
	if err != nil {
		return frame.Say(frame.Error, "%v", err)
	}
	of := string(r.kind) + "." + f.String()
	if env != "" {
		of += " of environment " + env
	}
	p := &pendingEdit{kind: r.kind, env: env, done: "set " + prose.Fit(of), fields: []definition.Field{f}}
	d.pending = p
	object := f.Place[:len(f.Place)-1]
	switch {
	case f.Type == model.ObjectField:
		return d.editObject(p, f, values)
	case f.Together && model.ValueAt(values, object) == nil:
		// Its object is not there, and is there only as a whole.
		for _, g := range definition.Fields(r.kind) {
			if slices.Equal(g.Place, object) {
				return d.editObject(p, g, values)
			}
		}
	}
	value := model.ValueAt(values, f.Place)
	title := "Set " + of
	switch {
	case f.Type == model.ArrayField && f.Enum != nil:
		return frame.Open(dialog.Several(editDialog, title, itemsOf(f.Enum), wordsOf(value), func(chosen []string) error {
			_, err := d.try(p, []string{listText(chosen)})
			return err
		}))
	case f.Enum != nil || f.Type == model.BooleanField:
		words := append([]string{notSaid}, optionsOf(f)...)
		return frame.Open(dialog.Choose(editDialog, title, d.choices(p, words, value)))
	}
	return frame.Open(dialog.Form(editDialog, title, []dialog.Question{asQuestion(p.kind, f, value)}, func(values []string) (int, error) { return d.try(p, values) }))
}

// editObject asks for the fields of an object together.
func (d *definitionsTab) editObject(p *pendingEdit, object definition.Field, values map[string]any) tea.Cmd {
	p.fields = nil
	var questions []dialog.Question
	for _, f := range definition.Fields(p.kind) {
		if len(f.Place) > len(object.Place) && slices.Equal(f.Place[:len(object.Place)], object.Place) && f.Leaf() {
			p.fields = append(p.fields, f)
			questions = append(questions, asQuestion(p.kind, f, model.ValueAt(values, f.Place)))
		}
	}
	p.done = "set " + string(p.kind) + "." + object.String()
	return frame.Open(dialog.Form(editDialog, "Set "+string(p.kind)+"."+object.String(), questions, func(values []string) (int, error) { return d.try(p, values) }))
}

// asQuestion is a field as a line of a form.
func asQuestion(kind model.Kind, f definition.Field, value any) dialog.Question {
	meaning := definition.Meaning(kind, f)
	q := dialog.Question{Name: f.Name, Value: f.Text(value), Hint: strings.Join(append([]string{meaning}, f.Takes()...), "; ")}
	switch {
	case f.Type == model.BooleanField:
		q.Options, q.Hint = append([]string{notSaid}, optionsOf(f)...), meaning
		q.Value = shownChoice(value)
	case f.Enum != nil && f.Type == model.StringField:
		q.Options, q.Hint = append([]string{notSaid}, f.Enum...), meaning
		if value == nil {
			q.Value = notSaid
		}
	case f.Name == "api_key" && value != model.APIKeyPlaceholder:
		// A key that stands in a file is not shown.
		q.Value = ""
	case f.Type == model.ArrayField:
		q.Offers = f.Enum
		q.Hint = strings.Join(append([]string{meaning, "with commas between them"}, f.Takes()...), "; ")
	}
	return q
}

func optionsOf(f definition.Field) []string {
	if f.Type == model.BooleanField {
		return []string{yesWord, noWord}
	}
	return f.Enum
}

func shownChoice(value any) string {
	switch value {
	case true:
		return yesWord
	case false:
		return noWord
	}
	return notSaid
}

// choices are the items of a choice; the one that is so now is marked, and one that
// would be refused says why.
func (d *definitionsTab) choices(p *pendingEdit, words []string, value any) []dialog.Item {
	now := shownChoice(value)
	if text, ok := value.(string); ok {
		now = text
	}
	items := make([]dialog.Item, len(words))
	for i, word := range words {
		items[i] = dialog.Item{ID: word, Label: word}
		if word == now {
			items[i].Note = "as it is"
		}
		if _, err := d.try(p, []string{word}); err != nil {
			items[i].Disabled = err.Error()
		}
	}
	return items
}

func itemsOf(words []string) []dialog.Item {
	items := make([]dialog.Item, len(words))
	for i, word := range words {
		items[i] = dialog.Item{ID: word, Label: word}
	}
	return items
}

func wordsOf(value any) []string {
	var words []string
	items, _ := value.([]any)
	for _, item := range items {
		if word, ok := item.(string); ok {
			words = append(words, word)
		}
	}
	return words
}

// listText is a list as a field reads it; an empty one says nothing of the field.
func listText(words []string) string { return strings.Join(words, ",") }

// try reads values for the fields of a change, and works out whether the backend as
// it was read takes them. at is the index of the field that is wrong.
func (d *definitionsTab) try(p *pendingEdit, values []string) (at int, err error) {
	settings, at, err := p.read(values)
	if err != nil {
		return at, err
	}
	_, err = d.backend.Edit(func(b *model.Backend) error { return definition.Edit(b, p.kind, p.env, settings...) })
	var problem *model.Problem
	if errors.As(err, &problem) {
		if problem.Pointer == "" {
			// A part is missing: the first line that is empty is where it is given.
			at = max(at, slices.Index(values, ""))
		}
		where := strings.Split(strings.TrimPrefix(problem.Pointer, "/"), "/")
		for i, f := range p.fields {
			if len(where) >= len(f.Place) && slices.Equal(where[:len(f.Place)], f.Place) {
				at = i
			}
		}
	}
	return at, err
}

// read makes settings of values as a person wrote them; an empty one takes the field
// away.
func (p *pendingEdit) read(values []string) (settings []definition.Setting, at int, err error) {
	for i, f := range p.fields {
		text := strings.TrimSpace(values[i])
		if f.Type == model.BooleanField {
			text = map[string]string{yesWord: yesValue, noWord: noValue}[text]
		}
		if text == "" || text == notSaid && f.Enum != nil {
			settings = append(settings, definition.Setting{Field: f})
			continue
		}
		value, err := f.Parse(text)
		if err != nil {
			return nil, i, fmt.Errorf("%s: %w", f.Name, err)
		}
		settings = append(settings, definition.Setting{Field: f, Value: value})
	}
	return settings, 0, nil
}

// handle takes what the dialogs end with.
func (d *definitionsTab) handle(msg tea.Msg) (tea.Cmd, bool) {
	result, ok := msg.(dialog.Result)
	if !ok || !strings.HasPrefix(result.ID, "definitions/") {
		return nil, false
	}
	switch action := result.Action.(type) {
	case dialog.Entered:
		if result.ID == groupDialog {
			return d.page.change("added group "+prose.Fit(model.Quote(string(action))), func(b *model.Backend) error { return b.AddGroup(string(action)) }), true
		}
	case dialog.Picked:
		return d.setTo([]string{string(action)}), true
	case dialog.Chosen:
		return d.setTo([]string{listText(action)}), true
	case dialog.Filled:
		return d.setTo(action), true
	case dialog.Agreed:
		if d.pending != nil && result.ID == guardDialog {
			return d.write(*d.pending), true
		}
	}
	return nil, true
}

// setTo goes on with the change that a dialog was about.
func (d *definitionsTab) setTo(values []string) tea.Cmd {
	if d.pending == nil {
		return nil
	}
	settings, _, err := d.pending.read(values)
	if err != nil {
		return frame.Say(frame.Error, "%v", err)
	}
	d.pending.settings = settings
	return d.commit(*d.pending)
}

// commit writes a change; that of a guarded environment wants its name typed.
func (d *definitionsTab) commit(p pendingEdit) tea.Cmd {
	d.pending = &p
	if env := d.backend.Environment(p.env); p.env != "" && env != nil && env.Guarded {
		return frame.Open(dialog.Agree(guardDialog, "Environment "+env.Name+" is guarded", "This changes what it says of "+string(p.kind)+". Type its name to go on.", "Change it", env.Name))
	}
	return d.write(p)
}

func (d *definitionsTab) write(p pendingEdit) tea.Cmd {
	d.pending = nil
	return d.page.change(p.done, func(b *model.Backend) error { return definition.Edit(b, p.kind, p.env, p.settings...) })
}
