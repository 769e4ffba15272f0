package handler

import (
	"encoding/base64"
	"encoding/json"

	"gatewright/model"
	"gatewright/model/access"
)

// event is the content of event.json: the part of the event of API Gateway that a person edits to test a function.
type event struct {
	HTTPMethod            string            `json:"httpMethod"`
	Path                  string            `json:"path"`
	QueryStringParameters map[string]string `json:"queryStringParameters"`
	Headers               map[string]string `json:"headers"`
	Body                  string            `json:"body"`
}

// Event returns the content of the function's event.json: a POST to its first path, which the new function answers
// with 200. The body for a CRUD function is an item with the keys of its table.
func Event(s Spec) []byte {
	body := map[string]any{"msg": "Hello from the event.json body"}
	if s.Template == model.CRUD && s.Table != nil {
		body = exampleItem(s.Table)
	}
	text, err := json.Marshal(body)
	if err != nil {
		text = []byte("{}")
	}
	return indented(event{
		HTTPMethod:            "POST",
		Path:                  access.ExamplePath(s.paths()),
		QueryStringParameters: map[string]string{"limit": "10"},
		Headers:               map[string]string{"Content-Type": "application/json"},
		Body:                  string(text),
	})
}

func exampleItem(t *model.Table) map[string]any {
	item := map[string]any{"msg": "Hello from the event.json body"}
	for _, key := range keys(t) {
		switch key.Type {
		case model.StringKey:
			item[key.Name] = "1"
		case model.NumberKey:
			item[key.Name] = 1
		case model.BinaryKey:
			item[key.Name] = base64.StdEncoding.EncodeToString([]byte("1"))
		}
	}
	return item
}
