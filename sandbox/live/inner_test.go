package live

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"gatewright/deploy/outputs"
	"gatewright/internal/cfn"
	"gatewright/internal/openapi"
	"gatewright/model"
	"gatewright/model/access"
	"gatewright/project"
	"gatewright/project/amplify"
	"gatewright/project/layout"
	"gatewright/sandbox"
	"gatewright/sandbox/artifact"
	"gatewright/test/symlink"
)

func TestAFunctionMayUseAndCallWhatItsDefinitionNames(t *testing.T) {
	t.Parallel()
	read := access.Actions(access.Read)
	f := &model.Function{Name: "mail", Table: "books", Access: []model.ResourceAccess{
		{Resource: "table/carts", Actions: read}, {Resource: "function/items", Actions: read}, {Resource: "function/gone", Actions: read}, {Resource: "api/shop", Actions: read},
	}}
	b := &model.Backend{
		Functions: []*model.Function{f, {Name: "items", FunctionName: "shop-items"}, {Name: "policy", Policies: []model.Statement{{Effect: "Allow", Action: model.Patterns{"dynamodb:Get*"}, Resource: model.Patterns{"*"}}}}, {Name: "idle", Access: []model.ResourceAccess{{Resource: "api/shop", Actions: read}}}},
		Tables:    []*model.Table{{Name: "books", DeployedAs: "Own"}, {Name: "carts"}},
	}
	env := &model.Environment{Name: "dev", Region: "eu-west-1", Account: "123456789012"}
	b.Environments = []*model.Environment{env}
	x := specMaker{project: &project.Project{}, backend: b, environment: sandbox.Environment{Name: "dev", Region: "eu-west-1", AccountID: "123456789012"}}
	items, gone := "arn:aws:lambda:eu-west-1:123456789012:function:shop-items-dev", "arn:aws:lambda:eu-west-1:123456789012:function:gone-dev"
	books, carts := "arn:aws:dynamodb:eu-west-1:123456789012:table/Own-dev", "arn:aws:dynamodb:eu-west-1:123456789012:table/carts-dev"
	for _, row := range []struct {
		action, arn string
		want        cfn.Permission
	}{
		{"dynamodb:DeleteItem", books, cfn.Granted},
		{"dynamodb:Query", books + "/index/byTitle", cfn.Granted},
		{"dynamodb:GetItem", carts, cfn.Granted},
		{"dynamodb:PutItem", carts, cfn.Absent},
		{"lambda:InvokeFunction", items + ":1", cfn.Granted},
		{"lambda:InvokeFunction", gone, cfn.Granted},
		{"lambda:InvokeFunction", gone + "s", cfn.Absent},
		{"cognito-idp:AdminGetUser", "arn:aws:cognito-idp:eu-west-1:123456789012:userpool/eu-west-1_a", cfn.Absent},
	} {
		if got, certain := cfn.Judge(x.grants(f), row.action, row.arn); got != row.want || !certain {
			t.Errorf("%s on %s: %d, certain %t", row.action, row.arn, got, certain)
		}
	}
	var names []string
	for _, table := range TablesOf(b, env) {
		names = append(names, table.Name+" "+table.Definition.Name)
	}
	if want := []string{"Own-dev books", "carts-dev carts"}; !slices.Equal(names, want) || TableName(b, "other", "dev") != "other-dev" {
		t.Errorf("the tables are %q, want %q", names, want)
	}
	for name, want := range map[string]bool{"mail": true, "items": false, "idle": false, "policy": true, "none": false} {
		if UsesTables(b, name) != want {
			t.Errorf("%s uses tables: %v", name, !want)
		}
	}
	cli := *b
	if cli.Layout = amplify.Layout; !UsesTables(&cli, "items") {
		t.Error("a function of the Amplify CLI uses no tables")
	}
}

