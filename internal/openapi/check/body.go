package check

import (
	"errors"
	"mime"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"unicode/utf8"

	"gatewright/internal/cfn"
	"gatewright/internal/openapi"
	"gatewright/internal/openapi/judge"
	"gatewright/internal/text/phrase"
)

// content is a form that a body may have.
type content struct {
	media  string
	schema *judge.Schema
	// fieldMedia are the media types that fields of a form with files may have.
	fieldMedia map[string]fieldMedia
}

const (
	formMedia = "application/x-www-form-urlencoded"
	// A body of textMedia is held against a schema of texts and numbers. Many documents give
	// the schema of their JSON to it too, of objects and lists.
	textMedia = "text/plain"
)

func (m maker) contents(list []openapi.Content) []content {
	contents := make([]content, len(list))
	for i, c := range list {
		contents[i] = content{mediaOf(c.MediaType), m.rules.Schema(c.Schema), m.fieldMedia(c.Encoding)}
	}
	return contents
}

// form makes the fields of a form of Swagger 2.0 ready.
func (m maker) form(o *openapi.Operation) []parameter {
	if !m.document.Swagger() {
		return nil
	}
	var fields []parameter
	known := make(map[string]bool)
	for _, list := range []*cfn.Node{o.Node.Get("parameters"), m.document.Extension(o.Item, "parameters")} {
		if list == nil {
			continue
		}
		for _, entry := range list.Items {
			node, err := m.document.Resolve(entry)
			if err != nil || openapi.TextOf(node.Get("in")) != "formData" {
				continue
			}
			if name := openapi.TextOf(node.Get("name")); name != "" && !known[name] {
				known[name] = true
				field := m.parameter(name, "form", openapi.IsTrue(node.Get("required")), node, node)
				if openapi.TextOf(node.Get("type")) == "file" {
					field.schema = nil
				}
				fields = append(fields, field)
			}
		}
	}
	return fields
}

// mediaOf returns a media type without its parameters, in small letters.
func mediaOf(text string) string {
	if media, _, err := mime.ParseMediaType(text); err == nil {
		return media
	}
	media, _, _ := strings.Cut(text, ";")
	return strings.ToLower(strings.TrimSpace(media))
}

func isJSON(media string) bool {
	return media == "application/json" || media == "text/json" || strings.HasSuffix(media, "+json")
}

// contentFor returns the content of a media type: of the contents that have it, the one that
// says most about it.
func contentFor(contents []content, media string) (content, bool) {
	kind, _, _ := strings.Cut(media, "/")
	for _, wanted := range []string{media, kind + "/*", "*/*"} {
		for _, c := range contents {
			if c.media == wanted {
				return c, true
			}
		}
	}
	return content{}, false
}

func (j *judgement) requestBody(o *operation, r Request) {
	switch {
	case len(o.form) > 0:
		j.fields(o, r)
	case o.body == nil:
	case len(r.Body) == 0:
		if o.body.Required {
			j.add("body", "is missing", o.place)
		}
	case len(o.contents) > 0:
		j.body(o.contents, r.Header, r.Body, o.place, false)
	}
}

// fields judges a form of Swagger 2.0.
func (j *judgement) fields(o *operation, r Request) {
	media := formMedia
	given := headerValues(r.Header, "Content-Type")
	if len(given) > 0 {
		media = mediaOf(given[0])
	}
	if media != formMedia && media != multipartMedia {
		return
	}
	body, ok := j.unpacked(r.Header, r.Body, o.place)
	if !ok {
		return
	}
	values, err := url.ParseQuery(string(body))
	files := make(map[string]bool)
	if media == multipartMedia {
		values, files, err = textsOf(given[0], body)
	}
	if err != nil {
		j.add("body", "is not a form that can be read", o.place)
		return
	}
	for _, p := range o.form {
		if files[p.name] {
			p.schema = nil
		}
		j.parameter(p, "body "+judge.Token(p.name), values[p.name])
	}
}

// body judges a body that is there. plain says that a body without a media type is JSON if the
// contract has it, as API Gateway takes what functions answer
// (https://docs.aws.amazon.com/apigateway/latest/developerguide/handle-errors-in-lambda-integration.html).
func (j *judgement) body(contents []content, header http.Header, body []byte, at place, plain bool) {
	var media string
	given := headerValues(header, "Content-Type")
	switch {
	case len(given) > 0 && given[0] != "":
		media = mediaOf(given[0])
	case plain:
		media = "application/json"
	default:
		j.add("header Content-Type", "is missing", at)
		return
	}
	c, ok := contentFor(contents, media)
	if !ok {
		var has []string
		for _, c := range contents {
			has = append(has, phrase.Quote(c.media))
		}
		j.add("header Content-Type", "is "+phrase.Quote(media)+", and the contract has "+joined(has), at)
		return
	}
	if c.schema == nil && !isJSON(media) {
		return
	}
	if body, ok = j.unpacked(header, body, at); !ok {
		return
	}
	switch {
	case isJSON(media):
		j.json("body", body, c.schema, at)
	case media == formMedia:
		values, err := url.ParseQuery(string(body))
		if err != nil {
			j.add("body", "is not a form that can be read", at)
			return
		}
		j.addAll("body", j.run.Judge(c.schema, objectOf(j.run, c.schema, values)))
	case media == multipartMedia:
		j.multipart(c, given[0], body, at)
	case media == textMedia && c.schema.Kinds()&composite == 0 && utf8.Valid(body):
		_, faults := style{}.convert(j.run, c.schema, []string{string(body)})
		j.addAll("body", faults)
	}
}

// json judges a text of JSON.
func (j *judgement) json(part string, text []byte, schema *judge.Schema, at place) {
	value, err := cfn.ParseJSON(part, text)
	if err != nil {
		j.noJSON(part, err, at)
		return
	}
	j.addAll(part, j.run.Judge(schema, value))
}

// noJSON says where a text cannot be read.
func (j *judgement) noJSON(part string, err error, at place) {
	if fault, ok := errors.AsType[*cfn.SyntaxError](err); ok {
		j.add(part, "cannot be read at line "+strconv.Itoa(fault.Line)+", column "+
			strconv.Itoa(fault.Column)+": "+fault.Text, at)
	}
}

func indexToken(i int) string { return "/" + strconv.Itoa(i) }

// moved returns a value that a text was made into, at its place in a larger one.
func moved(v *cfn.Node, before string) *cfn.Node {
	if v == nil {
		return &cfn.Node{Pointer: before}
	}
	at := *v
	at.Pointer = before + v.Pointer
	for i, item := range at.Items {
		at.Items[i] = moved(item, before)
	}
	for i := range at.Members {
		at.Members[i].Value = moved(at.Members[i].Value, before)
	}
	return &at
}
