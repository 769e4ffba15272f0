package handler

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"gatewright/model"
)

func done(method, target, data string) string {
	return fmt.Sprintf(`{"success":"%s call succeed!","url":%q,"data":%s}`, method, target, data)
}

func TestCRUDRoutesOfATableWithOneKey(t *testing.T) {
	s := newStore(t, keyNamed("id", model.StringKey), noKey, "/items")
	s.want("GET", "/items", "", 200, `[]`)
	s.want("GET", "/items/1", "", 200, `[]`)
	s.want("GET", "/items/object/1", "", 200, `{}`)

	s.want("PUT", "/items", `{"id":"1","name":"one","list":[1,{"a":null}],"on":true}`, 200, done("put", "/items", `{}`))
	s.want("POST", "/items?limit=10", `{"id":"2"}`, 200, done("post", "/items?limit=10", `{}`))
	const one = `{"id":"1","name":"one","list":[1,{"a":null}],"on":true}`
	s.want("GET", "/items/1", "", 200, `[`+one+`]`)
	s.want("GET", "/items/object/1", "", 200, one)
	s.want("GET", "/items/object/1/", "", 200, one)
	s.want("GET", "/items/", "", 200, `[{"id":"2"},`+one+`]`)
	s.want("HEAD", "/items/object/1", "", 200, ``)
	s.want("OPTIONS", "/items/object/1", "", 200, ``)
	s.want("OPTIONS", "/anything", "", 200, ``)

	s.want("PATCH", "/items/object/1", `{"name":"uno","new":{"x":1}}`, 200,
		done("patch", "/items/object/1", `{"id":"1","name":"uno","list":[1,{"a":null}],"on":true,"new":{"x":1}}`))
	s.want("PATCH", "/items", `{"id":"2","n":2}`, 200, done("patch", "/items", `{"id":"2","n":2}`))
	s.want("PATCH", "/items/object/2", `{"id":"2"}`, 200, done("patch", "/items/object/2", `{"id":"2","n":2}`))
	s.want("PATCH", "/items/object/2", `{}`, 200, done("patch", "/items/object/2", `{"id":"2","n":2}`))
	s.refuse("PATCH", "/items/object/3", `{"a":1}`, 404, "no item")
	s.refuse("PATCH", "/items", `{"id":"3"}`, 404, "no item")
	s.want("GET", "/items/3", "", 200, `[]`)
	s.want("POST", "/items", `{"id":"1"}`, 200, done("post", "/items", `{}`))
	s.want("GET", "/items/object/1", "", 200, `{"id":"1"}`)

	s.want("DELETE", "/items/object/1", "", 200, done("delete", "/items/object/1", `{}`))
	s.want("DELETE", "/items/object/1", "", 200, done("delete", "/items/object/1", `{}`))
	s.want("GET", "/items", "", 200, `[{"id":"2","n":2}]`)
}

func TestCRUDRoutesOfATableWithASortKey(t *testing.T) {
	s := newStore(t, keyNamed("name", model.StringKey), keyNamed("size", model.NumberKey), "/items")
	for _, size := range []string{"3", "-1.5", "10"} {
		s.want("PUT", "/items", `{"name":"a","size":`+size+`}`, 200, done("put", "/items", `{}`))
	}
	s.want("PUT", "/items", `{"name":"b","size":0}`, 200, done("put", "/items", `{}`))
	s.want("GET", "/items/a", "", 200, `[{"name":"a","size":-1.5},{"name":"a","size":3},{"name":"a","size":10}]`)
	s.want("GET", "/items/a?limit=2", "", 200, `[{"name":"a","size":-1.5},{"name":"a","size":3}]`)
	s.want("GET", "/items/object/a/-1.5", "", 200, `{"name":"a","size":-1.5}`)
	s.want("GET", "/items/object/a/4", "", 200, `{}`)
	s.refuse("GET", "/items/object/a", "", 400, `sort key \"size\" is missing`)
	s.refuse("DELETE", "/items/object/a", "", 400, `sort key \"size\" is missing`)
	s.refuse("PATCH", "/items/object/a", `{}`, 400, `sort key \"size\" is missing`)
	s.refuse("GET", "/items/object/a/3/4", "", 404, "")
	s.refuse("GET", "/items/object/a/x", "", 400, `\"size\" must be a number`)
	s.refuse("PUT", "/items", `{"name":"a"}`, 400, `\"size\" is missing`)
	s.want("PATCH", "/items/object/a/3", `{"order":1,"size":3.0}`, 200,
		done("patch", "/items/object/a/3", `{"name":"a","size":3,"order":1}`))
	s.refuse("PATCH", "/items/object/a/3", `{"size":4}`, 400, `\"size\" in the body`)
	s.refuse("PATCH", "/items/object/a/4", `{"x":4}`, 404, "no item")
	s.want("DELETE", "/items/object/a/3", "", 200, done("delete", "/items/object/a/3", `{}`))
	s.want("GET", "/items/a", "", 200, `[{"name":"a","size":-1.5},{"name":"a","size":10}]`)
}

