package client

import (
	"strings"

	"gatewright/internal/openapi"
)

// Functions of clientRuntime that read bodies.
const (
	readJSON = "readJSON"
	readText = "readText"
	readBlob = "readBlob"
	readAny  = "readAny"
	readNone = "readNothing"
)

// setAnswer sets the response of an operation, and the headers that say which media types are sent
// and wanted; sent is "" for the one that the library says by itself.
func (w *clientWriter) setAnswer(o *clientOperation, from *openapi.Operation, sent string) {
	w.use("Answer")
	var types []scriptType
	o.read = readNone
	accept := ""
	for _, a := range succeeding(w.types.Answers(from)) {
		body, read := "undefined", readNone
		if from.Method != "HEAD" && a.Status != "204" && a.Status != "205" {
			c, form := best(a.Contents)
			body, read = w.answerBody(c, form, len(a.Contents) == 0)
			if len(a.Contents) > 1 && accept == "" && !strings.Contains(c.MediaType, "*") {
				accept = c.MediaType
			}
		}
		switch {
		case o.read == readNone:
			o.read = read
		case read != readNone && read != o.read:
			o.read = readAny
		}
		types = append(types, scriptType{text: "Answer<" + statusType(a.Status) + ", " + body + ">"})
	}
	o.answer = unionOf(types...).text
	if types == nil {
		o.answer, o.read = "Answer<number, unknown>", readAny
	}
	var headers []string
	if accept != "" {
		headers = append(headers, "accept: "+String(accept))
	}
	if sent != "" {
		headers = append(headers, "'content-type': "+String(sent))
	}
	if headers != nil {
		o.headers = "{ " + strings.Join(headers, ", ") + " }"
	}
}

// answerBody returns the type of a body, and the function that reads it. nothing says that the
// document says nothing of it.
func (w *clientWriter) answerBody(c openapi.Content, form bodyForm, nothing bool) (body, read string) {
	switch {
	case nothing:
		return "unknown", readAny
	case openapi.TextOf(c.Schema.Get("type")) == "file":
		return "Blob", readBlob
	case form == jsonForm:
		return w.types.typeOf(c.Schema, typePlace{}).text, readJSON
	case form == anyForm:
		return w.types.typeOf(c.Schema, typePlace{}).text, readAny
	case form == textForm:
		return "string", readText
	}
	return "Blob", readBlob
}

// succeeding lists the answers that are no errors: the library fails for all others. The one by
// default counts if there is no other.
func succeeding(answers []openapi.Answer) []openapi.Answer {
	var list, standard []openapi.Answer
	for _, a := range answers {
		switch {
		case strings.HasPrefix(a.Status, "2"):
			list = append(list, a)
		case a.Status == "default":
			standard = append(standard, a)
		}
	}
	if list == nil {
		return standard
	}
	return list
}

// statusType is the type of a status code, of which a document may have only the first digit.
func statusType(status string) string {
	if len(status) != len("200") || strings.Trim(status, "0123456789") != "" {
		return "number"
	}
	return status
}
