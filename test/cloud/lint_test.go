package cloud

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"gatewright/model"
	"gatewright/model/access"
	"gatewright/render/policy/policytest"
	"gatewright/render/template"
	"gatewright/test/depth"
)

func TestTemplatesHaveNoFindingsOfALinter(t *testing.T) {
	depth.Whole(t)
	linter, err := exec.LookPath(os.Getenv("GATEWRIGHT_CFN_LINT"))
	if err != nil {
		depth.Lacks(t, "cfn-lint", "GATEWRIGHT_CFN_LINT names none")
	}
	folder := t.TempDir()
	// A runtime is the project's choice, and validate tells of one that is deprecated (W2531).
	files := []string{"-i", "W2531", "-r", "us-east-1", "eu-central-1", "--"}
	write := func(name string, text []byte) {
		file := filepath.Join(folder, name+".json")
		if err := os.WriteFile(file, text, 0o600); err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
	}
	random, steps := rand.New(rand.NewPCG(13, 14)), 0
	for i := range 15 {
		b := randomBackend(random)
		made, err := template.Render(b, &model.Environment{Name: "dev", Guarded: i%3 == 0}, template.Options{})
		if err != nil {
			t.Fatal(err)
		}
		write(fmt.Sprintf("random%d", i), made.Root.JSON())
		for _, n := range made.Nested {
			write(fmt.Sprintf("random%d-%s", i, n.ID), n.Node.JSON())
		}
		next, err := template.Render(randomBackend(random), &model.Environment{Name: "dev"}, template.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for j, s := range template.Steps(template.Deployed{Root: made.Root}, next) {
			write(fmt.Sprintf("random%d-step%d", i, j), s.Body)
			steps++
		}
	}
	if out, err := exec.Command(linter, files...).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	if steps < 5 {
		t.Errorf("only %d updates that come before another one were looked at", steps)
	}
}

// randomBackend is a backend with several APIs, tables and functions of each kind.
func randomBackend(random *rand.Rand) *model.Backend {
	groups := []string{"Admins", "Editors"}
	b := &model.Backend{Project: model.Project{Name: "books", ApplicationID: "a1"}, Groups: groups}
	b.Tables = []*model.Table{{Name: "items", PartitionKey: model.Key{Name: "id", Type: model.KeyTypes[random.IntN(3)]}}}
	if random.IntN(2) == 0 {
		b.Tables[0].Indexes = []model.Index{{Name: "byState", PartitionKey: model.Key{Name: "state", Type: model.StringKey}}}
	}
	f := &model.Function{Name: policytest.Function, Runtime: model.Runtimes[random.IntN(3)], Timeout: 1 + random.IntN(28), Memory: 128 * (1 + random.IntN(4))}
	f.Handler = f.Runtime.Handler()
	if random.IntN(2) == 0 {
		f.Secrets, f.Schedule = []string{"KEY"}, "rate(1 hour)"
		f.Access = []model.ResourceAccess{{Resource: "table/items", Actions: access.Actions(1 + random.IntN(15))}}
		f.Environment = []model.Variable{
			{Name: "OWN_NAME", Value: "${TABLE_ITEMS_NAME}"},
			{Name: "PARAMETER", Value: "/books/${ENV}/${REGION}/$${KEY}/${TABLE_ITEMS_ARN}"},
			{Name: "POOLS", Value: "${USER_POOL_ID} ${USER_POOL_ARN} ${USER_POOL_CLIENT_ID} ${IDENTITY_POOL_ID}"},
		}
	}
	b.Functions = []*model.Function{f}
	for i := range 1 + random.IntN(3) {
		api := policytest.API(random, groups)
		api.Label = fmt.Sprintf("api%d", i)
		b.APIs = append(b.APIs, api)
	}
	if random.IntN(2) == 0 {
		off := random.IntN(2) == 0
		b.Auth = &model.Auth{UsernameAttributes: []string{"email"}, StandardRequiredAttributes: []string{"email", "updated_at"}, UnauthenticatedIdentitiesEnabled: &off}
	}
	return b
}
