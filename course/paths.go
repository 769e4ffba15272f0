package course

import (
	"strings"

	"gatewright/flow"
	"gatewright/model"
)

func paths() Lesson {
	return Lesson{
		ID: "paths",
		Begin: func(b *model.Backend) flow.Task {
			if p := below(b); p != nil {
				return flow.Task{API: shop, Path: p.Name}
			}
			return flow.Task{API: shop}
		},
		Check: func(b *model.Backend, _ Facts) []string {
			all, missing := pathOf(b, shop, list)
			if all == nil {
				return missing
			}
			one, noBook := pathOf(b, shop, book)
			if one == nil {
				return append(missing, withoutBook(b, all))
			}
			missing = append(missing, noBook...)
			if one.Function == all.Function {
				missing = append(missing, book+" goes to the function "+model.Quote(one.Function)+", like "+list+". Give it one of its own, called book.")
			}
			return missing
		},
		Look: func(b *model.Backend) []string {
			return served(b, "GET /books", "GET /books/978", "GET /books/978/reviews", "GET /books/978/reviews/4")
		},
		Command: "gatewright add path shop '/books/{isbn}' --function book --new-function plain --open",
		solve:   walked(flow.Task{API: shop}, flow.Answers{Paths: []flow.PathAnswer{open(book, "book")}}),
	}
}

// withoutBook says what is there in place of the path of one book.
func withoutBook(b *model.Backend, all *model.Path) string {
	if p := below(b); p != nil {
		return "The path of one book is to be " + book + ". The one here is " + model.Quote(p.Name) + ": press enter and change it."
	}
	return "The API shop has no path " + book + " yet: a request for /books/978 still goes to the function " + model.Quote(all.Function) + "."
}

// below is the first path of the shop below /books, but for the one of a book;
// nil for none.
func below(b *model.Backend) *model.Path {
	api := b.API(shop)
	if api == nil || api.Path(book) != nil {
		return nil
	}
	for _, p := range api.Paths {
		if strings.HasPrefix(p.Name, list+"/") {
			return p
		}
	}
	return nil
}
