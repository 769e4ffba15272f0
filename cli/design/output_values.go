package design

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"gatewright/cli/command"
	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/project/definition"
	"gatewright/render"
)

// setting is one value of the command line, and its place in the client configuration file.
type setting struct {
	place []string
	value any
}

// read reads the file and the values that the flags give, and translates them to the
// neutral dialect. All of them must be in one dialect.
func (f *outputFlags) read(streams command.Streams) (*object, []setting, error) {
	var (
		from             *object
		sets             []setting
		neutral, amplify string
	)
	findDialect := func(values model.Outputs) {
		n, a := render.DialectWords(values)
		neutral, amplify = cmp.Or(neutral, n), cmp.Or(amplify, a)
	}
	if f.from != "" {
		var err error
		if from, err = readObject(f.from, streams); err != nil {
			return nil, nil, err
		}
		findDialect(from.values)
	}
	for _, text := range f.sets {
		s, err := parseSetting(text)
		if err != nil {
			return nil, nil, err
		}
		findDialect(objectAt(s.place, s.value))
		sets = append(sets, s)
	}
	if neutral != "" && amplify != "" {
		return nil, nil, definition.TwoDialects(neutral, amplify)
	}
	if from != nil {
		from.values = translated(from.values, amplify != "")
	}
	for i := range sets {
		sets[i] = sets[i].translated(amplify != "")
	}
	return from, sets, nil
}

func translated(values model.Outputs, amplify bool) model.Outputs {
	if !amplify {
		return values
	}
	return render.Translate(values, model.Amplify, model.Neutral)
}

// translated returns the setting in the neutral dialect.
func (s setting) translated(amplify bool) setting {
	if !amplify {
		return s
	}
	place := render.TranslatePlace(s.place, model.Amplify, model.Neutral)
	return setting{place, model.ValueAt(translated(objectAt(s.place, s.value), true), place)}
}

// objectAt returns an object with a single value, at a place.
func objectAt(place []string, value any) model.Outputs {
	for i := len(place) - 1; i >= 0; i-- {
		value = map[string]any{place[i]: value}
	}
	return value.(map[string]any)
}

// parseSetting parses PATH=VALUE. VALUE is JSON if it is valid JSON, else a text. For a
// field of type string, JSON other than a string is taken as a text too.
func parseSetting(text string) (setting, error) {
	path, value, ok := strings.Cut(text, "=")
	if !ok || path == "" {
		return setting{},
			command.Misuse("--set takes PATH=VALUE such as storage.bucket_name=uploads, not %s", phrase.Quote(text))
	}
	place, err := parsePlace(path)
	if err == nil {
		err = checkText("set", text)
	}
	if err != nil {
		return setting{}, err
	}
	s := setting{place, parseValue(value)}
	if _, isText := s.value.(string); !isText && holdsText(s) {
		s.value = value
	}
	return s, nil
}

// parseValue parses a value as JSON, and takes it as a text if it is not JSON.
func parseValue(text string) any {
	wrapped, err := model.ParseOutputs([]byte(`{"value":` + text + `}`))
	if value, ok := wrapped["value"]; err == nil && ok && len(wrapped) == 1 && json.Valid([]byte(text)) {
		return value
	}
	return text
}

// holdsText reports whether the field at the place of a setting, named in either dialect,
// has the type string.
func holdsText(s setting) bool {
	field := model.ClientFile
	for _, name := range render.TranslatePlace(s.place, model.Amplify, model.Neutral) {
		next, known := field.Field(name)
		if !known {
			return false
		}
		field = next
	}
	return field.Type == model.StringField
}

// parsePlaces parses the places that --unset names.
func parsePlaces(texts []string) ([][]string, error) {
	var places [][]string
	for _, text := range texts {
		if text == "" {
			return nil, command.Misuse("--unset is empty; give a path: --unset storage.bucket_name")
		}
		place, err := parsePlace(text)
		if err != nil {
			return nil, err
		}
		places = append(places, render.TranslatePlace(place, model.Amplify, model.Neutral))
	}
	return places, nil
}

func putAll(values map[string]any, sets []setting) error {
	for _, s := range sets {
		if err := model.PutAt(values, s.place, s.value); err != nil {
			return err
		}
	}
	return nil
}

// leaves lists the places of all values that are no object or an empty one: names with
// dots, or a JSON pointer if a name contains a dot or a slash.
func leaves(values map[string]any) []string {
	var places []string
	var walk func(any, []string)
	walk = func(at any, place []string) {
		members, ok := at.(map[string]any)
		if !ok || len(members) == 0 {
			if slices.ContainsFunc(place, func(name string) bool { return name == "" || strings.ContainsAny(name, "./") }) {
				places = append(places, pointerTo(place))
				return
			}
			places = append(places, strings.Join(place, "."))
			return
		}
		for _, name := range slices.Sorted(maps.Keys(members)) {
			walk(members[name], append(slices.Clip(place), name))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(values)) {
		walk(values[name], []string{name})
	}
	return places
}

// completePlaces completes PATH= with the fields of the client configuration file.
func completePlaces(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
	var places []string
	var walk func(model.Field, string)
	walk = func(of model.Field, above string) {
		for _, f := range of.Fields {
			switch {
			case f.Type == model.ObjectField:
				walk(f, above+f.Name+".")
			case f.Type == model.FreeField && above == "":
				places = append(places, f.Name+".")
			case above != "":
				places = append(places, above+f.Name+"=")
			}
		}
	}
	walk(model.ClientFile, "")
	return command.Offered(places, typed), cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
}

// parsePlace parses the path to a value: a JSON pointer if it begins with /, else names
// with dots.
func parsePlace(text string) ([]string, error) {
	if strings.HasPrefix(text, "/") {
		return model.PlaceOf(text), nil
	}
	place := strings.Split(text, ".")
	if slices.Contains(place, "") {
		return nil, command.Misuse("%s is not a path to a value; write names with dots such as storage.bucket_name, or a "+
			"JSON pointer such as /custom/a.b", phrase.Quote(text))
	}
	return place, nil
}

// pointerTo returns the JSON pointer to a place.
func pointerTo(place []string) string {
	var b strings.Builder
	for _, name := range place {
		b.WriteString("/" + model.PointerSegment(name))
	}
	return b.String()
}
