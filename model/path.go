package model

import (
	"errors"

	"gatewright/model/access"
)

// pathProblem returns what is wrong with a path, as a problem of its API; nil if nothing is. api
// is nil for a text that would be a path.
func pathProblem(api *access.API, err *access.PathError) *Problem {
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
	return root, pathProblem(api, err)
}

// CheckPath checks the path of an API. The error is a *Problem with Field "path".
func CheckPath(path string) error {
	_, err := access.ParsePath(path)
	if bad := (*access.PathError)(nil); errors.As(err, &bad) {
		return pathProblem(nil, bad)
	}
	return nil
}
