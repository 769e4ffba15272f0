package request

import (
	"strings"

	"gatewright/internal/text/phrase"
	"gatewright/internal/text/prose"
	"gatewright/project/saved"
)

// The keys of the options of Imports; that of a saved request ends with its name.
const (
	fromEvent = "event"
	fromSaved = "saved:"
)

// Imports returns an option for each file that a form can be filled in from: the saved
// requests, and the event.json of the form's function. fill returns the form for an option,
// and the saved request, nil for event.json. problems are files that cannot be read.
func (s *Snapshot) Imports(
	f Form,
) (options []prose.Option, fill func(id string) (Form, *saved.File, error), problems []error) {
	files, problems := s.SavedRequests()
	for _, file := range files {
		options = append(options,
			prose.Option{Key: fromSaved + file.Name, Title: file.Name, Detail: savedWords(file.Request)})
	}
	if function := s.function(f); function != "" {
		options = append(options,
			prose.Option{
				Key: fromEvent, Title: "event.json",
				Detail: "the saved event of the function " + phrase.Quote(function),
			})
	}
	return options, func(id string) (Form, *saved.File, error) {
		name, isSaved := strings.CutPrefix(id, fromSaved)
		if !isSaved {
			filled, err := s.readEvent(f, s.function(f))
			return filled, nil, err
		}
		file, err := s.SavedRequest(name)
		if err != nil {
			return f, nil, err
		}
		filled, err := s.FromSaved(f.Environment, file.Request)
		return filled, &file, err
	}, problems
}

// savedWords describe a saved request in one line.
func savedWords(r saved.Request) string {
	words := r.Method + " " + r.Path
	if r.As != "" {
		words += " as " + r.As
	}
	if r.Expect != nil {
		words += ", with its expected response"
	}
	if r.Description != "" {
		words += "; " + r.Description
	}
	return words
}
