// Package cloud holds what is rendered for the cloud against programs that are not ours.
package cloud

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gatewright/internal/cfn"
	"gatewright/model/access"
	"gatewright/render/policy"
	"gatewright/render/policy/policytest"
	"gatewright/test/depth"
)

// question is whether a role may send a request.
type question struct {
	Allow, Deny []string
	Request     string
}

// questions are about the policies of random APIs, with our answers.
func questions() (asked []question, answers []bool) {
	random := rand.New(rand.NewPCG(11, 12))
	paths := policytest.Paths(4, false)
	for range 40 {
		api := policytest.API(random, []string{"Admins"})
		for _, role := range policy.Of(api, []string{"Admins"}, access.Terms{}).Roles {
			for range 20 {
				q := question{role.Allow, role.Deny, []string{"GET", "POST", "PUT", "DELETE"}[random.IntN(4)] + paths[1+random.IntN(len(paths)-1)]}
				matches := func(pattern string) bool { return cfn.MatchResource(pattern, q.Request) }
				asked = append(asked, q)
				answers = append(answers, slices.ContainsFunc(q.Allow, matches) && !slices.ContainsFunc(q.Deny, matches))
			}
		}
	}
	return asked, answers
}

const simulator = `
import { runSimulation } from '@cloud-copilot/iam-simulate'
import { readFileSync } from 'node:fs'
const base = 'arn:aws:execute-api:us-east-1:123456789012:abcdefghij/dev/'
const answers = []
for (const q of JSON.parse(readFileSync(process.argv[2]))) {
  const statement = (Effect, list) => ({ Effect, Action: 'execute-api:Invoke', Resource: list.map((p) => base + p) })
  const Statement = [statement('Allow', q.Allow)]
  if (q.Deny?.length) Statement.push(statement('Deny', q.Deny))
  const result = await runSimulation({
    request: { principal: 'arn:aws:iam::123456789012:role/caller', action: 'execute-api:Invoke', contextVariables: {},
      resource: { resource: base + q.Request, accountId: '123456789012' } },
    identityPolicies: [{ name: 'caller', policy: { Version: '2012-10-17', Statement } }],
    serviceControlPolicies: [], resourceControlPolicies: []
  }, {})
  if (result.errors) throw new Error(JSON.stringify(result.errors))
  answers.push((result.overallResult ?? result.analysis?.result) === 'Allowed')
}
console.log(JSON.stringify(answers))
`

func TestAnotherSimulatorOfIAMAnswersAsWeDo(t *testing.T) {
	depth.Whole(t)
	modules := os.Getenv("GATEWRIGHT_IAM_SIMULATE")
	if modules == "" {
		depth.Lacks(t, "iam-simulate", "GATEWRIGHT_IAM_SIMULATE names no folder with the npm package @cloud-copilot/iam-simulate")
	}
	asked, want := questions()
	folder, err := os.MkdirTemp(modules, "asked")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = os.RemoveAll(folder) }()
	compare(t, folder, asked, want, "simulate.mjs", simulator, "node")
}

const evaluator = `
import json, sys
from ministack.core.iam_evaluator import EvalContext, evaluate, parse_policy_document
base = 'arn:aws:execute-api:us-east-1:123456789012:abcdefghij/dev/'
answers = []
for q in json.load(open(sys.argv[1])):
    def statement(effect, patterns):
        return {'Effect': effect, 'Action': 'execute-api:Invoke', 'Resource': [base + p for p in patterns]}
    statements = [statement('Allow', q['Allow'])]
    if q['Deny']:
        statements.append(statement('Deny', q['Deny']))
    policy = parse_policy_document({'Version': '2012-10-17', 'Statement': statements})
    caller = 'arn:aws:sts::123456789012:assumed-role/caller/s'
    result = evaluate(EvalContext(caller, 'AssumedRole', '123456789012', 'execute-api:Invoke', base + q['Request'], 'us-east-1'), [policy])
    answers.append(result.decision == 'Allow')
print(json.dumps(answers))
`

func TestTheEvaluatorOfAStandInForAWSAnswersAsWeDo(t *testing.T) {
	depth.Whole(t)
	python := os.Getenv("GATEWRIGHT_MINISTACK_PYTHON")
	if python == "" {
		depth.Lacks(t, "ministack", "GATEWRIGHT_MINISTACK_PYTHON names no Python with the package ministack")
	}
	asked, want := questions()
	compare(t, t.TempDir(), asked, want, "evaluate.py", evaluator, python)
}

// compare asks a program all questions and holds its answers against ours.
func compare(t *testing.T, folder string, asked []question, want []bool, script, text, interpreter string) {
	t.Helper()
	write := func(name string, data []byte) string {
		file := filepath.Join(folder, name)
		if err := os.WriteFile(file, data, 0o600); err != nil {
			t.Fatal(err)
		}
		return file
	}
	data, err := json.Marshal(asked)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(interpreter, write(script, []byte(text)), write("asked.json", data))
	var problem bytes.Buffer
	cmd.Stderr = &problem
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %s", err, problem.String())
	}
	var answers []bool
	if err := json.Unmarshal(out, &answers); err != nil || len(answers) != len(want) {
		t.Fatalf("%d answers to %d questions: %v", len(answers), len(want), err)
	}
	for i, answer := range answers {
		if answer != want[i] {
			t.Errorf("%s is %t, ours %t: allow %s, deny %s", asked[i].Request, answer, want[i], strings.Join(asked[i].Allow, " "), strings.Join(asked[i].Deny, " "))
		}
	}
	t.Logf("%d decisions are equal", len(answers))
}
