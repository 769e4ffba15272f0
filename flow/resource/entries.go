package resource

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/model/access"
)

// Entries are the entries of a list in a definition, as people write them: each in a line. The
// list is copied before it changes.
type Entries interface {
	// Lines are the entries as Put reads them, Names what tells them apart.
	Lines() []string
	Names() []string
	// Put reads an entry and puts it into the list, in the place of the one of its name.
	Put(line string) error
	// Add is Put that refuses the name of another entry, with a TwiceError, where the model does not.
	Add(line string) error
	// Remove removes the entry of a name, and reports whether there was one. The list becomes nil
	// without its last one.
	Remove(name string) bool
}

// TwiceError is the error of an entry whose name another has.
type TwiceError struct{ What, Name, Fix string }

func (e *TwiceError) Error() string { return e.What + phrase.Quote(e.Name) + " is named twice" + e.Fix }

// entries are Entries of a list of T.
type entries[T any] struct {
	list  *[]T
	read  func(line string) (T, error)
	write func(T) string
	name  func(T) string
	// what and fix are the beginning and the end of a TwiceError; without both there is none.
	what, fix string
}

// EntriesOf are the entries of the list that a field's value points to; nil for other values.
func EntriesOf(value any) Entries {
	switch list := value.(type) {
	case *[]string:
		same := func(text string) string { return text }
		return entries[string]{list, func(text string) (string, error) { return text, nil }, same, same, "", ""}
	case *[]model.Variable:
		write := func(v model.Variable) string { return v.Name + "=" + v.Value }
		name := func(v model.Variable) string { return v.Name }
		return entries[model.Variable]{list, ParseVariable, write, name, "the variable ", ""}
	case *[]model.ResourceAccess:
		name := func(a model.ResourceAccess) string { return a.Resource }
		return entries[model.ResourceAccess]{
			list, ParseAccess, AccessText, name, "", "; give its actions once, separated by commas",
		}
	case *[]model.Statement:
		return entries[model.Statement]{list, ParseStatement, model.Statement.Line, model.Statement.Line, "the policy ", ""}
	case *[]model.Index:
		name := func(i model.Index) string { return i.Name }
		return entries[model.Index]{list, ParseIndex, IndexText, name, "the index ", ""}
	case *[]model.StreamTrigger:
		name := func(t model.StreamTrigger) string { return t.Function }
		return entries[model.StreamTrigger]{list, ParseStreamTrigger, StreamTriggerText, name, "", ""}
	case *[]access.OriginsIn:
		name := func(in access.OriginsIn) string { return in.Environment }
		write := func(in access.OriginsIn) string { return in.Environment + "=" + strings.Join(in.Origins, ",") }
		return entries[access.OriginsIn]{list, parseOrigins, write, name, "the environment ", ""}
	}
	return nil
}

// parseOrigins reads ENV=ORIGIN,ORIGIN.
func parseOrigins(text string) (access.OriginsIn, error) {
	name, origins, ok := strings.Cut(text, "=")
	if name = strings.TrimSpace(name); !ok || name == "" {
		return access.OriginsIn{}, fmt.Errorf("%s lacks an environment; write ENV=ORIGIN,ORIGIN such as "+
			"prod=https://app.example", phrase.Quote(text))
	}
	return access.OriginsIn{Environment: name, Origins: model.SplitList(origins)}, nil
}

// Yes is a field that is on, as people write it.
const Yes = "yes"

// Lines are the value of a field as people write it: a line for each entry of a list, none for an empty value.
func Lines(value any) (lines []string) {
	line := ""
	switch v := value.(type) {
	case *string:
		line = *v
	case *int:
		if *v != 0 {
			line = strconv.Itoa(*v)
		}
	case *bool:
		if *v {
			line = Yes
		}
	case *model.Key:
		line = KeyText(*v)
	default:
		return EntriesOf(v).Lines()
	}
	if line == "" {
		return nil
	}
	return []string{line}
}

func mapped[T any](list []T, text func(T) string) []string {
	texts := make([]string, len(list))
	for i, item := range list {
		texts[i] = text(item)
	}
	return texts
}

func (e entries[T]) Lines() []string { return mapped(*e.list, e.write) }
func (e entries[T]) Names() []string { return mapped(*e.list, e.name) }

func (e entries[T]) Put(line string) error {
	item, err := e.read(line)
	if err == nil {
		e.put(item)
	}
	return err
}

func (e entries[T]) put(item T) {
	at := slices.Index(e.Names(), e.name(item))
	if *e.list = slices.Clone(*e.list); at < 0 {
		*e.list = append(*e.list, item)
		return
	}
	(*e.list)[at] = item
}

func (e entries[T]) Add(line string) error {
	item, err := e.read(line)
	switch {
	case err != nil:
		return err
	case e.what+e.fix != "" && slices.Contains(e.Names(), e.name(item)):
		return &TwiceError{e.what, e.name(item), e.fix}
	}
	*e.list = append(slices.Clip(*e.list), item)
	return nil
}

func (e entries[T]) Remove(name string) bool {
	next := slices.DeleteFunc(slices.Clone(*e.list), func(item T) bool { return e.name(item) == name })
	if len(next) == len(*e.list) {
		return false
	}
	if *e.list = next; len(next) == 0 {
		*e.list = nil
	}
	return true
}
