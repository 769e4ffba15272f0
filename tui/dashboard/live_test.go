package dashboard

import (
	"fmt"
	"net"
	"net/http"
	"os"
	"strings"
	"testing"

	"gatewright/model"
	"gatewright/project"
	"gatewright/sandbox"
)

func TestASandboxIsStartedAndEndedHere(t *testing.T) {
	dir := paths(t, 1)
	handler(t, dir, `exports.handler = async () => { throw new Error("it broke") }`)
	onFreePort(t, dir)
	d := sit(t, dir, true)
	d.to("activity")
	d.shows("no sandbox runs; s starts it here")
	d.press("s")
	d.shows("the sandbox runs at 127.0.0.1:", "here, since", "client_config.json is written")
	o := observe(dir, nil)
	if !o.running || o.status.PID != os.Getpid() {
		t.Fatalf("it says %+v", o)
	}
	endpoint := o.status.APIs[0].Endpoint
	if status := statusOfCall(t, endpoint+"/area0/thing0/1"); status != http.StatusBadGateway {
		t.Errorf("a function that breaks is answered with %d", status)
	}
	if status := statusOfCall(t, endpoint+"/elsewhere"); status != http.StatusForbidden {
		t.Errorf("no path is answered with %d", status)
	}
	d.shows("error       function f: Invoke Error", "refused     GET /dev/elsewhere 403")
	d.press("s")
	d.shows("the sandbox has ended", "no sandbox runs; s starts it here")
	if o := observe(dir, nil); o.running {
		t.Error("it runs on")
	}
}

func TestTheSandboxEndsWithThePage(t *testing.T) {
	dir := paths(t, 1)
	onFreePort(t, dir)
	d := sit(t, dir, true)
	d.to("activity")
	d.press("s")
	d.shows("the sandbox runs at")
	d.page.Close()
	if o := observe(dir, nil); o.running {
		t.Error("it runs on")
	}
}

// onFreePort gives the project a port that nobody has.
func onFreePort(t *testing.T, dir string) (port int) {
	t.Helper()
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	must(t, err)
	port = l.Addr().(*net.TCPAddr).Port
	must(t, l.Close())
	givePort(t, dir, port)
	return port
}

func givePort(t *testing.T, dir string, port int) {
	t.Helper()
	changedBackend(t, dir, func(b *model.Backend) error {
		of := b.Project
		of.SandboxPort = port
		return b.SetProject(of)
	})
}

func TestAPortThatIsTakenIsSaidWithAFreeOne(t *testing.T) {
	dir := paths(t, 1)
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	must(t, err)
	defer l.Close()
	givePort(t, dir, l.Addr().(*net.TCPAddr).Port)
	d := sit(t, dir, true)
	d.to("activity")
	d.press("s")
	d.shows("Start the sandbox on another port?", fmt.Sprintf("Port %d is taken by", l.Addr().(*net.TCPAddr).Port))
	free := d.page.tabs[d.page.place("activity")].(*activityTab).freePort
	d.press("tab", "enter")
	d.shows(fmt.Sprintf("the sandbox runs at 127.0.0.1:%d", free))
	d.press("s")
	d.shows("the sandbox has ended")
}

func TestASandboxThatRunsElsewhereIsEndedAfterAQuestion(t *testing.T) {
	dir := paths(t, 1)
	_, stop := serving(t, dir)
	d := sit(t, dir, true)
	d.to("activity")
	d.shows(fmt.Sprintf("sandbox running at 127.0.0.1:%s, process %d", d.page.sandbox.status.Address[len("http://127.0.0.1:"):], os.Getpid()))
	d.press("s")
	d.shows("It was started elsewhere")
	d.press("enter")
	if !observe(dir, nil).running {
		t.Fatal("cancelled it has ended")
	}
	d.press("s")
	d.shows("It was started elsewhere")
	d.press("tab", "enter")
	d.shows("no sandbox runs; s starts it here")
	stop()
}

func TestQuittingAsksBeforeItsOwnSandboxEnds(t *testing.T) {
	dir := paths(t, 1)
	onFreePort(t, dir)
	d := sit(t, dir, true)
	d.to("activity")
	d.press("s")
	d.shows("the sandbox runs at 127.0.0.1:")
	d.press("q")
	d.shows("Quit now?", "The sandbox that runs here ends")
	d.press("enter")
	if !observe(dir, nil).running {
		t.Fatal("cancelled it has ended")
	}
	d.press("s")
	d.shows("the sandbox has ended")
}

func TestAnEndpointIsWhereTheSandboxServesIt(t *testing.T) {
	dir := paths(t, 1)
	endpoint, stop := serving(t, dir)
	d := sit(t, dir, false)
	d.to("apis")
	tab := d.page.tabs[d.page.place("apis")].(*apisTab)
	row := len(tab.rows) - 1
	main := endpoint + tab.rows[row].path
	d.until("the endpoint is known", func() bool { return tab.copied(row) == main })
	if got := tab.copied(0); got != endpoint {
		t.Errorf("of the API %s is copied, want %s", got, endpoint)
	}
	d.press("end")
	d.shows("new: a push of dev makes it", endpoint)
	if all := fmt.Sprint(tab.told(row)); !strings.Contains(all, main+"/{proxy+}") {
		t.Errorf("it is told that %s", all)
	}
	stop()
	tab.observe(observe(dir, nil))
	if got := tab.copied(row); got != tab.rows[row].path {
		t.Errorf("once the sandbox has ended %s is copied", got)
	}
}

func TestAnEndpointOfThePushIsToldBesideThatOfTheSandbox(t *testing.T) {
	shop := api("shop", path("/a", "f"), path("/new", "f"))
	s := &snapshot{backend: backend(shop), env: &environment{Environment: &model.Environment{Name: "prod"}, record: &project.Record{
		APIs: []project.Endpoint{{API: "shop", URL: "http://h:1/x/prod"}},
	}}}
	s.apis = tableOf(apiRows(s, backend(api("shop", path("/a", "f")))))
	tab := &apisTab{page: &Page{snap: s}}
	tab.take(s)
	tab.observe(&observed{running: true, status: sandbox.Status{Environment: "dev", APIs: []sandbox.ServedAPI{
		{Environment: "dev", Label: "shop", Endpoint: "http://h:2/y/dev"}, {Environment: "prod", Label: "shop", Endpoint: "http://h:2/x/prod"},
	}}})
	for i, want := range []string{"http://h:2/x/prod", "http://h:2/x/prod/a", "/new"} {
		if got := tab.copied(i); got != want {
			t.Errorf("of row %d %s is copied, want %s", i, got, want)
		}
	}
	if all := fmt.Sprint(tab.told(1)); !strings.Contains(all, "the last push of prod said http://h:1/x/prod/a") {
		t.Errorf("of the push %s is said", all)
	}
}
