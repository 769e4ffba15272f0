package traffic

import (
	"encoding/base64"
	"encoding/json"
	"maps"
	"slices"
	"unicode/utf8"
)

// readEvent fills in the headers and the body of the request from the input of the function,
// which has them.
func (d *Detail) readEvent() {
	if d.Event == "" || d.Headers != nil {
		return
	}
	var event struct {
		Headers map[string][]string `json:"multiValueHeaders"`
		Body    *string             `json:"body"`
		Base64  bool                `json:"isBase64Encoded"`
	}
	if json.Unmarshal([]byte(d.Event), &event) != nil {
		return
	}
	d.Headers = []Header{}
	for _, name := range slices.Sorted(maps.Keys(event.Headers)) {
		for _, value := range event.Headers[name] {
			d.Headers = append(d.Headers, Header{name, value})
		}
	}
	if event.Body == nil {
		return
	}
	d.Body, d.Base64 = *event.Body, event.Base64
	if !event.Base64 {
		return
	}
	// The body of a binary media type may be text.
	if body, err := base64.StdEncoding.DecodeString(d.Body); err == nil && utf8.Valid(body) {
		d.Body, d.Base64 = string(body), false
	}
}
