package worker

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"gatewright/model"
	"gatewright/sandbox/function"
	"gatewright/sandbox/prepare/preparetest"
	"gatewright/test/await"
	"gatewright/test/depth"
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

// TestACallDuringAnInstallationOfTheRuntimesPackagesWaitsForIt has them installed before the first start,
// and after a start that missed one: calls that come then wait, also when the call before gave up.
func TestACallDuringAnInstallationOfTheRuntimesPackagesWaitsForIt(t *testing.T) {
	depth.Gate(t)
	opened := make(chan struct{}, 1)
	r := preparetest.NewRegistry(t, map[string][]string{"@aws-sdk/client-ssm": {"3.5.0"}, "@aws-sdk/client-hidden": {"3.6.0"}})
	asked := make(chan struct{}, 1000)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, request *http.Request) {
		if !strings.HasSuffix(request.URL.Path, ".tgz") {
			asked <- struct{}{}
			<-opened
		}
		r.ServeHTTP(w, request)
	}))
	t.Cleanup(server.Close)
	open := sync.OnceFunc(func() { close(opened) })
	t.Cleanup(open)
	t.Setenv("npm_config_registry", server.URL)
	f := newFacility(t, nil)
	f.serve(t, model.NodeJS, map[string]string{
		"index.js": "require('@aws-sdk/client-ssm'); const x = require('@aws-sdk/' + 'client-hidden'); exports.handler = async () => x",
	}, nil)
	told, answers := make(chan bool, 10), make(chan function.Answer, 2)
	begin := func() func() {
		return f.Begin(function.Call{
			Environment: "dev", Function: "items", Payload: []byte("{}"), Preparing: func(is bool) { told <- is },
		}, func(a function.Answer, err error) {
			if err != nil {
				t.Error(err)
			}
			answers <- a
		})
	}
	forget := begin()
	is := func(want bool) {
		t.Helper()
		if await.Next(t, "word of preparing", told) != want {
			t.Errorf("it is not told %t", want)
		}
	}
	is(true)
	await.Next(t, "a request of npm for the package that is named", asked)
	forget()
	begin()
	is(true)
	opened <- struct{}{}
	is(false)
	// Its start misses the other package, which is installed then.
	is(true)
	await.Next(t, "a request of npm for both packages", asked)
	begin()
	is(true)
	open()
	is(false)
	is(false)
	for range 2 {
		if a := await.Next(t, "the answer", answers); string(a.Payload) != `"3.6.0"` {
			t.Errorf("the answer is %s", a.Payload)
		}
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
