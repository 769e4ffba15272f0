package app_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"gatewright/cli/clitest"
	"gatewright/deploy/deploytest"
	"gatewright/model"
	"gatewright/model/access"
	"gatewright/model/edit"
	"gatewright/sandbox/gateway"
	"gatewright/sandbox/traffic"
	"gatewright/tui/app/apptest"
	"gatewright/tui/route"
)

// sources are functions that go wrong in different ways, by name, each with whether its
// answers are failures.
var sources = map[string]struct {
	code  string
	fails bool
}{
	"fine":     {`async () => ({ statusCode: 200, body: "{}" })`, false},
	"missing":  {`async () => ({ statusCode: 404, body: "{}" })`, false},
	"throws":   {`async () => { throw new Error("it broke") }`, true},
	"says500":  {`async () => ({ statusCode: 500, body: "{}" })`, true},
	"slow":     {`() => new Promise(() => setTimeout(() => {}, 60000))`, true},
	"dies":     {`async () => { process.exit(3) }`, true},
	"nonsense": {`async () => "nonsense"`, true},
	"noisy":    {`async () => { for (let i = 0; i < 600; i++) console.error("warning " + i); return { statusCode: 200, body: "{}" } }`, false},
}

// tally counts calls and failures.
type tally struct{ calls, failed int }

