package example_test

import (
	"testing"

	"gatewright/internal/openapi/example"
)

func TestTheAnswerIsTheOneThatIsAskedFor(t *testing.T) {
	t.Parallel()
	const text = `openapi: 3.0.0
paths:
  /books:
    get:
      responses:
        '404': {content: {application/json: {examples: {gone: {value: no}}}}}
        4XX: {content: {application/json: {examples: {other: {value: 4}}}}}
        default: {content: {application/json: {examples: {bad: {value: 5}}}}}
        '200':
          content:
            text/plain: {examples: {plain: {value: text}}}
            application/json:
              examples:
                one: {value: 1}
                two: {value: 2}
                away: {externalValue: 'https://example.com/1'}
        '201': {content: {application/json: {examples: {two: {value: 3}}}}}
`
	d := read(t, text)
	for _, row := range []struct {
		wanted example.Preference
		want   string
	}{
		{example.Preference{}, "200 application/json 1"},
		{example.Preference{Example: "two"}, "200 application/json 2"},
		{example.Preference{Example: "plain"}, "200 text/plain text"},
		{example.Preference{Example: "gone"}, `404 application/json "no"`},
		{example.Preference{Status: 201, Example: "two"}, "201 application/json 3"},
		{example.Preference{Status: 404}, `404 application/json "no"`},
		{example.Preference{Status: 418}, "418 application/json 4"},
		{example.Preference{Status: 500}, "500 application/json 5"},
		{example.Preference{Status: 404, Example: "two"}, "GET /books: the contract has no example two of its response 404; ask for one that it has (gone), or add it"},
		{
			example.Preference{Example: "three"},
			"GET /books: the contract has no example three of it; ask for one that it has (gone, other, bad, plain, one, two, away), or add it",
		},
		{example.Preference{Example: "away"}, "GET /books: the example away has no value in the contract; write its value there, at line 16"},
	} {
		if got := inWords(example.Preferred(d, d.Items[0].Operations[0], row.wanted)); got != row.want {
			t.Errorf("%+v: %s, want %s", row.wanted, got, row.want)
		}
	}
}
