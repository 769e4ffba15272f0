// Package resource has functions and tables as a person gives them, in flags of commands or in lines of forms: it
// reads the texts, and makes the edits of the backend, so that both write the same files.
package resource

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"gatewright/internal/text/phrase"
	"gatewright/internal/text/spelling"
	"gatewright/model"
	"gatewright/model/access"
)

// The errors of these functions begin with a verb, for the name of a flag or a line before it:
// "takes NAME:TYPE such as id:string, not ...".

// ParseKey reads NAME:TYPE, or NAME for a string.
func ParseKey(text string) (model.Key, error) {
	name, kind, typed := strings.Cut(text, ":")
	if name == "" || typed && kind == "" || strings.Contains(kind, ":") {
		return model.Key{}, fmt.Errorf("takes NAME:TYPE such as id:string, not %s", phrase.Quote(text))
	}
	if !typed {
		kind = string(model.StringKey)
	}
	return model.Key{Name: name, Type: model.KeyType(kind)}, nil
}

// KeyText is what ParseKey reads; "" for no key.
func KeyText(k model.Key) string {
	if k.Name == "" {
		return ""
	}
	return k.Name + ":" + string(k.Type)
}

// ParseIndex reads NAME:KEY:TYPE or NAME:KEY:TYPE:SORTKEY:TYPE.
func ParseIndex(text string) (model.Index, error) {
	parts := strings.Split(text, ":")
	if len(parts) != 3 && len(parts) != 5 || slices.Contains(parts, "") {
		return model.Index{},
			fmt.Errorf("takes NAME:KEY:TYPE or NAME:KEY:TYPE:SORTKEY:TYPE such as byTitle:title:string, not %s",
				phrase.Quote(text))
	}
	index := model.Index{Name: parts[0], PartitionKey: model.Key{Name: parts[1], Type: model.KeyType(parts[2])}}
	if len(parts) == 5 {
		index.SortKey = model.Key{Name: parts[3], Type: model.KeyType(parts[4])}
	}
	return index, nil
}

// IndexText is what ParseIndex reads.
func IndexText(i model.Index) string {
	text := i.Name + ":" + KeyText(i.PartitionKey)
	if sort := KeyText(i.SortKey); sort != "" {
		text += ":" + sort
	}
	return text
}

// ParseVariable reads NAME=VALUE.
func ParseVariable(text string) (model.Variable, error) {
	name, value, ok := strings.Cut(text, "=")
	if !ok || name == "" {
		return model.Variable{}, fmt.Errorf("takes NAME=VALUE, not %s", phrase.Quote(text))
	}
	return model.Variable{Name: name, Value: value}, nil
}

// ActionWords are the words that ParseActions reads.
func ActionWords() []string {
	words := []string{"all"}
	for _, a := range access.AllActions {
		words = append(words, a.String())
	}
	return words
}

// ErrNoAction is the error of a list of actions without any.
var ErrNoAction = errors.New("takes at least one of create, read, update, delete or all")

// ParseActions reads actions, separated by commas, or all.
func ParseActions(text string) (access.Actions, error) {
	var set access.Actions
	for word := range strings.SplitSeq(text, ",") {
		word = strings.TrimSpace(word)
		action, known := access.ParseAction(word)
		switch {
		case known:
			set |= access.Actions(action)
		case word == "all":
			set |= access.EveryAction
		case word == "" || word == "none":
			return 0, ErrNoAction
		default:
			if near := spelling.Nearest(word, ActionWords()); near != "" {
				return 0, fmt.Errorf("takes create, read, update, delete or all, not %s; did you mean %s?",
					phrase.Quote(word), near)
			}
			return 0, fmt.Errorf("takes create, read, update, delete or all, separated by commas, not %s", phrase.Quote(word))
		}
	}
	return set, nil
}

// ParseAccess reads RESOURCE=ACTIONS, or RESOURCE of what only one thing is done with.
func ParseAccess(text string) (model.ResourceAccess, error) {
	resource, words, ok := strings.Cut(text, "=")
	switch kind, _, actions := model.ResourceOf(resource); {
	case ok || actions == 0:
	case kind == model.KindFunction:
		return model.ResourceAccess{Resource: resource, Actions: access.ActionSet(access.Read)}, nil
	case actions != access.EveryAction:
		return model.ResourceAccess{Resource: resource, Actions: actions}, nil
	}
	if !ok || resource == "" {
		return model.ResourceAccess{},
			fmt.Errorf("takes RESOURCE=ACTIONS such as table/items=create,read, not %s", phrase.Quote(text))
	}
	actions, err := ParseActions(words)
	return model.ResourceAccess{Resource: resource, Actions: actions}, err
}

// AccessText is what ParseAccess reads.
func AccessText(a model.ResourceAccess) string {
	var words []string
	for _, action := range access.AllActions {
		if a.Actions.Has(action) {
			words = append(words, action.String())
		}
	}
	return a.Resource + "=" + strings.Join(words, ",")
}

// ParseStatement reads "[deny ]ACTION,... on RESOURCE,...", or a statement as JSON.
func ParseStatement(text string) (model.Statement, error) {
	wrong := fmt.Errorf("takes ACTIONS on RESOURCES such as %s, or a statement as JSON, not %s",
		phrase.Quote("ses:SendEmail on *"), phrase.Quote(text))
	s := model.Statement{Effect: model.Allow}
	if strings.HasPrefix(text, "{") {
		return readStatement(text)
	}
	actions, resources, ok := strings.Cut(text, " on ")
	if denied, is := strings.CutPrefix(actions, "deny "); is {
		s.Effect, actions = model.Deny, denied
	}
	if s.Action, s.Resource = model.SplitList(actions), model.SplitList(resources); !ok || len(s.Action) == 0 ||
		len(s.Resource) == 0 {
		return s, wrong
	}
	return s, nil
}

// readStatement reads a statement as JSON.
func readStatement(text string) (model.Statement, error) {
	var raw struct {
		Sid, Effect      string
		Action, Resource any
		Condition        json.RawMessage
	}
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&raw); err != nil {
		return model.Statement{}, fmt.Errorf("takes a statement with Effect, Action, Resource and Condition: %w", err)
	}
	texts := func(value any) (list model.Patterns) {
		if text, is := value.(string); is {
			return model.Patterns{text}
		}
		items, _ := value.([]any)
		for _, item := range items {
			list = append(list, fmt.Sprint(item))
		}
		return list
	}
	return model.Statement{
		Sid: raw.Sid, Effect: raw.Effect, Action: texts(raw.Action), Resource: texts(raw.Resource),
		Condition: model.CompactJSON(raw.Condition),
	}, nil
}

// CheckSecret refuses a secret that is given with its value. The error does not repeat it.
func CheckSecret(text string) error {
	if strings.ContainsRune(text, '=') {
		return errors.New("takes only the name of a secret: keep its value off the command line and out of the project's " +
			"files")
	}
	return nil
}
