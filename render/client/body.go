package client

import (
	"slices"
	"strings"

	"gatewright/internal/cfn"
	"gatewright/internal/openapi"
	"gatewright/internal/text/phrase"
)

// bodyForm is how the library and the client handle a body of some media type.
type bodyForm uint8

// The forms of bodies, those that a client takes first before others.
const (
	jsonForm bodyForm = iota
	// anyForm is a media type with a * for a part: the answer says which it is.
	anyForm
	fileForm
	textForm
	bytesForm
)

// formOf returns the form of a media type.
func formOf(mediaType string) bodyForm {
	kind, _, _ := strings.Cut(strings.ToLower(mediaType), ";")
	kind = strings.TrimSpace(kind)
	switch {
	case kind == "application/json", kind == "text/json", strings.HasSuffix(kind, "+json"):
		return jsonForm
	case strings.HasPrefix(kind, "*/"), kind == "application/*", kind == "*":
		return anyForm
	case kind == "multipart/form-data":
		return fileForm
	case strings.HasPrefix(kind, "text/"), kind == "application/xml", strings.HasSuffix(kind, "+xml"):
		return textForm
	}
	return bytesForm
}

// best returns the content that a client takes: of the first form, and of that the first.
func best(contents []openapi.Content) (c openapi.Content, form bodyForm) {
	form = bytesForm + 1
	for _, other := range contents {
		if f := formOf(other.MediaType); f < form {
			c, form = other, f
		}
	}
	return c, form
}

// clientBody is the body of a request. member is nil for none, and mediaType is "" for the one
// that the library says by itself.
type clientBody struct {
	member    *typeMember
	mediaType string
}

// bodyOf returns the body that an operation takes. unsendable lists the media types if the
// library can send none of them.
func (w *clientWriter) bodyOf(from *openapi.Operation) (body clientBody, unsendable string) {
	if !mayHaveBody(from.Method) {
		return clientBody{}, ""
	}
	d := w.types.Document
	takes := d.Body(from)
	if takes == nil && strings.HasSuffix(from.Pointer, "/"+openapi.ExtensionAnyMethod) {
		return clientBody{member: &typeMember{name: "body", text: "unknown", optional: true}}, ""
	}
	if takes == nil {
		return w.formData(from)
	}
	c, form := best(takes.Contents)
	member := typeMember{name: "body", optional: !takes.Required}
	switch {
	case len(takes.Contents) == 0:
		member.text = "unknown"
	case form == fileForm:
		member.text = "FormData"
	case form > fileForm:
		var kinds []string
		for _, c := range takes.Contents {
			kinds = append(kinds, c.MediaType)
		}
		return clientBody{}, phrase.List(kinds)
	default:
		member.text = w.types.typeOf(c.Schema, typePlace{sent: true, level: 1}).text
		if form == jsonForm && !strings.EqualFold(c.MediaType, "application/json") {
			body.mediaType = c.MediaType
		}
	}
	body.member = &member
	return body, ""
}

// formData returns the body of an operation of Swagger 2.0 that takes the fields of a form.
func (w *clientWriter) formData(from *openapi.Operation) (body clientBody, unsendable string) {
	d := w.types.Document
	if !d.Swagger() {
		return clientBody{}, ""
	}
	takes := from.Node.Get("consumes")
	if takes == nil {
		takes = d.Root.Get("consumes")
	}
	for _, entry := range append(openapi.ItemsOf(from.Node.Get("parameters")),
		openapi.ItemsOf(d.Extension(from.Item, "parameters"))...) {
		n, err := d.Resolve(entry)
		if err != nil || openapi.TextOf(n.Get("in")) != "formData" {
			continue
		}
		isFile := openapi.TextOf(n.Get("type")) == "file"
		if !isFile &&
			!slices.ContainsFunc(openapi.ItemsOf(takes), func(kind *cfn.Node) bool { return formOf(kind.Text) == fileForm }) {
			return clientBody{}, "application/x-www-form-urlencoded"
		}
		return clientBody{member: &typeMember{name: "body", text: "FormData"}}, ""
	}
	return clientBody{}, ""
}
