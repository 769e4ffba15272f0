package course

import (
	"encoding/json"
	"fmt"
	"strings"

	"gatewright/model"
)

func testAndPush() Lesson {
	return Lesson{
		ID:      "testing",
		Place:   InConsole,
		Check:   checkTesting,
		Command: "gatewright mock function books && gatewright call GET /books && gatewright push",
		Event:   "books",
		Recorded: `{
  "statusCode": 200,
  "headers": {
    "access-control-allow-origin": "*",
    "access-control-allow-headers": "Origin, X-Requested-With, Content-Type, Accept",
    "access-control-allow-methods": "DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT",
    "content-type": "application/json; charset=utf-8"
  },
  "body": "{\"success\":\"get call succeed!\",\"url\":\"/books?limit=5\"}",
  "isBase64Encoded": false
}`,
	}
}

func checkTesting(b *model.Backend, f Facts) []string {
	path, missing := pathOf(b, shop, list)
	if path == nil {
		return missing
	}
	missing = append(missing, checkEvent(path.Function, f.Events[path.Function])...)
	if f.Node && !f.Ran[development+"/"+path.Function] {
		missing = append(missing, "No request for "+list+" has reached the function "+model.Quote(path.Function)+" in dev: start the sandbox and send a GET from the console.")
	}
	switch push, known := f.Pushed[development]; {
	case !known:
		missing = append(missing, "The environment dev is gone: there is nothing to push to.")
	case push.Never:
		missing = append(missing, "dev was never pushed.")
	case push.Behind > 0:
		missing = append(missing, fmt.Sprintf("dev was pushed before the last change: %s would change. Push it again.", model.Count(push.Behind, "thing")))
	}
	return missing
}

// checkEvent checks the text of the event that a mock sends.
func checkEvent(function, text string) []string {
	file := "The event of the function " + model.Quote(function)
	if text == "" {
		return []string{file + " is not there: it is the file src/event.json."}
	}
	var event struct {
		HTTPMethod any                        `json:"httpMethod"`
		Path       any                        `json:"path"`
		Query      map[string]json.RawMessage `json:"queryStringParameters"`
	}
	if err := json.Unmarshal([]byte(text), &event); err != nil {
		return []string{file + " is not JSON as an event has it: " + model.Quote(err.Error()) + "."}
	}
	var missing []string
	if method, _ := event.HTTPMethod.(string); !strings.EqualFold(method, "GET") {
		missing = append(missing, file+" has the httpMethod "+shown(event.HTTPMethod)+", not GET.")
	}
	if event.Path != list {
		missing = append(missing, file+" has the path "+shown(event.Path)+", not "+list+".")
	}
	switch limit, ok := event.Query["limit"]; {
	case !ok:
		missing = append(missing, file+" has no limit in queryStringParameters.")
	case string(limit) == "5":
		missing = append(missing, file+" has the limit 5, which is a number. Values of a query string are texts: \"5\", with quotes.")
	case string(limit) != `"5"`:
		missing = append(missing, file+" has the limit "+valueOf(limit)+", not the text \"5\".")
	}
	return missing
}

// valueOf is a JSON value for people.
func valueOf(raw json.RawMessage) string {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return model.Quote(text)
	}
	return model.Quote(string(raw))
}
