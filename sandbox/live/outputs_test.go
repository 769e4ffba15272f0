package live_test

import (
	"errors"
	"os"
	"strings"
	"testing"

	"gatewright/deploy/deploytest"
	"gatewright/deploy/index"
	"gatewright/model"
	"gatewright/sandbox/live"
)

func TestAFrontEndIsLedToTheSandboxThatWouldStart(t *testing.T) {
	t.Parallel()
	p := deploytest.Opened(t, amplifyShop(t, `{}`))
	served, err := live.ServedOf(t.Context(), p, "prod")
	deploytest.Must(t, err)
	auth, _ := served.Record.Values["auth"].(map[string]any)
	if served.Running || served.Other != "" || served.Address != "http://127.0.0.1:4280" || served.Record.Stack != "" ||
		served.Record.Environment != "prod" || served.Record.Region != "eu-west-1" || served.Record.UserPoolEndpoint != "http://127.0.0.1:4280/_user-pool" || auth["user_pool_id"] == nil {
		t.Errorf("the sandbox is %+v", served)
	}
	for _, endpoint := range served.Record.APIs {
		if !strings.HasPrefix(endpoint.URL, served.Address+"/") || !strings.HasSuffix(endpoint.URL, "/prod") {
			t.Errorf("the endpoint of %s is %s", endpoint.API, endpoint.URL)
		}
	}
	if _, err := live.ServedOf(t.Context(), p, "qa"); err == nil {
		t.Error("an environment that is unknown is served")
	}
	if served, err := live.ServedOf(t.Context(), p, ""); err != nil || served.Record.Environment != "dev" {
		t.Errorf("without a chosen environment it is %+v, %v", served, err)
	}
}

func TestAFrontEndIsLedToTheSandboxThatRuns(t *testing.T) {
	t.Parallel()
	dir := amplifyShop(t, `{}`)
	l := serve(t, dir, live.Options{Environment: "prod"})
	l.until(live.API, "API shop ")
	p := deploytest.Opened(t, dir)
	served, err := live.ServedOf(t.Context(), p, "")
	deploytest.Must(t, err)
	if !served.Running || served.Other != "" || served.Record.Environment != "prod" {
		t.Errorf("the sandbox is %+v", served)
	}
	said := strings.Join(l.seen, "\n")
	for _, endpoint := range served.Record.APIs {
		if endpoint.API == "shop" && !strings.Contains(said, endpoint.URL) {
			t.Errorf("the endpoint is %s, and the sandbox says\n%s", endpoint.URL, said)
		}
	}
	served, err = live.ServedOf(t.Context(), p, "dev")
	deploytest.Must(t, err)
	if served.Other != "prod" || served.Record.Environment != "dev" {
		t.Errorf("for another environment it is %+v", served)
	}
	l.end()
}

func TestASandboxWithoutAPIsIsNoDestination(t *testing.T) {
	t.Parallel()
	dir := amplifyShop(t, `{}`)
	for _, category := range []string{"api", "auth"} {
		deploytest.Must(t, os.RemoveAll(dir+"/amplify/backend/"+category))
	}
	deploytest.Must(t, os.Remove(dir+"/amplify/backend/backend-config.json"))
	_, err := live.ServedOf(t.Context(), deploytest.Opened(t, dir), "dev")
	var problem *model.Problem
	if !errors.Is(err, index.ErrNoOutputs) || !errors.As(err, &problem) {
		t.Errorf("the error is %v", err)
	}
}
