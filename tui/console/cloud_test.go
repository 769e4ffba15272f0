package console

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

	"gatewright/deploy/awstest"
	"gatewright/deploy/cloudcall/cloudcalltest"
	"gatewright/deploy/signin/signintest"
	"gatewright/model"
	"gatewright/model/edit"
	"gatewright/project"
	"gatewright/test/await"
	"gatewright/tui/route"
)

// pushedToAWS makes a project whose guarded environment prod was pushed to a fake of AWS, with the
// user emma@example.com.
func pushedToAWS(t *testing.T) (*cloudcalltest.Cloud, string) {
	t.Helper()
	b := shop(t)
	must(t, edit.UpdateEnvironment(b, &model.Environment{Name: "prod", Provider: model.AWS, Account: "123456789012", Region: cloudcalltest.Region, Guarded: true}))
	dir := written(t, b)
	cloud := cloudcalltest.New(t)
	cloud.Serve("cognito-idp", (&signintest.Pool{User: "emma@example.com", Groups: []string{"Editors"}}).Serve)
	p, err := project.Open(dir)
	must(t, err)
	cloudcalltest.Push(t, p, "prod", cloudcalltest.URL("prod"))
	must(t, p.Close())
	cloud.API = func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") == "" && !strings.HasPrefix(r.URL.Path, "/prod/open") {
			w.Header().Set("X-Amzn-Errortype", "MissingAuthenticationTokenException")
			w.WriteHeader(http.StatusForbidden)
			return
		}
		_, _ = fmt.Fprintf(w, `{"answered": "%s %s"}`, r.Method, r.URL)
	}
	return cloud, dir
}

func TestRequestsGoToAWSWithoutASandbox(t *testing.T) {
	cloud, dir := pushedToAWS(t)
	term := open(t, dir, "none", 200, 60, Options{}, route.Console{API: "shop", Path: "/books/{isbn}", Environment: "prod"})
	term.shows("prod in AWS, as pushed 2026-11-25 17:00:00 UTC, at "+cloudcalltest.URL("prod"), "prod (guarded)", "nobody: no credentials")
	term.to("{isbn}").keys("enter", "7", "enter", "esc").shows("will be refused: /books/{isbn} is restricted, and the caller is unknown")
	term.keys("c").shows("403 Forbidden", "Why it was refused", "sign it with: --as guest")
	term.to("Who calls").keys("enter").shows("guest", "signed, with identity pool credentials", "me ", "your own AWS credentials", "another user")
	term.keys("guest", "enter").shows("allowed: guests may read under /books/{isbn}").keys("c")
	term.shows("200 OK", `"answered": "GET /prod/books/7"`, "Log of the function echo", "gatewright logs echo --env prod")

	// A guarded environment asks for its name before anything but GET.
	sent := len(cloud.Got)
	term.to("Method").keys("enter", "PUT", "enter", "c").shows("Send to prod?", "PUT /books/7 goes to the environment prod in AWS", "environment is guarded.")
	term.keys("pro", "enter").shows("the name is not the same").keys("esc")
	if len(cloud.Got) != sent {
		t.Error("something was sent without consent")
	}
	term.keys("c", "prod", "enter").shows(`"answered": "PUT /prod/books/7"`)
}

func TestAUserSignsInOnceUntilTheConsoleCloses(t *testing.T) {
	cloud, dir := pushedToAWS(t)
	term := open(t, dir, "none", 120, 36, Options{}, route.Console{API: "shop", Path: "/staff", Environment: "prod"})
	term.to("Who calls").keys("enter", "another", "enter", "emma@example.com", "enter").shows("user emma@example.com, signed")
	if strings.Contains(term.Screen(), "allowed") || strings.Contains(term.Screen(), "refused") {
		t.Errorf("before the sign-in nobody knows the groups:\n%s", term.Screen())
	}
	term.keys("c").shows("Sign in to prod", "The password of emma@example.com").keys(signintest.Password)
	if strings.Contains(term.Screen(), signintest.Password) {
		t.Errorf("the password is shown:\n%s", term.Screen())
	}
	term.keys("enter").shows("200 OK", `"answered": "GET /prod/staff"`, "allowed: members of Editors may read under /staff")
	term.keys("c").shows("200 OK")
	if n := cloud.Count("InitiateAuth"); n != 1 {
		t.Errorf("the user signed in %d times", n)
	}
	term = open(t, dir, "none", 120, 36, Options{}, route.Console{API: "shop", Path: "/staff", Environment: "prod"})
	term.to("Who calls").keys("enter", "another", "enter", "emma@example.com", "enter", "c").shows("The password of emma@example.com")
	term.keys("esc").shows("not sent: nobody signed in")
	term.keys("c", "wrong", "enter").shows("does not let emma@example.com in")
}

func TestWhoStopsWhileCredentialsAreAskedForHasSentNothing(t *testing.T) {
	cloud, dir := pushedToAWS(t)
	term := open(t, dir, "none", 120, 36, Options{}, route.Console{API: "shop", Path: "/open", Environment: "prod"})
	term.to("Who calls").keys("enter", "guest", "enter")
	answers, asked := make(chan struct{}), make(chan struct{})
	once := sync.OnceFunc(func() { close(asked) })
	cloud.Serve("cognito-identity", func(awstest.Request) (any, error) {
		once()
		<-answers
		return nil, &awstest.Refusal{Code: "InternalErrorException", Message: "x"}
	})
	sent := len(cloud.Got)
	finish := term.meanwhile("c")
	await.Next(t, "the question for credentials", asked)
	term.keys("esc")
	close(answers)
	finish()
	term.shows("stopped: the request was not sent")
	if len(cloud.Got) != sent {
		t.Error("the request was sent")
	}
}

func TestAnEnvironmentThatThisMachineDoesNotKnowSaysWhatToDo(t *testing.T) {
	_, dir := pushedToAWS(t)
	p, err := project.Open(dir)
	must(t, err)
	must(t, p.Undeploy("prod"))
	must(t, p.Close())
	term := open(t, dir, "none", 160, 36, Options{}, route.Console{API: "shop", Path: "/open", Environment: "prod"})
	term.shows("environment prod: it is in AWS, and this machine does not know what is deployed there; run once with credentials: gatewright status --env prod")
	term.keys("c").shows("error: environment prod: it is in AWS")
}
