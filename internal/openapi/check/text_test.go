package check_test

import "testing"

func TestTextsAreHeldAgainstSchemasOfTexts(t *testing.T) {
	t.Parallel()
	c := contractOf(t, `openapi: 3.0.3
paths:
  /text: {post: {requestBody: {content: {text/plain: {schema: {type: string, maxLength: 3}}, text/html: {schema: {type: string, maxLength: 3}}}}}}
  /number: {post: {requestBody: {content: {text/*: {schema: {type: integer}}}}}}
  /object: {post: {requestBody: {content: {text/plain: {schema: {type: object}}}}}}
`)
	for request, want := range map[string]string{
		"POST /text\nContent-Type: text/plain; charset=utf-8\n\nabc": "",
		"POST /text\nContent-Type: text/plain\n\nabcd":               "body has 4 characters and not at most 3",
		"POST /text\nContent-Type: text/html\n\nabcd":                "",
		"POST /text\nContent-Type: text/plain\n\n\xff\xff\xff\xff":   "",
		"POST /number\nContent-Type: text/plain\n\n7":                "",
		"POST /number\nContent-Type: text/plain\n\nseven":            "body is a string and not an integer",
		"POST /object\nContent-Type: text/plain\n\n{}":               "",
	} {
		if got := said(c.Request(requestOf(t, request))); got != want {
			t.Errorf("%q:\n%s\nwant\n%s", request, got, want)
		}
	}
}

func TestTheNamesOfAnObjectInAQueryAreNoPropertiesOfAnotherOne(t *testing.T) {
	t.Parallel()
	c := contractOf(t, `openapi: 3.0.3
paths:
  /:
    get:
      parameters:
        - {name: filter, in: query, style: deepObject, schema: {type: object, properties: {year: {type: integer}}}}
        - {name: more, in: query, schema: {type: object, additionalProperties: {type: integer}}}
`)
	for request, want := range map[string]string{
		"GET /?filter[year]=1&filter[words][]=a&size=1": "",
		"GET /?filter[year]=a&size=b":                   "query filter /year is a string and not an integer\nquery more /size is a string and not an integer",
	} {
		if got := said(c.Request(requestOf(t, request))); got != want {
			t.Errorf("%q:\n%s\nwant\n%s", request, got, want)
		}
	}
}