func TestCRUDRefusesInvalidItemsAndUnknownRoutes(t *testing.T) {
	s := newStore(t, keyNamed("id", model.StringKey), noKey, "/items")
	for _, body := range []string{"", "{", `{"id":"1"} x`, "NaN", strings.Repeat("[", 100_000)} {
		s.refuse("PUT", "/items", body, 400, "not JSON")
	}
	for _, body := range []string{"[]", "null", "1", `"id"`, "9007199254740993"} {
		s.refuse("POST", "/items", body, 400, "must be a JSON object")
	}
	for _, limit := range []string{"0", "-1", "1.5", "abc", "", "1e3", "9999999999"} {
		s.refuse("GET", "/items?limit="+limit, "", 400, "limit")
		s.refuse("GET", "/items/1?limit="+limit, "", 400, "limit")
	}
	for _, route := range []string{
		"GET /", "GET /item", "GET /items2", "GET /Items", "GET /items/1/2", "GET /items/object/1/2", "GET /items/Object/1",
		"PUT /items/1", "POST /items/1", "PUT /items/object/1", "PATCH /items/1", "DELETE /items", "DELETE /items/1", "TRACE /items",
	} {
		method, path, _ := strings.Cut(route, " ")
		s.refuse(method, path, `{"id":"1"}`, 404, "no route")
	}
	s.want("GET", "/items", "", 200, `[]`)
	verify(t, []exchange{{"an event of another kind", `{"key1":"value1"}`, 404, ``}},
		s.do(false, json.RawMessage(`{"key1":"value1"}`)))
}

func TestCRUDAnswersAtEveryPathOfTheFunction(t *testing.T) {
	s := newStore(t, keyNamed("id", model.StringKey), noKey, "/", "/shop/{shop-id}/items", "/v1.0:x", "/shop/x")
	s.want("PUT", "/shop/7/items", `{"id":"1"}`, 200, done("put", "/shop/7/items", `{}`))
	for _, path := range []string{"/object/1", "/shop/a%2Fb/items/object/1", "/v1.0:x/object/1", "/shop/x/object/1"} {
		s.want("GET", path, "", 200, `{"id":"1"}`)
	}
	for _, path := range []string{"/", "/1", "/shop/7/items/", "/v1.0:x/1", "/shop/x"} {
		s.want("GET", path, "", 200, `[{"id":"1"}]`)
	}
	s.want("GET", "/shop", "", 200, `[]`)
	s.refuse("GET", "/shop/y", "", 404, "no route")
	s.refuse("GET", "/shop/y/other", "", 404, "no route")
}

func TestCRUDAPathVariableIsNeverEmpty(t *testing.T) {
	s := newStore(t, keyNamed("id", model.StringKey), noKey, "/shop/{id}/items")
	s.want("GET", "/shop/1/items", "", 200, `[]`)
	s.refuse("GET", "/shop//items", "", 404, "no route")
}

func TestCRUDListsEveryPage(t *testing.T) {
	// A page of the store ends at 1 MB. The key of the next page must keep the digits of
	// numbers that JavaScript would round.
	s := newStore(t, keyNamed("pk", model.NumberKey), keyNamed("sk", model.NumberKey), "/items")
	const count, first = 24, 9007199254740993
	var puts []json.RawMessage
	for i := range count {
		item := fmt.Sprintf(`{"pk":%d,"sk":%d,"pad":%q}`, first, first+2*i, strings.Repeat("x", 100_000))
		puts = append(puts, ask("PUT", "/items", item))
	}
	for _, got := range s.do(true, puts...) {
		exchange{status: 200, body: done("put", "/items", `{}`)}.verify(t, got)
	}
	for target, want := range map[string]int{
		"/items":                          count,
		"/items?limit=30":                 count,
		"/items?limit=13":                 13,
		"/items?limit=1":                  1,
		"/items/9007199254740993":         count,
		"/items/9007199254740993?limit=1": 1,
	} {
		got := s.send("GET", target, "")
		var items []struct{ PK, SK string }
		if err := json.Unmarshal([]byte(got.Body), &items); err != nil {
			t.Fatalf("%s: %v: %.200s", target, err, got.Body)
		}
		if len(items) != want {
			t.Errorf("%s lists %d items, want %d", target, len(items), want)
		}
		for i, item := range items {
			if item.SK != fmt.Sprint(first+2*i) {
				t.Errorf("%s: item %d is %s", target, i, item.SK)
			}
		}
	}
}

func TestCRUDRefusesWhatIsTooLarge(t *testing.T) {
	s := newStore(t, keyNamed("id", model.StringKey), noKey, "/items")
	s.refuse("PUT", "/items", `{"id":"1","x":"`+strings.Repeat("x", 500_000)+`"}`, 413, "size")
	s.refuse("PUT", "/items", `{"id":"1","x":"`+strings.Repeat("é", 2_500_000)+`"}`, 413, "size")
	var puts []json.RawMessage
	for i := range 17 {
		puts = append(puts, ask("PUT", "/items", fmt.Sprintf(`{"id":"%d","x":%q}`, i, strings.Repeat("x", 390_000))))
	}
	s.do(true, puts...)
	s.refuse("GET", "/items", "", 413, "?limit=N")
	if got := s.send("GET", "/items?limit=16", ""); got.StatusCode != 200 {
		t.Errorf("16 of 17 items: %d %.200s", got.StatusCode, got.Body)
	}
}

