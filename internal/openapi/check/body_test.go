package check_test

import (
	"bytes"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"gatewright/internal/openapi/check"
)

// parts writes a form with files, with the boundary b, of parts such as "name; filename=a\n\ntext".
func parts(all ...string) string {
	var b strings.Builder
	for _, part := range all {
		head, text, _ := strings.Cut(part, "\n\n")
		name, lines, _ := strings.Cut(head, "\n")
		name, more, _ := strings.Cut(name, ";")
		fmt.Fprintf(&b, "--b\r\nContent-Disposition: form-data; name=%q;%s\r\n", name, more)
		if lines != "" {
			b.WriteString(strings.ReplaceAll(lines, "\n", "\r\n") + "\r\n")
		}
		b.WriteString("\r\n" + text + "\r\n")
	}
	return b.String() + "--b--\r\n"
}

func TestTheFieldsOfAFormWithFilesAreHeldAgainstTheContract(t *testing.T) {
	t.Parallel()
	c := contractOf(t, `openapi: 3.0.3
paths:
  /books:
    post:
      requestBody:
        content:
          multipart/form-data:
            schema:
              type: object
              required: [title, cover]
              additionalProperties: false
              properties:
                title: {type: string, maxLength: 5}
                pages: {type: integer}
                tags: {type: array, items: {type: integer}, maxItems: 3}
                author: {type: object, required: [name]}
                cover: {type: string, format: binary, minLength: 1}
                more: {type: array, items: {type: string, format: binary}}
            encoding:
              cover: {contentType: "image/png, image/jpeg"}
              more: {contentType: image/*}
`)
	const cover = "cover; filename=c.png\nContent-Type: image/png\n\n\x89PNG\x00"
	for _, tt := range []struct{ body, want string }{
		{parts("title\n\nEmma", cover), ""},
		{parts("title\n\nEmma", cover, "pages\n\n7", "tags\n\n1", "tags\n\n2", "author\n\n{\"name\": \"Jane\"}", "more; filename=a\nContent-Type: image/gif\n\nGIF", "more; filename=b\nContent-Type: image/gif\n\nGIF"), ""},
		{parts("title\n\nEmma", cover, "tags\nContent-Type: application/json\n\n[1, 2]", "author; filename=blob\nContent-Type: application/json\n\n{\"name\": \"Jane\"}"), ""},
		{parts("title\n\nEmma"), "body /cover is missing"},
		{parts(cover, "pages\n\nmany"), "body /title is missing\nbody /pages is a string and not an integer"},
		{parts("title\n\nPersuasion", cover), "body /title has 10 characters and not at most 5"},
		{parts("title\n\nEmma", cover, "tags\n\n1", "tags\n\nx"), "body /tags/1 is a string and not an integer"},
		{parts("title\n\nEmma", cover, "tags\nContent-Type: application/json\n\n[1, \"x\"]"), "body /tags/1 is a string and not an integer"},
		{parts("title\n\nEmma", cover, "author\n\n{}"), "body /author/name is missing"},
		{parts("title\n\nEmma", cover, "author\n\nJane"), "body /author cannot be read at line 1, column 1: this is not JSON (invalid character 'J' at start of value): correct the text here"},
		{parts("title\n\nEmma", cover, "color\n\nred", "x; filename=x\n\nx"), "body /color is a property that the contract does not have\nbody /x is a property that the contract does not have"},
		{parts("title\n\nEmma", "cover; filename=c\nContent-Type: text/html\n\n<p>"), "body /cover has the content type text/html, and the contract has image/png, image/jpeg"},
		{parts("title\n\nEmma", "cover\n\nx"), "body /cover has the content type text/plain, and the contract has image/png, image/jpeg"},
		{parts("title\n\nEmma", cover, "more; filename=a\nContent-Type: text/css\n\na"), "body /more has the content type text/css, and the contract has image/*"},
		{"--b\r\nContent-Disposition: form-data; name=title\r\n\r\nEm", "body is not a form that can be read"},
		{"title=Emma", "body is not a form that can be read"},
	} {
		if got := said(c.Request(requestOf(t, "POST /books\nContent-Type: multipart/form-data; boundary=b\n\n"+tt.body))); got != tt.want {
			t.Errorf("%q:\n%s\nwant\n%s", tt.body, got, tt.want)
		}
	}
	if got := said(c.Request(requestOf(t, "POST /books\nContent-Type: multipart/form-data\n\nx"))); got != "body is not a form that can be read" {
		t.Errorf("without a boundary: %s", got)
	}
}

// packed compresses a text.
func packed(t *testing.T, text string, with func(io.Writer) io.WriteCloser) string {
	t.Helper()
	var b bytes.Buffer
	w := with(&b)
	if _, err := io.WriteString(w, text); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func withGzip(w io.Writer) io.WriteCloser { return gzip.NewWriter(w) }
func withZlib(w io.Writer) io.WriteCloser { return zlib.NewWriter(w) }

func withFlate(w io.Writer) io.WriteCloser {
	f, _ := flate.NewWriter(w, flate.BestSpeed)
	return f
}

func TestCompressedBodiesAreHeldAgainstTheContract(t *testing.T) {
	t.Parallel()
	c := contractOf(t, shop)
	const book, wants = `{"title": 1}`, "body /title is an integer and not a string"
	small := packed(t, book, withGzip)
	bomb := packed(t, strings.Repeat(" ", 20<<20), withGzip)
	for _, tt := range []struct {
		encoding, body, want string
		unchecked            bool
	}{
		{"gzip", small, wants, false},
		{"X-GZIP", small, wants, false},
		{"deflate", packed(t, book, withZlib), wants, false},
		{"deflate", packed(t, book, withFlate), wants, false},
		{"identity, deflate, gzip", packed(t, packed(t, book, withZlib), withGzip), wants, false},
		{"", book, wants, false},
		{"gzip", small[:len(small)-3], "header Content-Encoding is gzip, and the body cannot be unpacked so", false},
		{"gzip", book, "header Content-Encoding is gzip, and the body cannot be unpacked so", false},
		{"br", book, "body was not checked, because it is compressed as br, and only gzip and deflate are unpacked", true},
		{"gzip,gzip,gzip,gzip", small, "body was not checked, because it is compressed more than 3 times", true},
		{"gzip", bomb, "body was not checked, because it has more than 1048576 bytes", true},
		{"gzip, gzip", packed(t, bomb, withGzip), "body was not checked, because it has more than 1048576 bytes", true},
	} {
		findings := c.Request(check.Request{
			Method: "POST", Path: "/books", Header: http.Header{"Content-Type": {"application/json"}, "Content-Encoding": {tt.encoding}}, Body: []byte(tt.body),
		})
		if got := said(findings); got != tt.want || len(findings) != 1 || findings[0].Unchecked != tt.unchecked {
			t.Errorf("%s: %+v, want %s", tt.encoding, findings, tt.want)
		}
	}
}
