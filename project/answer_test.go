package project_test

import (
	"errors"
	"strings"
	"testing"

	"gatewright/model"
	"gatewright/model/access"
	"gatewright/project/answer"
)

// books returns a backend with two APIs that have the same path, restricted in shop.
func books(t *testing.T) *model.Backend {
	t.Helper()
	b := &model.Backend{Groups: []string{"Admins", "Editors"}}
	path := func(rules access.Access) []*access.Path {
		return []*access.Path{{Name: "/books", Function: "f", Access: rules}}
	}
	entry := access.Grant{To: access.Principal{Kind: access.Group, Group: "Editors"}, Actions: access.EveryAction}
	b.APIs = []*access.API{
		{Label: "shop", Paths: path(access.Access{Setting: access.Private, Grants: []access.Grant{entry}})},
		{Label: "stock", Paths: path(access.Access{Setting: access.Open})},
	}
	b.Functions = []*model.Function{{Name: "f", Runtime: model.NodeJS, Template: model.Plain, Handler: "index.handler"}}
	return b
}

func ask(b *model.Backend, c *answer.Caller, apis ...*access.API) (answer.Answer, error) {
	return answer.Question{Backend: b, Caller: c, Method: "POST", Path: "/books", APIs: apis}.Answer()
}

func TestSeveralAPIsWithThePathAreNotGuessed(t *testing.T) {
	t.Parallel()
	b := books(t)
	_, err := ask(b, answer.CallerOf(answer.Who{}, b), b.APIs...)
	var unclear answer.Unclear
	if !errors.As(err, &unclear) || !strings.Contains(err.Error(), "shop, stock") {
		t.Errorf("the error is %v", err)
	}
}

func TestAnAnswerNamesTheRuleAndEachChangeThatWorks(t *testing.T) {
	t.Parallel()
	b := books(t)
	for _, test := range []struct {
		who, sentence string
		changes       []string
	}{
		{"group:Editors", "yes: members of Editors may create under /books", nil},
		{"group:Admins,Editors", "no: signed-in users may not create under /books", []string{
			"gatewright update path shop /books --group Admins=create", "gatewright update path shop /books --auth create",
			"gatewright update group Editors --before Admins",
		}},
		{"guest", "no: guests may not create under /books", []string{"gatewright update path shop /books --guest create"}},
	} {
		who, err := answer.ParseWho(test.who, b)
		if err != nil {
			t.Fatal(err)
		}
		a, err := ask(b, answer.CallerOf(who, b), b.APIs[0])
		if err != nil {
			t.Fatal(err)
		}
		w := a.Words()
		if w.Sentence != test.sentence || strings.Join(w.Commands, "\n") != strings.Join(test.changes, "\n") {
			t.Errorf("%s is answered %q with %q, want %q with %q", test.who, w.Sentence, w.Commands, test.sentence, test.changes)
		}
	}
}

func TestAUserWhoCannotSignInIsUnlockedFirst(t *testing.T) {
	t.Parallel()
	b := books(t)
	who, err := answer.ParseWho("emma", b)
	if err != nil {
		t.Fatal(err)
	}
	a, err := ask(b, answer.UserCaller(who, []string{"Editors"}, false, true, "qa"), b.APIs[0])
	if err != nil {
		t.Fatal(err)
	}
	w := a.Words()
	if w.Sentence != "no: /books is restricted, and user emma is disabled" || strings.Join(w.Commands, "|") != "gatewright user enable emma --env qa" {
		t.Errorf("the answer is %+v", w)
	}
}

func TestAnUnclearCallerIsRefused(t *testing.T) {
	t.Parallel()
	b := books(t)
	for text, want := range map[string]string{"group:": "has no group name", "user:": "is not a caller", "group:Editor": "did you mean Editors?"} {
		if _, err := answer.ParseWho(text, b); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s is %v, want %q", text, err, want)
		}
	}
}

func TestAPathThatMayHaveBeenMeantIsNamedOnce(t *testing.T) {
	t.Parallel()
	b := books(t)
	for _, api := range b.APIs {
		for _, name := range []string{"/boots", "/cooks"} {
			api.Paths = append(api.Paths, &access.Path{Name: name, Function: "f", Access: access.Access{Setting: access.Open}})
		}
	}
	a, err := answer.Question{Backend: b, Caller: answer.CallerOf(answer.Who{}, b), Method: "GET", Path: "/rooks", APIs: b.APIs}.Answer()
	if err != nil || strings.Join(a.Nearest, " ") != "/books /cooks" {
		t.Errorf("%q may have been meant, %v", a.Nearest, err)
	}
}
