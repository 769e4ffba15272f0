package lines_test

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"gatewright/cli/lines"
	"gatewright/deploy/deploytest"
	"gatewright/flow/request"
	"gatewright/model"
	"gatewright/model/access"
	"gatewright/model/edit"
)

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// notes makes a project with an echoing function, an open path, and a path for signed-in
// users.
func notes(t *testing.T) string {
	t.Helper()
	b := &model.Backend{}
	must(t, edit.SetProject(b, model.Project{Name: "notes", ApplicationID: "app1", Dialect: model.Neutral}))
	must(t, edit.AddEnvironment(b, &model.Environment{Name: "dev", Provider: model.Local}))
	must(t, edit.AddFunction(b, &model.Function{Name: "echo", Runtime: model.NodeJS, Template: model.Plain, Handler: "index.handler"}))
	read := access.Grant{To: access.Principal{Kind: access.Authenticated}, Actions: access.ActionSet(access.Read)}
	must(t, edit.AddAPI(b, &access.API{Label: "notes", Paths: []*access.Path{
		{Name: "/notes/{id}", Function: "echo", Access: access.Access{Setting: access.Open}},
		{Name: "/own", Function: "echo", Access: access.Access{Setting: access.Private, Grants: []access.Grant{read}}},
	}}))
	dir := t.TempDir()
	deploytest.Write(t, dir, b)
	return dir
}

// runConsole returns what the console prints for the given answers.
func runConsole(t *testing.T, dir string, answers ...string) (string, error) {
	t.Helper()
	var out strings.Builder
	err := lines.Console(strings.NewReader(strings.Join(answers, "\n")+"\n"), &out, nil, nil, dir, request.Form{})
	return out.String(), err
}

func TestTheConsoleAsksLineByLine(t *testing.T) {
	t.Parallel()
	dir := notes(t)
	deploytest.NeedNode(t)
	deploytest.Serve(t, dir)
	output, err := runConsole(t, dir,
		"", "9", "1", "5", "7", "?", "<", "", "", "limit=3", "no header", "X-Trace: 1", "", `{"a": 1}`, "1",
		"6", "1", "1", "6", "4", "5", "no", "3", "2", "8", "a b", "8", "notes", "7", "1", "8", "notes", "9",
	)
	if err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	at := 0
	for _, want := range []string{
		"9 is not one of the numbers 1 to 2", "Method (now 1)", "What follows the path in the URL, such as /1/cover.", "{id} (now 7)",
		`header: "no header" is not a header; write it like X-Trace: 1`, "PUT /notes/7?limit=3, 1 header, 8 bytes", "Allowed: /notes/{id} is open to everybody.",
		"6 is not available: there is no earlier response", "200 OK, ", "Response body:", `"success": "put call succeed!"`, "Response headers:", "Log of the function echo:", "START RequestId: ",
		"status, headers and body are the same, except for ids and dates", "curl -X PUT ", "-H 'X-Trace: 1' --data-raw", "Replace backend/function/echo/src/event.json, yes or no: Not written.",
		"PUT /notes/7?limit=3 (200, ", ", 8 bytes: ",
		"PUT /notes/7?limit=3, 1 header, 8 bytes",
		`name: "a b" is not a name for a saved request`, "backend/requests/notes.json is written.", "notes (PUT /notes/{id}, with its expected response)",
		"PUT /notes/7?limit=3, 1 header, 12 bytes", "Its name: backend/requests/notes.json already has this request.",
	} {
		i := strings.Index(output[at:], want)
		if i < 0 {
			t.Fatalf("%q is not in the output after\n%s\nwhich goes on with\n%s", want, output[:at], output[at:])
		}
		at += i
	}
	if strings.Contains(output, "\x1b") {
		t.Error("there are escape sequences in plain lines")
	}
}

func TestInputThatEndsEarlySendsNothing(t *testing.T) {
	t.Parallel()
	dir := notes(t)
	deploytest.NeedNode(t)
	deploytest.Serve(t, dir)
	output, err := runConsole(t, dir, "", "1")
	if err == nil || !strings.Contains(err.Error(), "nothing was sent") || strings.Contains(output, "\x1b") {
		t.Errorf("%v\n%s", err, output)
	}
	if _, err := os.Stat(filepath.Join(dir, ".gatewright", "console.json")); err == nil {
		t.Error("a request was saved in the history")
	}
}

func TestTheConsoleInLinesNeedsASandbox(t *testing.T) {
	t.Parallel()
	_, err := runConsole(t, notes(t))
	if err == nil || err.Error() != "no sandbox is running; start it with: gatewright sandbox" {
		t.Errorf("%v", err)
	}
}

// The lines may be read aloud, so only the latest of many earlier requests are offered.
func TestOnlyTheLatestEarlierRequestsAreOffered(t *testing.T) {
	t.Parallel()
	dir := notes(t)
	deploytest.NeedNode(t)
	deploytest.Serve(t, dir)
	for n := range 30 {
		form := request.Form{Environment: "dev", API: "notes", Path: "/notes/{id}", Method: "GET", Values: []string{strconv.Itoa(n)}}
		must(t, request.Record(dir, request.Exchange{Form: form, At: time.Unix(int64(n), 0)}))
	}
	output, err := runConsole(t, dir, "", "", "", "1", "", "", "", "", "", "3", "20")
	if err != nil || !strings.Contains(output, "The latest 20 of 30:") || !strings.Contains(output, "  20. GET /notes/10 (") || strings.Contains(output, "/notes/9") {
		t.Errorf("%v:\n%s", err, output)
	}
}
