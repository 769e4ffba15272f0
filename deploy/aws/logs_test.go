package aws_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gatewright/deploy/aws"
	"gatewright/deploy/awstest"
	"gatewright/deploy/cloudlog"
	"gatewright/deploy/deploytest"
	"gatewright/deploy/remote"
	"gatewright/model"
	"gatewright/model/access"
	"gatewright/model/edit"
)

func TestTheLogOfAFunctionIsInTheGroupOfItsDeployedName(t *testing.T) {
	t.Parallel()
	b := cloudShop(t)
	own := deploytest.Function("orders")
	own.FunctionName = "own-name"
	deploytest.Must(t, edit.AddFunction(b, own))
	r := roomInCloud(t, b, archives(t), awstest.Options{StacksPerPage: 2})
	reached := r.reached()
	logs, err := remote.LogsOf(reached, []string{"orders", "items", "orders"})
	deploytest.Must(t, err)
	name, err := reached.Function("orders")
	deploytest.Must(t, err)
	want := []cloudlog.Group{{Function: "orders", Name: "/aws/lambda/" + name}, {Function: "items", Name: "/aws/lambda/items-dev"}}
	if diff := cmp.Diff(want, logs.Groups); diff != "" || logs.Environment != "dev" || logs.Account == nil {
		t.Errorf("the groups are others (-want +got), of environment %s:\n%s", logs.Environment, diff)
	}
	r.edit(func(b *model.Backend) error { return edit.AddFunction(b, deploytest.Function("later")) })
	if _, err := remote.LogsOf(reached, []string{"items", "later"}); !errors.Is(err, aws.ErrNotDeployed) {
		t.Errorf("the log of a function that was not pushed: %v", err)
	}
}

func TestGroupsAreComparedByTheirRoles(t *testing.T) {
	t.Parallel()
	b := cloudShop(t)
	for _, group := range []string{"Editors", "Admins"} {
		deploytest.Must(t, edit.AddGroup(b, group))
	}
	grant := func(group string, actions ...access.Action) access.Grant {
		return access.Grant{To: access.Principal{Kind: access.Group, Group: group}, Actions: access.ActionSet(actions...)}
	}
	deploytest.Must(t, edit.AddPath(b, "shop", &access.Path{Name: "/staff", Function: "items", Access: access.Access{Setting: access.Private, Grants: []access.Grant{
		grant("Editors", access.Read), grant("Admins", access.Read, access.Delete),
	}}}))
	r := roomInCloud(t, b, archives(t), awstest.Options{})
	f := r.fake.ServeInForce()
	deploytest.Must(t, r.push(pushOptions{}).err)
	if d, lines := r.drift(); d.Differs() || len(lines) > 0 {
		t.Fatalf("right after a push there differ %q", lines)
	}
	live, err := r.reach().LiveAccess(t.Context())
	deploytest.Must(t, err)
	var names []string
	for _, g := range live.Groups {
		names = append(names, g.Name)
	}
	if diff := cmp.Diff([]string{"Editors", "Admins"}, names); diff != "" {
		t.Errorf("the groups in force are others (-want +got):\n%s", diff)
	}
	api := r.logical("AWS::ApiGateway::RestApi", "").PhysicalID
	for group, may := range map[string]bool{"Admins": true, "Editors": false} {
		role := ""
		s, _ := r.fake.Stack(r.stackName("dev"))
		for _, x := range s.Resources {
			if x.Type == "AWS::IAM::Role" && strings.Contains(x.LogicalID, group) {
				role = x.PhysicalID
			}
		}
		if role == "" {
			t.Fatalf("there is no role of %s: %+v", group, s.Resources)
		}
		f.Policies = map[string]map[string]string{role: {"hand": `{"Statement": {"Effect": "Deny", "Action": "execute-api:Invoke", "Resource": "arn:aws:execute-api:` + awsRegion + `:` + awsAccount + `:` + api + `/dev/DELETE/staff"}}`}}
		_, lines := r.drift()
		// Who could do it before may not any more, and nobody else is named.
		if slices.Contains(lines, "DELETE /staff: members of "+group+" may not; the last push allows it") != may {
			t.Errorf("of %s it is told as %q", group, lines)
		}
	}
}
