package model

import (
	"gatewright/model/access"
)

// PathProblem returns what is wrong with a path, as a problem of its API; nil if nothing is. api
// is nil for a text that would be a path.
func PathProblem(api *access.API, err *access.PathError) *Problem {
	switch {
	case err == nil:
		return nil
	case api == nil:
		return &Problem{Field: "path", Text: err.Text, Fix: err.Fix}
	}
	return &Problem{Of: Ref{Kind: KindPath, API: api.Label, Name: err.Of.Name}, Text: err.Text, Fix: err.Fix}
}

// ResourcesOf is API.Resources, whose error is a problem of the backend.
func ResourcesOf(api *access.API) (*access.Resource, *Problem) {
	root, err := api.Resources()
	return root, PathProblem(api, err)
}
