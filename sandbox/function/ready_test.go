package function

import (
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"gatewright/model"
)

// slowRegistry is a registry that answers only when it is opened.
func slowRegistry(t *testing.T) (npmrc string, asked chan struct{}, open func()) {
	t.Helper()
	r := newRegistry(t, map[string][]string{"left": {"1.0.0"}})
	opened := make(chan struct{})
	asked = make(chan struct{}, 1000)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, request *http.Request) {
		asked <- struct{}{}
		<-opened
		r.ServeHTTP(w, request)
	}))
	t.Cleanup(server.Close)
	open = sync.OnceFunc(func() { close(opened) })
	t.Cleanup(open)
	return "registry=" + server.URL + "\n", asked, open
}

const usesLeft = `const left = require("left"); exports.handler = async () => left`

func TestFunctionsAreMadeReadyBeforeTheirFirstCall(t *testing.T) {
	npmrc, asked, open := slowRegistry(t)
	f := newFacility(t, nil)
	f.serve(t, model.NodeJS, map[string]string{".npmrc": npmrc, "package.json": `{"dependencies":{"left":"*"}}`, "index.js": usesLeft}, nil)
	f.Prepare("dev", []string{"items", "unknown"})
	// Nobody called, and npm asks.
	<-asked
	open()
	eventually(t, "the packages are installed", func() bool {
		texts := f.eventTexts(EventInstall)
		return len(texts) > 0 && texts[len(texts)-1][:8] == "packages"
	})
	if got := f.result(t, "{}"); got != `"1.0.0"` {
		t.Errorf("it answers %s", got)
	}
}

func TestACallIsToldThatItWaitsForPreparing(t *testing.T) {
	npmrc, asked, open := slowRegistry(t)
	f := newFacility(t, nil)
	f.serve(t, model.NodeJS, map[string]string{".npmrc": npmrc, "package.json": `{"dependencies":{"left":"*"}}`, "index.js": usesLeft}, nil)
	told, answers := make(chan bool, 10), make(chan Answer, 1)
	f.Begin(Call{Environment: "dev", Function: "items", Payload: []byte("{}"), Preparing: func(is bool) { told <- is }}, func(a Answer, err error) {
		if err != nil {
			t.Error(err)
		}
		answers <- a
	})
	if is := <-told; !is {
		t.Error("it is told first that preparing is over")
	}
	<-asked
	select {
	case is := <-told:
		t.Errorf("while npm waits it is told %t", is)
	case <-time.After(50 * time.Millisecond):
	}
	open()
	if is := <-told; is {
		t.Error("it is told twice that it waits")
	}
	if a := <-answers; string(a.Payload) != `"1.0.0"` {
		t.Errorf("the answer is %s", a.Payload)
	}
	// A warm call does not wait.
	f.result(t, "{}")
	if len(told) != 0 {
		t.Errorf("a warm call is told %t", <-told)
	}
}

// TestAClosedRunnerEndsItsPreparations has npm wait for a registry that never answers.
func TestAClosedRunnerEndsItsPreparations(t *testing.T) {
	npmrc, asked, _ := slowRegistry(t)
	f := newFacility(t, nil)
	f.serve(t, model.NodeJS, map[string]string{".npmrc": npmrc, "package.json": `{"dependencies":{"left":"*"}}`, "index.js": usesLeft}, nil)
	f.Prepare("dev", []string{"items"})
	<-asked
	f.close(t)
}