// TestTheNumbersOfADayOnCallAreThoseThatWereSent sends requests to such functions, counts them
// itself, and holds every number of the screens and of logs --requests against that.
func TestTheNumbersOfADayOnCallAreThoseThatWereSent(t *testing.T) {
	deploytest.NeedNode(t)
	dir := apptest.Folder(t)
	b := &model.Backend{}
	apptest.Must(t, edit.SetProject(b, model.Project{Name: "shop", ApplicationID: "app1", Dialect: model.Neutral}))
	apptest.Must(t, edit.AddEnvironment(b, &model.Environment{Name: "dev", Provider: model.Local}))
	api := &access.API{Label: "shop"}
	for name := range sources {
		apptest.Must(t, edit.AddFunction(b, &model.Function{Name: name, Runtime: model.NodeJS, Template: model.Plain, Handler: "index.handler", Timeout: 1}))
		api.Paths = append(api.Paths, &access.Path{Name: "/" + name, Function: name, Access: access.Access{Setting: access.Open}})
	}
	read := access.Grant{To: access.Principal{Kind: access.Guest}, Actions: access.Actions(access.Read)}
	api.Paths = append(api.Paths, &access.Path{Name: "/closed", Function: "fine", Access: access.Access{Setting: access.Protected, Grants: []access.Grant{read}}})
	apptest.Must(t, edit.AddAPI(b, api))
	deploytest.Write(t, dir, b)
	for name, source := range sources {
		apptest.Put(t, dir, "backend/function/"+name+"/src/index.js", "exports.handler = "+source.code+"\n")
	}
	client, _ := deploytest.Serve(t, dir)
	status, err := client.Status(t.Context())
	apptest.Must(t, err)

	functions, paths, byStatus, whole := make(map[string]tally), make(map[string]tally), make(map[int]int), tally{}
	count := func(function, path string, code int) {
		bad := 0
		if code >= 500 {
			bad = 1
		}
		whole = tally{whole.calls + 1, whole.failed + bad}
		byStatus[code]++
		if function != "" {
			functions[function] = tally{functions[function].calls + 1, functions[function].failed + bad}
		}
		if path != "" {
			paths[path] = tally{paths[path].calls + 1, paths[path].failed + bad}
		}
	}
	send := func(method, path, function, counted string, times int) {
		for range times {
			request, err := http.NewRequestWithContext(t.Context(), method, status.APIs[0].Endpoint+path, nil)
			apptest.Must(t, err)
			answer, err := http.DefaultClient.Do(request)
			apptest.Must(t, err)
			_ = answer.Body.Close()
			if function != "" && (answer.StatusCode >= 500) != sources[function].fails {
				t.Fatalf("%s answers %d", path, answer.StatusCode)
			}
			count(function, counted, answer.StatusCode)
		}
	}
	for name, times := range map[string]int{"fine": 7, "missing": 2, "throws": 3, "says500": 4, "slow": 2, "dies": 2, "nonsense": 3, "noisy": 5} {
		send(http.MethodGet, "/"+name, name, "/"+name, times)
	}
	send(http.MethodPut, "/closed/1", "", "/closed", 2)
	send(http.MethodGet, "/closed/1", "fine", "/closed", 1)
	send(http.MethodGet, "/nowhere", "", "", 3)
	send(http.MethodOptions, "/fine", "", "/fine", 2)
	for _, name := range []string{"fine", "throws"} {
		answer, err := client.Test(t.Context(), gateway.Request{Environment: "dev", Label: "shop", Method: http.MethodGet, Path: "/" + name})
		apptest.Must(t, err)
		count(name, "/"+name, answer.Status)
	}

	t.Run("logs --requests", func(t *testing.T) {
		run := &clitest.Session{T: t, Dir: dir}
		listed := func(words ...string) (all []traffic.Call) {
			lines := bufio.NewScanner(strings.NewReader(run.Run(0, append([]string{"logs", "--requests", "--json"}, words...)...)))
			for lines.Scan() {
				var c traffic.Call
				apptest.Must(t, json.Unmarshal(lines.Bytes(), &c))
				all = append(all, c)
			}
			return all
		}
		same := func(what string, got, want int) {
			t.Helper()
			if got != want {
				t.Errorf("of %s there are %d, want %d", what, got, want)
			}
		}
		same("all", len(listed()), whole.calls)
		same("failures", len(listed("failed")), whole.failed)
		same("5xx", len(listed("5xx")), whole.failed)
		same("tests", len(listed("kind:test")), 2)
		same("refused", len(listed("refused")), 5)
		same("preflights", len(listed("options")), 2)
		same("the last", len(listed("--last", "3", "get")), 3)
		for code, n := range byStatus {
			same(fmt.Sprint(code), len(listed(fmt.Sprint(code))), n)
		}
		for name, want := range functions {
			same(name, len(listed("fn:"+name)), want.calls)
			same("failures of "+name, len(listed("fn:"+name, "failed")), want.failed)
		}
	})

	term := apptest.OpenReadOnly(t, dir, "none", 150, 50, route.Dashboard{})
	term.Tab("apis").Keys("W", "down", "down", "enter")
	row := func(name string, of tally) {
		t.Helper()
		// The name, and later in the row the calls and the failures.
		if !regexp.MustCompile(`\W` + regexp.QuoteMeta(name) + fmt.Sprintf(` .* %d +%d  `, of.calls, of.failed)).MatchString(term.Screen()) {
			t.Errorf("%s was called %d times, and %d failed; the window is\n%s", name, of.calls, of.failed, term.Screen())
		}
	}
	t.Run("APIs", func(t *testing.T) {
		term.Tab("apis")
		for name, of := range paths {
			row(name, of)
		}
	})
	t.Run("Functions", func(t *testing.T) {
		term.Tab("functions")
		for name, of := range functions {
			row(name, of)
		}
		term.At("noisy").Shows("5 calls, 0 failed since")
	})
	t.Run("Access", func(t *testing.T) {
		term.Tab("access").At("/says500").Shows("served by says500", "4 requests, 4 failed since")
		term.Keys("esc")
		term.At("/closed").Shows("3 requests, 0 failed, 2 refused since")
	})
	t.Run("Requests", func(t *testing.T) {
		term.Tab("requests")
		for words, n := range map[string]int{"failed": whole.failed, "fn:throws": functions["throws"].calls, "kind:test": 2, "refused": 5, "!failed": whole.calls - whole.failed} {
			term.Keys("/", words, "enter").Shows(fmt.Sprintf(" %d of %d", n, whole.calls)).Keys("esc")
		}
		sum := fmt.Sprintf("%d requests, 5 refused, %d failed", whole.calls, whole.failed)
		term.Shows(sum)
		term.Tab("map").Shows(sum+" \n", sum+" ━")
		term.Tab("requests")
	})
	t.Run("what may change data is sent again only after a yes", func(t *testing.T) {
		sent := func() int {
			report, err := client.Traffic(t.Context(), traffic.All)
			apptest.Must(t, err)
			return report.Whole[0].Calls
		}
		before := sent()
		term.Keys("/", "put /closed", "enter", ".").Shows("Send it again?", "It may change data.").Keys("enter").Hides("Send it again?").Keys("esc")
		if got := sent(); got != before {
			t.Errorf("%d requests were sent without a yes", got-before)
		}
		term.Keys("/", "fn:missing", "enter", ".").Shows("sent again: GET /missing returned 404").Keys("esc")
		if got := sent(); got != before+1 {
			t.Errorf("%d requests were sent again, want 1", got-before)
		}
	})
	t.Run("Activity", func(t *testing.T) {
		term.Tab("activity").Keys("/", "it broke", "enter").Shows("function throws ended with an error")
	})
}
