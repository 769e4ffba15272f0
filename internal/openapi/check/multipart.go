package check

import (
	"bytes"
	"cmp"
	"errors"
	"io"
	"maps"
	"mime"
	"mime/multipart"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"gatewright/internal/cfn"
	"gatewright/internal/openapi"
	"gatewright/internal/openapi/judge"
	"gatewright/internal/text/phrase"
)

// A form with files has a part for each value of its fields
// (https://www.rfc-editor.org/rfc/rfc7578). Texts are judged as those of other forms, JSON as
// that, and of files only that they are there, with their media types
// (https://spec.openapis.org/oas/v3.1.0.html#special-considerations-for-multipart-content).

const multipartMedia = "multipart/form-data"

// fieldMedia are the media types of a field, with their place in the contract.
type fieldMedia struct {
	place
	types []string
}

// fieldMedia reads the content types of an encoding.
func (m maker) fieldMedia(encoding *cfn.Node) map[string]fieldMedia {
	fields := make(map[string]fieldMedia)
	for _, member := range openapi.MembersOf(encoding) {
		node, err := m.document.Resolve(member.Value)
		if err != nil {
			continue
		}
		at := node.Get("contentType")
		text := openapi.TextOf(at)
		if text == "" {
			continue
		}
		f := fieldMedia{place: placeOfNode(at)}
		for media := range strings.SplitSeq(text, ",") {
			f.types = append(f.types, mediaOf(media))
		}
		fields[member.Name] = f
	}
	return fields
}

// takes reports whether a media type is one of those.
func (f fieldMedia) takes(media string) bool {
	kind, _, _ := strings.Cut(media, "/")
	return slices.Contains(f.types, media) || slices.Contains(f.types, kind+"/*") || slices.Contains(f.types, "*/*")
}

// field is one part of a form with files.
type field struct {
	text []byte
	// media is its media type; a part that says none is text.
	media string
	// file says that its content is not judged.
	file bool
}

// fieldsOf reads a form with files: the parts of each field.
func fieldsOf(contentType string, body []byte) (map[string][]field, error) {
	_, parameters, err := mime.ParseMediaType(contentType)
	if err != nil {
		return nil, err
	}
	if boundary := parameters["boundary"]; boundary == "" || !bytes.Contains(body, []byte("--"+boundary)) {
		return nil, errors.New("there is no boundary")
	}
	fields := make(map[string][]field)
	reader := multipart.NewReader(bytes.NewReader(body), parameters["boundary"])
	for {
		part, err := reader.NextPart()
		if errors.Is(err, io.EOF) {
			return fields, nil
		}
		if err != nil {
			return nil, err
		}
		f := field{media: mediaOf(cmp.Or(part.Header.Get("Content-Type"), "text/plain"))}
		if f.text, err = io.ReadAll(part); err != nil {
			return nil, err
		}
		f.file = part.FileName() != "" || !isJSON(f.media) && !strings.HasPrefix(f.media, "text/") || !utf8.Valid(f.text)
		fields[part.FormName()] = append(fields[part.FormName()], f)
	}
}

// textsOf reads the fields of a form with files as texts, and which of them are files.
func textsOf(contentType string, body []byte) (values url.Values, files map[string]bool, err error) {
	fields, err := fieldsOf(contentType, body)
	values, files = make(url.Values), make(map[string]bool)
	for name, parts := range fields {
		for _, f := range parts {
			values[name] = append(values[name], string(f.text))
			files[name] = files[name] || f.file
		}
	}
	return values, files, err
}

// multipart judges a form with files.
func (j *judgement) multipart(c content, contentType string, body []byte, at place) {
	fields, err := fieldsOf(contentType, body)
	if err != nil {
		j.add("body", "is not a form that can be read", at)
		return
	}
	form := form{judgement: j, at: at}
	object := &cfn.Node{Kind: cfn.Map}
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		pointer := judge.Token(name)
		if media, ok := c.fieldMedia[name]; ok {
			for _, f := range fields[name] {
				if !media.takes(f.media) {
					j.add("body "+pointer,
						"has the content type "+phrase.Quote(f.media)+", and the contract has "+phrase.List(media.types), media.place)
				}
			}
		}
		value := form.value(c.schema.Property(name), fields[name], pointer)
		object.Members = append(object.Members, cfn.Member{Name: name, Value: moved(value, pointer)})
	}
	faults := j.run.Judge(c.schema, object)
	j.addAll("body", slices.DeleteFunc(faults, func(f judge.Fault) bool {
		return f.Text != judge.Unknown && slices.ContainsFunc(form.files, func(file string) bool { return f.Pointer == file })
	}))
}

// form makes values of the parts of a form.
type form struct {
	*judgement
	at place
	// files are the pointers of what is not judged.
	files []string
}

// value makes the value of a field.
func (m *form) value(schema *judge.Schema, parts []field, pointer string) *cfn.Node {
	kinds := schema.Kinds()
	if kinds&judge.Array == 0 || kinds == judge.All {
		return m.single(schema, parts[0], pointer)
	}
	// The items have a part each, or all are in one of JSON.
	if len(parts) == 1 && isJSON(parts[0].media) {
		if whole, err := cfn.ParseJSON(pointer, parts[0].text); err == nil && whole.Kind == cfn.List {
			return whole
		}
	}
	list := &cfn.Node{Kind: cfn.List}
	for i, part := range parts {
		list.Items = append(list.Items, moved(m.single(schema.Items(), part, pointer+indexToken(i)), indexToken(i)))
	}
	return list
}

// single makes the value of one part.
func (m *form) single(schema *judge.Schema, part field, pointer string) *cfn.Node {
	kinds := schema.Kinds()
	text := kinds&judge.String != 0
	if isJSON(part.media) && kinds != judge.String || !part.file && kinds&judge.Object != 0 && !text {
		value, err := cfn.ParseJSON(pointer, part.text)
		if err == nil {
			return value
		}
		if !text {
			m.noJSON("body "+pointer, err, m.at)
			part.file = true
		}
	}
	if part.file {
		m.files = append(m.files, pointer)
		return &cfn.Node{Kind: cfn.String}
	}
	value, _ := style{}.convert(m.run, schema, []string{string(part.text)})
	return value
}
