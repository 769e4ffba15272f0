package check_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"gatewright/internal/openapi"
	"gatewright/internal/openapi/check"
	"gatewright/internal/openapi/judge"
)

// FuzzCheck holds any request and answer against any contract. Nothing may panic or take long,
// and each finding is one printable line.
func FuzzCheck(f *testing.F) {
	f.Add([]byte(shop), "POST", "/books", "limit=1", "application/json", []byte(`{"title": 1, "tags": [null]}`))
	f.Add([]byte(shop), "GET", "/books/1%", "filter[year]=x&ids=1,a", "", []byte("[1e999999999, 1.5]"))
	f.Add([]byte(`{"swagger": "2.0", "paths": {"/{a}-{b}": {"post": {"parameters": [{"in": "formData", "name": "a", "type": "array"}]}}}}`), "POST", "/1-2", "a[b]=c", "application/x-www-form-urlencoded", []byte("a=1"))
	f.Add([]byte("openapi: 3.1.0\npaths: {/: {get: {requestBody: {content: {'*/*': {schema: &s {$ref: '#/paths/~1/get/requestBody/content/*~1*/schema', not: {items: *s}}}}}}}}"), "GET", "/", "", "a/b+json", []byte("[[]]"))
	f.Add([]byte("openapi: 3.0.0\npaths: {/{a: {get: {parameters: [{name: a, in: query, schema: {anyOf: [{type: object}, {oneOf: [{$ref: '#'}]}]}}]}}}"), "GET", "/{a", "a=1", "", []byte(nil))
	f.Add([]byte("openapi: 3.0.0\npaths: {/: {post: {requestBody: {content: {multipart/form-data: {schema: {properties: {a: {type: array, items: {type: object}}}}, encoding: {a: {contentType: 'a/*, b'}}}}}}}}"), "POST", "/", "", "multipart/form-data; boundary=b", []byte(parts("a\nContent-Type: application/json\n\n[[1]]", "a; filename=x\n\n{}")))
	f.Fuzz(func(t *testing.T, contract []byte, method, path, query, media string, body []byte) {
		d, err := openapi.Read("f", contract)
		if err != nil {
			return
		}
		start := time.Now()
		c := check.New(d)
		values, _ := url.ParseQuery(query)
		header := http.Header{"Cookie": {query}, "X-Trace": {path}}
		if media != "" {
			header["content-type"] = []string{media}
		}
		r := check.Request{Method: method, Path: path, Query: values, Header: header, Body: body}
		findings := c.Request(r)
		for _, status := range []int{0, 200, 404} {
			findings = append(findings, c.Answer(r, check.Answer{Status: status, Header: header, Body: body})...)
		}
		if len(findings) > 4*judge.Most {
			t.Errorf("%d findings", len(findings))
		}
		for _, finding := range append(findings, c.Unjudged()...) {
			if line := finding.String(); finding.Where == "" || finding.Text == "" || strings.ContainsAny(line, "\n\x1b") {
				t.Errorf("%q", line)
			}
		}
		if took := time.Since(start); took > time.Minute {
			t.Errorf("took %s", took)
		}
	})
}
