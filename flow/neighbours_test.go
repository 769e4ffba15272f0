package flow_test

import (
	"slices"
	"testing"

	"gatewright/flow/matrix"
	"gatewright/model/access"
)

func TestAMatrixSaysOnlyWhatConcernsItsPath(t *testing.T) {
	t.Parallel()
	private := func(name string, actions ...access.Action) *access.Path {
		return &access.Path{Name: name, Function: "f", Access: access.Access{Setting: access.Private}.With(users, access.ActionSet(actions...))}
	}
	books, book := private("/books", access.Read), private("/books/{isbn}", access.Read)
	paths := []*access.Path{books, book, private("/books/{isbn}/notes", access.Create)}
	around := func(of *access.Path, access access.Access) matrix.Matrix {
		return matrix.Matrix{Path: of.Name, Access: access}.WithNeighbours(of, paths)
	}
	for _, c := range []struct {
		of      *access.Path
		access  access.Access
		takenBy string
		want    []string
	}{
		{books, books.Access, "/books/{isbn}", nil},
		{books, books.Access.With(users, access.ActionSet(access.Read, access.Delete)), "/books/{isbn}", []string{
			"/books/{isbn} has its own rule below /books, and its own rule applies: signed-in users lose delete",
		}},
		{book, book.Access, "", []string{
			"/books/{isbn}/notes has its own rule below /books/{isbn}, and its own rule applies: signed-in users gain create, signed-in users lose read",
			"AWS refuses signed-in users requests such as POST /books/1/notes/notes: a policy cannot tell /books/{isbn}/notes from /books/{isbn}; give both the same rule",
		}},
	} {
		m := around(c.of, c.access)
		if m.TakenBy != c.takenBy || !slices.Equal(m.Around, c.want) {
			t.Errorf("%s: what is below goes to %q and around it is %q; want %q and %q", c.of.Name, m.TakenBy, m.Around, c.takenBy, c.want)
		}
	}
	if len(books.Access.Grants) != 1 {
		t.Error("the path itself has changed")
	}
}