func TestCRUDKeepsAllValuesOfAnItem(t *testing.T) {
	s := newStore(t, keyNamed("id", model.StringKey), noKey, "/items")
	item := `{"id":"1","numbers":[0,-1.5,1e-7,0.1,123456789012345],"text":"\"9007199254740993\" 9007199254740993 \\\" é 🎈","none":null,"empty":{"":{}},"no":false}`
	s.want("PUT", "/items", item, 200, done("put", "/items", `{}`))
	got := s.send("GET", "/items/object/1", "")
	exchange{status: 200, body: item}.verify(t, got)

	s.want("PUT", "/items", `{"id":"2","n":[9007199254740993,{"m":-3.14159265358979323846}]}`, 200, done("put", "/items", `{}`))
	s.want("GET", "/items/object/2", "", 200, `{"id":"2","n":["9007199254740993",{"m":"-3.14159265358979323846"}]}`)

	s.dynamo("PutItem", map[string]any{"TableName": s.table.Name, "Item": map[string]any{
		"id": map[string]string{"S": "3"},
		"b":  map[string]string{"B": "AP/+"},
		"bs": map[string]any{"BS": []string{"AQ=="}},
		"ns": map[string]any{"NS": []string{"1", "12345678901234567890"}},
		"ss": map[string]any{"SS": []string{"a"}},
		"m":  map[string]any{"M": map[string]any{"b": map[string]string{"B": "AA=="}}},
	}})
	got = s.send("GET", "/items/object/3", "")
	exchange{status: 200, body: `{"id":"3","b":"AP/+","bs":["AQ=="],"ns":[1,"12345678901234567890"],"ss":["a"],"m":{"b":"AA=="}}`}.verify(t, got)
}

func TestCRUDReportsAMissingTable(t *testing.T) {
	s := newStore(t, keyNamed("id", model.StringKey), noKey, "/items")
	s.env = map[string]string{"TABLE_NAME": "items-nowhere"}
	for _, request := range []string{"GET /items", "GET /items/1", "GET /items/object/1", "PUT /items", "PATCH /items", "DELETE /items/object/1"} {
		method, path, _ := strings.Cut(request, " ")
		s.refuse(method, path, `{"id":"1"}`, 500, `the table \"items-nowhere\" does not exist`)
	}
}

func TestCRUDHidesErrorsOfTheStore(t *testing.T) {
	s := newStore(t, keyNamed("id", model.StringKey), noKey, "/items")
	s.env = map[string]string{"AWS_ENDPOINT_URL_DYNAMODB": "http://127.0.0.1:1", "AWS_MAX_ATTEMPTS": "1"}
	s.refuse("GET", "/items", "", 500, "internal error")
}

func TestCRUDAnswersManyRequestsAtOnce(t *testing.T) {
	s := newStore(t, keyNamed("id", model.NumberKey), noKey, "/items")
	var puts, gets []json.RawMessage
	for i := range 20 {
		puts = append(puts, ask("PUT", "/items", fmt.Sprintf(`{"id":%d}`, i)))
		gets = append(gets, ask("GET", fmt.Sprintf("/items/object/%d", i), ""))
	}
	s.do(true, puts...)
	for i, got := range s.do(true, gets...) {
		exchange{status: 200, body: fmt.Sprintf(`{"id":%d}`, i)}.verify(t, got)
	}
}

func TestCRUDStoresTheItemOfItsOwnEvent(t *testing.T) {
	for _, partition := range model.KeyTypes {
		for _, sort := range append([]model.KeyType{""}, model.KeyTypes...) {
			t.Run(fmt.Sprint(partition, " ", sort), func(t *testing.T) {
				sortKey := noKey
				if sort != "" {
					sortKey = keyNamed("sk", sort)
				}
				s := newStore(t, keyNamed("pk", partition), sortKey, "/book/{isbn}", "/book/1")
				got := s.do(false, Event(s.spec("/book/{isbn}", "/book/1")))[0]
				exchange{status: 200, body: done("post", "/book/2?limit=10", `{}`)}.verify(t, got)
				var items []any
				if err := json.Unmarshal([]byte(s.send("GET", "/book/1", "").Body), &items); err != nil || len(items) != 1 {
					t.Errorf("the table has %v, %v", items, err)
				}
			})
		}
	}
}

func TestCRUDReadsBase64Bodies(t *testing.T) {
	s := newStore(t, keyNamed("id", model.StringKey), noKey, "/items")
	s.do(false, json.RawMessage(`{"httpMethod":"PUT","path":"/items","body":"eyJpZCI6IsOpIn0=","isBase64Encoded":true}`))
	s.want("GET", "/items", "", 200, `[{"id":"é"}]`)
	s.want("GET", "/items/object/%C3%A9", "", 200, `{"id":"é"}`)
}
