//go:build unix

package cloud

import (
	"fmt"
	"strings"
	"testing"

	"gatewright/model"
	"gatewright/model/access"
	"gatewright/render/template"
	"gatewright/test/depth"
	"gatewright/test/standin"
)

func TestADeployedEnvironmentAnswersAsTheModelDecides(t *testing.T) {
	depth.Whole(t)
	const region = "eu-central-1"
	grant := func(kind access.PrincipalKind, group string, actions ...access.Action) access.Grant {
		return access.Grant{To: access.Principal{Kind: kind, Group: group}, Actions: access.ActionSet(actions...)}
	}
	path := func(name string, setting access.Setting, grants ...access.Grant) *access.Path {
		return &access.Path{Name: name, Function: "books", Access: access.Access{Setting: setting, Grants: grants}}
	}
	b := &model.Backend{
		Project:   model.Project{Name: "books", ApplicationID: "a1", Region: region},
		Functions: []*model.Function{{Name: "books", Runtime: model.NodeJS, Handler: "index.handler"}},
		Groups:    []string{"Admins"},
		APIs: []*access.API{{Label: "shop", Paths: []*access.Path{
			path("/news", access.Open),
			path("/books", access.Protected, grant(access.Guest, "", access.Read), grant(access.Authenticated, "", access.Create, access.Read)),
			path("/books/drafts", access.Private, grant(access.Group, "Admins", access.AllActions...)),
			path("/orders/{id}", access.Private, grant(access.Authenticated, "", access.Read), grant(access.Group, "Admins", access.Read, access.Delete)),
		}}},
	}
	env := &model.Environment{Name: "dev"}
	made, err := template.Render(b, env, template.Options{})
	if err != nil {
		t.Fatal(err)
	}
	server := standin.Start(t, region)
	calls := session{
		Endpoint: server.URL, Region: region, Account: standin.Account, Stage: "dev", Group: "Admins",
		Template: string(made.Body), Archives: []string{template.ArchiveKey(b.Functions[0])},
	}
	callers := map[string]access.Caller{"nobody": {Stranger: true}, "guest": {}, "user": {SignedIn: true}, "member": {SignedIn: true, Groups: []string{"Admins"}}}
	router := b.Router("shop")
	var want []int
	for _, raw := range []string{"/news", "/news/today", "/books", "/books/1", "/books/drafts", "/books/drafts/1", "/orders/7", "/orders/7/lines", "/nothing"} {
		for _, method := range []string{"GET", "POST", "DELETE", "OPTIONS"} {
			for _, who := range []string{"nobody", "guest", "user", "member"} {
				calls.Requests = append(calls.Requests, request{Who: who, Method: method, Path: raw})
				status := 403
				if router.Decide(callers[who], method, raw).Allowed {
					status = 200
				}
				want = append(want, status)
			}
		}
	}
	got := calls.send(t, server)
	var wrong []string
	for i, r := range calls.Requests {
		if got[i].Status != want[i] {
			wrong = append(wrong, fmt.Sprintf("%s %s %s is answered with %d, and should be with %d", r.Who, r.Method, r.Path, got[i].Status, want[i]))
		}
	}
	if len(wrong) > 0 {
		t.Errorf("%d of %d:\n%s", len(wrong), len(want), strings.Join(wrong, "\n"))
	}
	t.Logf("%d requests are answered as the model decides", len(want)-len(wrong))
}