func TestAFunctionIsLedToTheTablesUnlessItGoesElsewhere(t *testing.T) {
	t.Parallel()
	const here, there = "http://127.0.0.1:1", "http://127.0.0.1:2"
	key := sandbox.AccessKey("dev", "f")
	for _, tt := range []struct {
		endpoint    string
		other       bool
		given, want map[string]string
	}{
		{"", false, nil, map[string]string{}},
		{here, false, nil, map[string]string{"AWS_ENDPOINT_URL_DYNAMODB": here, "AWS_ACCESS_KEY_ID": key}},
		{here, true, nil, map[string]string{"AWS_ENDPOINT_URL_DYNAMODB": here}},
		{here, false, map[string]string{"AWS_ACCESS_KEY_ID": "own"}, map[string]string{"AWS_ENDPOINT_URL_DYNAMODB": here, "AWS_ACCESS_KEY_ID": "own"}},
		{here, false, map[string]string{"AWS_ENDPOINT_URL_DYNAMODB": there}, map[string]string{"AWS_ENDPOINT_URL_DYNAMODB": there}},
		{here, false, map[string]string{"AWS_ENDPOINT_URL": there}, map[string]string{"AWS_ENDPOINT_URL": there}},
	} {
		x := specMaker{environment: sandbox.Environment{Name: "dev"}, tableEndpoint: tt.endpoint, otherTables: tt.other}
		got := map[string]string{}
		for name, value := range tt.given {
			got[name] = value
		}
		x.reachTables(&model.Function{Name: "f"}, got)
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("with %v it is given otherwise (-want +got):\n%s", tt.given, diff)
		}
	}
}

func TestExamplesAreThoseOfThePathsThatAreAskedFor(t *testing.T) {
	t.Parallel()
	contract := func(file string, paths ...string) *liveContract {
		c := &liveContract{document: &openapi.Document{Name: file}}
		for _, path := range paths {
			item := &openapi.Item{Name: strings.TrimPrefix(path, "!")}
			if path == item.Name {
				item.Operations = []*openapi.Operation{{}}
			}
			c.document.Items = append(c.document.Items, item)
		}
		return c
	}
	all := map[string]*liveContract{"shop": contract("shop.yaml", "/books/{id}", "/carts", "!/empty"), "blog": contract("blog.json", "/posts/{proxy+}")}
	for path, want := range map[string]string{"/": "shop blog", "/books": "shop", "/books/1": "shop", "/books/1/2": "", "/carts": "shop", "/empty": "", "/posts/1/2": "blog", "/other": ""} {
		var have []string
		for _, label := range []string{"shop", "blog"} {
			if len(mocksOf([]string{path}, all[label])) > 0 {
				have = append(have, label)
			}
		}
		if got := strings.Join(have, " "); got != want {
			t.Errorf("examples of %s are those of %q, want %q", path, got, want)
		}
		if err := checkMocks([]string{path}, all); (err == nil) != (want != "") {
			t.Errorf("%s is refused: %v", path, err)
		}
	}
	err := checkMocks([]string{"/carts", "/other"}, all)
	if want := "no contract has the path /other or one below it, so there is no example to respond with; give a path of the contract, such as /books/{id}"; err == nil || err.Error() != want {
		t.Errorf("a path of none is refused with %v", err)
	}
	if got := somePath(nil); got != "/" {
		t.Errorf("a path of no contract is %s", got)
	}
	for _, tt := range []struct {
		check  ContractCheck
		mocked []string
		want   []string
	}{
		{NoContracts, nil, nil},
		{AllContracts, nil, []string{"API blog is checked against blog.json", "API shop is checked against shop.yaml"}},
		{NoContracts, []string{"/"}, []string{"API blog answers with the examples of blog.json", "API shop answers with the examples of shop.yaml"}},
		{KeptContracts, []string{"/books", "/carts"}, []string{
			"API blog is checked against blog.json", "API shop is checked against shop.yaml", "API shop answers with the examples of shop.yaml under /books, /carts",
		}},
	} {
		l := &live{options: Options{Contracts: tt.check, Mock: tt.mocked}}
		if got := l.contractsInUse(served{contracts: all}); !slices.Equal(got, tt.want) {
			t.Errorf("of %v and %q it says %q, want %q", tt.check, tt.mocked, got, tt.want)
		}
	}
}

