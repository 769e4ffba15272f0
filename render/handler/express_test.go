package handler

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"gatewright/model"
)

func expressSpec(paths ...string) Spec {
	return Spec{Function: "items", Runtime: model.NodeJS, Template: model.Express, Paths: paths}
}

// edited returns a function with a changed GET handler.
func edited(t failer, files []File, body string) []File {
	t.Helper()
	const asRendered = `res.json({ success: "get call succeed!", url: req.originalUrl });`
	for i, file := range files {
		if bytes.Contains(file.Data, []byte(asRendered)) {
			files[i].Data = bytes.Replace(file.Data, []byte(asRendered), []byte(body), 1)
			return files
		}
	}
	t.Fatalf("no file has %s", asRendered)
	return nil
}

func getEvent(path string) json.RawMessage {
	text, _ := json.Marshal(map[string]string{"httpMethod": "GET", "path": path})
	return text
}

func TestExpressAnswersEveryExchange(t *testing.T) {
	t.Parallel()
	e := packagesEngine(t)
	folder := e.write(t, render(t, expressSpec("/items")))
	list := append(slices.Clip(exchanges), exchange{
		"POST of a form", `{"httpMethod":"POST","path":"/items","headers":{"Content-Type":"application/x-www-form-urlencoded"},"body":"a=1&b=x+y%26"}`,
		200, `{"success":"post call succeed!","url":"/items","body":{"a":"1","b":"x y&"}}`,
	})
	verify(t, list, e.do(t, call{Folder: folder, Events: events(list)}))
}

func TestExpressAnswersOutsideItsPathsWith404(t *testing.T) {
	t.Parallel()
	e := packagesEngine(t)
	folder := e.write(t, render(t, expressSpec("/items", "/v1.0", "/events:batchGet")))
	list := []exchange{
		{"another path", `{"httpMethod":"GET","path":"/todos"}`, 404, ``},
		{"a longer name", `{"httpMethod":"POST","path":"/items2","body":"{}"}`, 404, ``},
		{"another case", `{"httpMethod":"GET","path":"/Items"}`, 404, ``},
		{"the root", `{"httpMethod":"DELETE","path":"/"}`, 404, ``},
		{"a dot is a dot", `{"httpMethod":"GET","path":"/v1x0"}`, 404, ``},
		{"a colon is no variable", `{"httpMethod":"GET","path":"/eventsX"}`, 404, ``},
		{"an event of another kind", `{"key1":"value1"}`, 404, ``},
		{"a broken escape is the caller's fault", `{"httpMethod":"GET","path":"/items/%zz"}`, 400, ``},
		{"OPTIONS anywhere", `{"httpMethod":"OPTIONS","path":"/todos"}`, 200, ``},
	}
	verify(t, list, e.do(t, call{Folder: folder, Events: events(list)}))
}

func TestExpressGivesPathVariables(t *testing.T) {
	t.Parallel()
	e := packagesEngine(t)
	for _, c := range []struct {
		paths []string
		asked string
		// params is req.params, or empty if no route matches.
		params string
	}{
		{[]string{"/items"}, "/items", `{}`},
		{[]string{"/items"}, "/items/1", `{"below":["1"]}`},
		{[]string{"/items"}, "/items/object/a%2Fb", `{"below":["object","a/b"]}`},
		{[]string{"/"}, "/", `{}`},
		{[]string{"/"}, "/1", `{"below":["1"]}`},
		{[]string{"/"}, "/1/x", `{"below":["1","x"]}`},
		{[]string{"/book/{isbn}"}, "/book/978", `{"isbn":"978"}`},
		{[]string{"/book/{isbn}"}, "/book/978/x/y", `{"isbn":"978","below":["x","y"]}`},
		{[]string{"/book/{isbn}"}, "/book", ``},
		{[]string{"/u/{user-id}"}, "/u/a%20b", `{"user-id":"a b"}`},
		{[]string{"/u/{a.b}/{c_d}/{1}"}, "/u/x/y/z", `{"a.b":"x","c_d":"y","1":"z"}`},
		{[]string{"/u/{__proto__}"}, "/u/x", `{"__proto__":"x"}`},
		{[]string{"/events:batchGet"}, "/events:batchGet", `{}`},
		{[]string{"/events:batchGet"}, "/events:batchGet/1", `{"below":["1"]}`},
		{[]string{"/v1.0/a_b-c"}, "/v1.0/a_b-c/1", `{"below":["1"]}`},
		{[]string{"/:id/...", "/other"}, "/:id/...", `{}`},
		{[]string{"/book", "/book/{isbn}"}, "/book", `{}`},
		{[]string{"/book", "/book/{isbn}"}, "/book/1", `{"isbn":"1"}`},
		{[]string{"/book", "/book/{isbn}"}, "/book/1/2", `{"isbn":"1","below":["2"]}`},
		{[]string{"/book/{isbn}", "/book/new"}, "/book/new", `{}`},
		{[]string{"/book/{isbn}", "/book/new"}, "/book/new/1", `{"below":["1"]}`},
		{[]string{"/a/{x}/c", "/a/b"}, "/a/b/c", `{"below":["c"]}`},
		{[]string{"/", "/{x}/c"}, "/b/d", `{"below":["b","d"]}`},
		{[]string{"/{below}"}, "/1/2", `{"below":"1","below_":["2"]}`},
		{[]string{"/Book/{a}", "/book/{b}"}, "/book/1", `{"b":"1"}`},
	} {
		t.Run(fmt.Sprint(c.paths, " ", c.asked), func(t *testing.T) {
			files := edited(t, render(t, expressSpec(c.paths...)), `res.json({ ...req.params });`)
			folder := e.write(t, files)
			x := exchange{status: 200, body: c.params}
			if c.params == "" {
				x.status = 404
			}
			x.verify(t, e.do(t, call{Folder: folder, Events: []json.RawMessage{getEvent(c.asked)}})[0])
		})
	}
}

func TestExpressHidesErrorsOfTheHandler(t *testing.T) {
	t.Parallel()
	e := packagesEngine(t)
	for name, body := range map[string]string{
		"thrown":            `throw new Error("secret");`,
		"rejected":          `return Promise.reject(new Error("secret"));`,
		"text":              `throw "secret";`,
		"an error of a 500": `throw Object.assign(new Error("secret"), { status: 503 });`,
	} {
		t.Run(name, func(t *testing.T) {
			folder := e.write(t, edited(t, render(t, expressSpec("/items")), body))
			got := e.do(t, call{Folder: folder, Events: []json.RawMessage{getEvent("/items")}})[0]
			exchange{status: 500}.verify(t, got)
			if want := `{"error":"internal error"}`; got.Body != want {
				t.Errorf("body %s, want %s", got.Body, want)
			}
		})
	}
}

func TestExpressAnswersManyRequestsAtOnce(t *testing.T) {
	t.Parallel()
	e := packagesEngine(t)
	folder := e.write(t, render(t, expressSpec("/items")))
	var all []json.RawMessage
	for i := range 50 {
		all = append(all, getEvent(fmt.Sprint("/items/", i)))
	}
	for i, got := range e.do(t, call{Folder: folder, Events: all, Together: true}) {
		exchange{status: 200, body: fmt.Sprintf(`{"success":"get call succeed!","url":"/items/%d"}`, i)}.verify(t, got)
	}
}
