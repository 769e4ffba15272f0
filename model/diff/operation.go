package diff

import (
	"gatewright/model"
)

// Operation is what a push does to a resource.
type Operation uint8

// The operations. They begin with To because Create, Update and Delete are of type Action.
const (
	NoChange Operation = iota
	ToCreate
	ToUpdate
	ToDelete
)

// String returns the word for people: "No change", "Create", "Update" or "Delete".
func (o Operation) String() string {
	switch o {
	case ToCreate:
		return "Create"
	case ToUpdate:
		return "Update"
	case ToDelete:
		return "Delete"
	}
	return "No change"
}

// MarshalText gives the word for programs: no-change, create, update or delete. It never fails.
func (o Operation) MarshalText() ([]byte, error) {
	switch o {
	case ToCreate:
		return []byte("create"), nil
	case ToUpdate:
		return []byte("update"), nil
	case ToDelete:
		return []byte("delete"), nil
	}
	return []byte("no-change"), nil
}

// Difference is what a push would do to one resource, and why.
type Difference struct {
	// Of is the resource; the user pool, the data API and the bucket have no name.
	Of        model.Ref
	Operation Operation
	// Reasons are printable lines. An update has at least one, NoChange none. Their number is not limited.
	Reasons []string
}
