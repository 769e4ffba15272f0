package lines_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gatewright/cli/lines"
	"gatewright/deploy/deploytest"
	"gatewright/model"
	"gatewright/request"
)

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// notes is a project with a function that answers what it is asked, a path for
// everybody, and one for signed-in users.
func notes(t *testing.T) string {
	t.Helper()
	b := &model.Backend{}
	must(t, b.SetProject(model.Project{Name: "notes", ApplicationID: "app1", Dialect: model.Neutral}))
	must(t, b.AddEnvironment(&model.Environment{Name: "dev", Provider: model.Local}))
	must(t, b.AddFunction(&model.Function{Name: "echo", Runtime: model.NodeJS, Template: model.Plain, Handler: "index.handler"}))
	read := model.Grant{To: model.Principal{Kind: model.Authenticated}, Actions: model.ActionSet(model.Read)}
	must(t, b.AddAPI(&model.API{Label: "notes", Paths: []*model.Path{
		{Name: "/notes/{id}", Function: "echo", Access: model.Access{Setting: model.Open}},
		{Name: "/own", Function: "echo", Access: model.Access{Setting: model.Private, Grants: []model.Grant{read}}},
	}}))
	dir := t.TempDir()
	deploytest.Write(t, dir, b)
	return dir
}

// asked is what the console says to some answers.
func asked(t *testing.T, dir string, answers ...string) (string, error) {
	t.Helper()
	var out strings.Builder
	err := lines.Console(strings.NewReader(strings.Join(answers, "\n")+"\n"), &out, dir, request.Form{})
	return out.String(), err
}

func TestTheConsoleAsksLineByLine(t *testing.T) {
	dir := notes(t)
	deploytest.NeedNode(t)
	deploytest.Serve(t, dir)
	said, err := asked(t, dir,
		"", "9", "1", "7", "7", "?", "<", "", "", "limit=3", "no header", "X-Trace: 1", "", `{"a": 1}`, "1",
		"6", "1", "1", "6", "4", "5", "no", "3", "2", "7",
	)
	if err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	at := 0
	for _, want := range []string{
		"9 is not one of the numbers 1 to 2", "Method (now 2)", "Such as /1/cover, which follows the path.", "{id} (now 7)",
		`header: "no header" is not a header; write it like X-Trace: 1`, "PUT /notes/7?limit=3, 1 header, 8 bytes", "Allowed: /notes/{id} is open to everybody.",
		"6 is not available: there is no answer before", "200 OK, ", "Response body:", `"success": "put call succeed!"`, "Response headers:", "Log of the function echo:", "START RequestId: ",
		"status, headers and body are the same, except for ids and dates", "curl -X PUT ", "-H 'X-Trace: 1' --data-raw", "Replace backend/function/echo/src/event.json, yes or no: Not written.",
		", 1 header, 8 bytes)",
		"PUT /notes/7?limit=3, 1 header, 8 bytes",
	} {
		i := strings.Index(said[at:], want)
		if i < 0 {
			t.Fatalf("nothing says %q after\n%s\nbut\n%s", want, said[:at], said[at:])
		}
		at += i
	}
	if strings.Contains(said, "\x1b") {
		t.Error("there are escape sequences in plain lines")
	}
}

func TestAnInputThatEndsInTheMiddleSendsNothing(t *testing.T) {
	dir := notes(t)
	deploytest.NeedNode(t)
	deploytest.Serve(t, dir)
	said, err := asked(t, dir, "", "1")
	if err == nil || !strings.Contains(err.Error(), "nothing was sent") || strings.Contains(said, "\x1b") {
		t.Errorf("%v\n%s", err, said)
	}
	if _, err := os.Stat(filepath.Join(dir, ".gatewright", "request.json")); err == nil {
		t.Error("something is kept")
	}
}

func TestTheConsoleInLinesNeedsASandbox(t *testing.T) {
	_, err := asked(t, notes(t))
	if err == nil || err.Error() != "no sandbox is running; start it with: gatewright sandbox" {
		t.Errorf("%v", err)
	}
}
