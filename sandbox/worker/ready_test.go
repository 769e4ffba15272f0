package worker

import (
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"

	"gatewright/model"
	"gatewright/sandbox/function"
	"gatewright/sandbox/prepare/preparetest"
	"gatewright/test/await"
)

// slowRegistry is a registry that answers only when it is opened.
func slowRegistry(t *testing.T) (npmrc string, asked chan struct{}, open func()) {
	t.Helper()
	r := preparetest.NewRegistry(t, map[string][]string{"left": {"1.0.0"}})
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
	t.Parallel()
	npmrc, asked, open := slowRegistry(t)
	f := newFacility(t, nil)
	f.serve(t, model.NodeJS, map[string]string{".npmrc": npmrc, "package.json": `{"dependencies":{"left":"*"}}`, "index.js": usesLeft}, nil)
	f.Prepare("dev", []string{"items", "unknown"})
	// Nobody called, and npm asks.
	await.Next(t, "a request of npm", asked)
	open()
	await.Until(t, "the packages are installed", func() bool {
		texts := f.eventTexts(function.EventInstall)
		return len(texts) > 0 && texts[len(texts)-1][:8] == "packages"
	})
	if got := f.result(t, "{}"); got != `"1.0.0"` {
		t.Errorf("it answers %s", got)
	}
}

func TestACallIsToldThatItWaitsForPreparing(t *testing.T) {
	t.Parallel()
	npmrc, asked, open := slowRegistry(t)
	f := newFacility(t, nil)
	f.serve(t, model.NodeJS, map[string]string{".npmrc": npmrc, "package.json": `{"dependencies":{"left":"*"}}`, "index.js": usesLeft}, nil)
	told, answers := make(chan bool, 10), make(chan function.Answer, 1)
	f.Begin(function.Call{Environment: "dev", Function: "items", Payload: []byte("{}"), Preparing: func(is bool) { told <- is }}, func(a function.Answer, err error) {
		if err != nil {
			t.Error(err)
		}
		answers <- a
	})
	if !await.Next(t, "that it waits", told) {
		t.Error("it is told first that preparing is over")
	}
	await.Next(t, "a request of npm", asked)
	if len(told) != 0 {
		t.Errorf("while npm waits it is told %t", <-told)
	}
	open()
	if await.Next(t, "that preparing is over", told) {
		t.Error("it is told twice that it waits")
	}
	if a := await.Next(t, "the answer", answers); string(a.Payload) != `"1.0.0"` {
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
	t.Parallel()
	npmrc, asked, _ := slowRegistry(t)
	f := newFacility(t, nil)
	f.serve(t, model.NodeJS, map[string]string{".npmrc": npmrc, "package.json": `{"dependencies":{"left":"*"}}`, "index.js": usesLeft}, nil)
	f.Prepare("dev", []string{"items"})
	await.Next(t, "a request of npm", asked)
	f.close(t)
}
