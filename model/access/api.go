package access

import (
	"gatewright/internal/text/phrase"
	"gatewright/model/field"
)

// API is one REST API: a label and its paths in the order of its file.
type API struct {
	Label string
	// BinaryMediaTypes are the media types whose bodies are bytes and not text, such as image/png, image/* or */*
	// (https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-payload-encodings.html).
	BinaryMediaTypes []string
	// CORS is in its settings.json.
	CORS  CORS
	Paths []*Path
}

// Path is one path of an API: a main resource and a proxy resource that one handler function serves.
type Path struct {
	Name string
	// Function is the resource name of the handler function.
	Function string
	Access   Access
}

// Fields are the fields of cli-inputs.json next to the paths.
func (a *API) Fields() []field.Row {
	return []field.Row{{Name: "binaryMediaTypes", Flag: "binary-media-types", Value: &a.BinaryMediaTypes}}
}

// Version is that of its cli-inputs.json: 2 next to settings, which a program that reads version 1 alone would
// not heed, and so serve pages that they keep out.
func (a *API) Version() int {
	if a.CORS.IsDefault() {
		return 1
	}
	return 2
}

// Path finds a path by its name; nil when there is none.
func (a *API) Path(name string) *Path {
	if i := a.Index(name); i >= 0 {
		return a.Paths[i]
	}
	return nil
}

// Index returns the position of the path with a name; -1 if there is none.
func (a *API) Index(name string) int {
	for i, p := range a.Paths {
		if p.Name == name {
			return i
		}
	}
	return -1
}

// Functions lists the functions that serve the API, each once, in the order in which its paths first name them.
func (a *API) Functions() []string {
	seen := make(map[string]bool)
	var names []string
	for _, p := range a.Paths {
		if !seen[p.Function] {
			seen[p.Function] = true
			names = append(names, p.Function)
		}
	}
	return names
}

// Groups lists the groups that the API's paths name, each once, in order of appearance.
func (a *API) Groups() []string {
	seen := make(map[string]bool)
	var names []string
	for _, p := range a.Paths {
		for _, g := range p.Access.Groups() {
			if !seen[g] {
				seen[g] = true
				names = append(names, g)
			}
		}
	}
	return names
}

// BinaryWords says which bodies of an API are bytes: "binary media types image/png, image/*".
func (a *API) BinaryWords() string {
	if len(a.BinaryMediaTypes) == 0 {
		return "no binary media types"
	}
	noun := "binary media types "
	if len(a.BinaryMediaTypes) == 1 {
		noun = "binary media type "
	}
	return noun + phrase.QuoteList(a.BinaryMediaTypes)
}

// Key is the name under which a backend lists the API.
func (a *API) Key() string { return a.Label }