func TestContractsThatAreOthersThanBeforeAreTold(t *testing.T) {
	t.Parallel()
	same, was, now := &liveContract{}, &liveContract{}, &liveContract{}
	var told []string
	l := &live{environment: "dev", options: Options{Notify: func(e sandbox.Event) { told = append(told, e.Kind+" "+e.Environment+" "+e.Text) }}}
	l.serving = []served{{contracts: map[string]*liveContract{"a": same, "b": now, "d": now, "c": now}}}
	l.reportContracts(map[string]*liveContract{"a": same, "b": was, "f": was, "e": was})
	if diff := cmp.Diff([]string{
		"definition dev the contract of API b changed", "definition dev the contract of API c is new", "definition dev the contract of API d is new",
		"definition dev the contract of API e is no longer used", "definition dev the contract of API f is no longer used",
	}, told); diff != "" {
		t.Errorf("it is told otherwise (-want +got):\n%s", diff)
	}
}

func TestAPushedSourceIsServedFromACopyThatTheNextPushLeaves(t *testing.T) {
	t.Parallel()
	p, d := &project.Project{Loaded: layout.Loaded{Layout: project.Native}, Root: t.TempDir()}, &project.Deployment{Record: project.Record{Environment: "qa", Snapshot: "snapshot-a"}}
	stored := filepath.Join(p.Root, ".gatewright", "deployed", "qa", "snapshot-a")
	writeAt(t, stored, "backend/function/items/src/run", "#!", 0o755)
	writeAt(t, stored, "backend/function/items/src/text", "text", 0o644)
	l := &live{}
	functions, err := l.copySources(p, d)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(stored); err != nil {
		t.Fatal(err)
	}
	if again, err := l.copySources(p, d); err != nil || again != functions {
		t.Errorf("then it is %s, %v", again, err)
	}
	source := filepath.Join(functions, "items", "src")
	if info, err := os.Stat(filepath.Join(source, "run")); err != nil || info.Mode()&0o100 == 0 && runtime.GOOS != "windows" {
		t.Errorf("its program is %v, %v", info, err)
	}
	if text, err := os.ReadFile(filepath.Join(source, "text")); err != nil || string(text) != "text" {
		t.Errorf("its file has %q, %v", text, err)
	}
	// No push stores a link, and none leads out of what runs.
	symlink.Make(t, t.TempDir(), filepath.Join(source, "out"))
	_, err = artifact.Source{Name: "items", Folder: source, Project: p.Root, Runtime: model.NodeJS}.List(false)
	if err == nil || !strings.Contains(err.Error(), "the link out leads out of the project") {
		t.Errorf("with a link to elsewhere it is %v", err)
	}
}

func TestAnEarlierStateIsServedOnlyIfItWasPushed(t *testing.T) {
	t.Parallel()
	l := &live{serving: []served{
		{Environment: sandbox.Environment{Name: "dev"}}, {Environment: sandbox.Environment{Name: "prod"}, pushed: time.Unix(1, 0), source: "here"},
	}}
	for name, want := range map[string]string{"dev": " ", "prod": "prod here", "other": " "} {
		if s := l.servedBefore(name); fmt.Sprint(s.Name, " ", s.source) != want {
			t.Errorf("of %s it serves %q from %q", name, s.Name, s.source)
		}
	}
	if got := outputs.AccountOf(&model.Environment{}) + " " + outputs.AccountOf(&model.Environment{Account: "123456789012"}); got != "000000000000 123456789012" {
		t.Errorf("the accounts are %s", got)
	}
}
