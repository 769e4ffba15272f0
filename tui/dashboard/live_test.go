package dashboard

import (
	"fmt"
	"net"
	"net/http"
	"os"
	"strings"
	"testing"

	"gatewright/deploy/deploytest"
	"gatewright/model"
	"gatewright/model/edit"
)

func TestASandboxIsStartedAndEndedHere(t *testing.T) {
	dir := paths(t, 1)
	handler(t, dir, `exports.handler = async () => { throw new Error("it broke") }`)
	onFreePort(t, dir)
	d := openLive(t, dir, true)
	d.to("activity")
	d.shows("no sandbox is running; s starts one")
	d.press("s")
	d.shows("the sandbox runs at 127.0.0.1:", "in this program since", "client_config.json is written")
	status, runs := running(t, dir)
	if !runs || status.PID != os.Getpid() {
		t.Fatalf("it says %+v", status)
	}
	endpoint := status.APIs[0].Endpoint
	if status := statusOfCall(t, endpoint+"/area0/thing0/1"); status != http.StatusBadGateway {
		t.Errorf("a function that breaks is answered with %d", status)
	}
	if status := statusOfCall(t, endpoint+"/elsewhere"); status != http.StatusForbidden {
		t.Errorf("no path is answered with %d", status)
	}
	d.shows("error       function f: Invoke Error", "refused     GET /dev/elsewhere 403")
	d.press("s")
	d.shows("the sandbox has ended", "no sandbox is running; s starts one")
	if _, runs := running(t, dir); runs {
		t.Error("it runs on")
	}
}

func TestTheSandboxEndsWithThePage(t *testing.T) {
	dir := paths(t, 1)
	onFreePort(t, dir)
	d := openLive(t, dir, true)
	d.to("activity")
	d.press("s")
	d.shows("the sandbox runs at")
	d.page.Close()
	if _, runs := running(t, dir); runs {
		t.Error("it runs on")
	}
}

// onFreePort gives the project a free port.
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
	deploytest.Change(t, dir, func(b *model.Backend) error {
		of := b.Project
		of.SandboxPort = port
		return edit.SetProject(b, of)
	})
}

func TestAPortInUseIsShownWithAFreeOne(t *testing.T) {
	dir := paths(t, 1)
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	must(t, err)
	defer l.Close()
	givePort(t, dir, l.Addr().(*net.TCPAddr).Port)
	d := openLive(t, dir, true)
	d.to("activity")
	d.press("s")
	d.shows("Start the sandbox on another port?", fmt.Sprintf("Port %d is in use by", l.Addr().(*net.TCPAddr).Port))
	_, free, _ := strings.Cut(d.shown(), "[ Start on ")
	free, _, _ = strings.Cut(free, " ")
	d.press("tab", "enter")
	d.shows("the sandbox runs at 127.0.0.1:" + free)
	d.press("s")
	d.shows("the sandbox has ended")
}

func TestASandboxThatRunsElsewhereIsEndedAfterAYes(t *testing.T) {
	dir := paths(t, 1)
	_, stop := serving(t, dir)
	d := openLive(t, dir, true)
	d.to("activity")
	d.shows(fmt.Sprintf("sandbox running at 127.0.0.1:%s, process %d", d.page.board.Sandbox.Status.Address[len("http://127.0.0.1:"):], os.Getpid()))
	d.press("s")
	d.shows("It was started elsewhere")
	d.press("enter")
	if _, runs := running(t, dir); !runs {
		t.Fatal("cancelled it has ended")
	}
	d.press("s")
	d.shows("It was started elsewhere")
	d.press("tab", "enter")
	d.shows("no sandbox is running; s starts one")
	stop()
}

func TestQuittingAsksBeforeItsOwnSandboxEnds(t *testing.T) {
	dir := paths(t, 1)
	onFreePort(t, dir)
	d := openLive(t, dir, true)
	d.to("activity")
	d.press("s")
	d.shows("the sandbox runs at 127.0.0.1:")
	d.press("q")
	d.shows("Quit now?", "The sandbox that this program runs ends")
	d.press("enter")
	if _, runs := running(t, dir); !runs {
		t.Fatal("cancelled it has ended")
	}
	d.press("s")
	d.shows("the sandbox has ended")
}

func TestAnEndpointIsWhereTheSandboxServesIt(t *testing.T) {
	dir := paths(t, 1)
	endpoint, stop := serving(t, dir)
	d := openLive(t, dir, false)
	d.to("apis")
	main := endpoint + "/area0/thing0/{id}"
	d.press("y")
	d.shows("sent to the clipboard: " + endpoint)
	d.press("end")
	d.shows("new: a push of dev creates it", endpoint)
	d.press("y")
	d.shows("sent to the clipboard: " + main)
	d.shows(main, "/{id}/{proxy+}")
	stop()
	d.until("the end is seen", func() bool { return !d.page.board.Sandbox.Running })
	d.press("y")
	d.shows("sent to the clipboard: /area0/thing0/{id}")
}
