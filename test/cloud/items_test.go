//go:build unix

package cloud

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gatewright/test/standin"
)

// python runs a script with the clients of an account, which tells the stand-in's own state, and
// returns what it prints. The script has a function client(service), and the words in argv.
func (m *machine) python(account, region, script string, words ...string) string {
	m.t.Helper()
	const begin = `
import json, sys, boto3
endpoint, account, region, argv = sys.argv[1], sys.argv[2], sys.argv[3], sys.argv[4:]
def client(service):
    return boto3.client(service, endpoint_url=endpoint, region_name=region, aws_access_key_id=account, aws_secret_access_key='x')
`
	cmd := exec.Command(m.server.Python, append([]string{"-c", begin + script, m.server.URL, account, region}, words...)...)
	var stdout, stderr strings.Builder
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		m.t.Fatalf("the script fails: %v\n%s", err, stderr.String())
	}
	return strings.TrimSuffix(stdout.String(), "\n")
}

// itemsIn returns the items of a table as the stand-in has them, in DynamoDB's JSON, sorted.
func (m *machine) itemsIn(account, region, table string) []string {
	m.t.Helper()
	out := m.python(account, region, `
import base64
def plain(v):
    if isinstance(v, bytes): return base64.b64encode(v).decode()
    if isinstance(v, dict): return {k: plain(x) for k, x in v.items()}
    if isinstance(v, list): return [plain(x) for x in v]
    return v
rows = [json.dumps(plain(i), sort_keys=True) for p in client('dynamodb').get_paginator('scan').paginate(TableName=argv[0]) for i in p['Items']]
print('\n'.join(sorted(rows)))
`, table)
	if out == "" {
		return nil
	}
	return strings.Split(out, "\n")
}

// manyTypes are items with every type of value, in the order of their keys.
const manyTypes = `{"b":{"B":"AAEC/w=="},"empty":"","id":" ","list":[],"map":{}}
{"id":"0","n":12345678901234567890123456789012345678}
{"id":"1","n":-1.5,"null":null,"yes":true}
{"id":"10","nested":{"a":[{"b":{"M":{"S":{"S":"looks typed"}}}},[[]],0.0000000000000000001]},"text":"123"}
{"bs":{"BS":["AA==","Ag=="]},"id":"2","ns":{"NS":["-1","9","10"]},"ss":{"SS":["a","b"]}}
{"id":"ä<&>\u001b[31m","text":"line\nline\ttab"}
`

func TestItemsInAWSAreReadAndWritten(t *testing.T) {
	m := newMachine(t)
	m.must(shop + `
		add table events --partition-key at:number --sort-key of:binary
		push --yes
		push --yes --env prod
		env use dev
	`)
	m.take()

	t.Run("what changes items asks for the environment, guarded or not", func(t *testing.T) {
		m := m.of(t)
		m.write(filepath.Join(m.dir, "two.jsonl"), `{"id":"1"}`+"\n"+`{"id":"2"}`+"\n")
		for _, tt := range []struct {
			args []string
			says string
		}{
			{[]string{"put", "items", `{"id":"1"}`}, "to write 1 item into table items-prod of environment prod, account 222222222222, eu-west-1 give --confirm prod"},
			{[]string{"import", "items", "two.jsonl"}, "to write 2 items into table items-prod of environment prod, account 222222222222, eu-west-1 give --confirm prod"},
			{[]string{"delete", "items", "1"}, `to delete the item {"id":"1"} of table items-prod of environment prod, account 222222222222, eu-west-1 give --confirm prod`},
		} {
			args := append([]string{"table"}, append(tt.args, "--env", "prod")...)
			_, refusal := m.run(2, args...)
			oneLine(t, refusal, "environment prod is in AWS", tt.says)
			_, refusal = m.run(2, append(args, "--confirm", "dev")...)
			oneLine(t, refusal, "--confirm names dev", "--confirm prod")
		}
		for _, action := range standin.Actions(m.take(), "dynamodb") {
			t.Errorf("without consent %s was called", action)
		}
		_, refusal := m.run(1, "table", "drop", "items", "--env", "prod", "--confirm", "items")
		oneLine(t, refusal, "table items: it belongs to the stack of environment prod in AWS", "table delete items KEY --env prod")
	})

	t.Run("items survive from here to AWS, to another account and back", func(t *testing.T) {
		m := m.of(t)
		m.write(filepath.Join(m.dir, "here.jsonl"), manyTypes)
		m.run(0, "table", "import", "items", "here.jsonl")
		m.run(0, "table", "export", "items", "local.jsonl")
		out, said := m.run(0, "table", "import", "items", "local.jsonl", "--env", "dev", "--confirm", "dev")
		if out != "items imported into table items of local.jsonl: 6\n" || !strings.Contains(said, "confirmed: write 6 items into table items-dev of environment dev, account 123456789012, eu-central-1\n") {
			t.Errorf("an import says %q and %q", out, said)
		}
		m.run(0, "table", "export", "items", "dev.jsonl", "--env", "dev")
		m.run(0, "table", "import", "items", "dev.jsonl", "--env", "prod", "--confirm", "prod")
		m.run(0, "table", "export", "items", "prod.jsonl", "--env", "prod")
		m.run(0, "sandbox", "reset")
		m.run(0, "table", "import", "items", "prod.jsonl")
		m.run(0, "table", "export", "items", "again.jsonl")
		for _, name := range []string{"local.jsonl", "dev.jsonl", "prod.jsonl", "again.jsonl"} {
			if got := m.read(name); got != manyTypes {
				t.Errorf("%s is\n%s\nwant\n%s", name, got, manyTypes)
			}
		}
		dev, prod := m.itemsIn(devAccount, "eu-central-1", "items-dev"), m.itemsIn(prodAccount, "eu-west-1", "items-prod")
		if len(dev) != 6 || !slices.Equal(dev, prod) {
			t.Errorf("the stand-in has\n%s\nand\n%s", strings.Join(dev, "\n"), strings.Join(prod, "\n"))
		}
		if want := `{"id": {"S": "0"}, "n": {"N": "12345678901234567890123456789012345678"}}`; !slices.Contains(dev, want) {
			t.Errorf("there is no %s in\n%s", want, strings.Join(dev, "\n"))
		}
		info, err := os.Stat(filepath.Join(m.dir, "prod.jsonl"))
		if err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("an export is for %v, %v", info.Mode().Perm(), err)
		}
	})

	t.Run("one item is put, got and deleted by its key", func(t *testing.T) {
		m := m.of(t)
		prod := func(code int, args ...string) (string, string) {
			return m.run(code, append(append([]string{"table"}, args...), "--env", "prod")...)
		}
		for _, want := range []string{"added 1 item\n", "replaced 1 item\n"} {
			if out, _ := prod(0, "put", "events", `{"at":1e2,"of":{"B":"aGk="},"x":"`+want[:3]+`"}`, "--confirm", "prod"); out != want {
				t.Errorf("put says %q, want %q", out, want)
			}
		}
		if got, want := m.itemsIn(prodAccount, "eu-west-1", "events-prod"), `{"at": {"N": "100"}, "of": {"B": "aGk="}, "x": {"S": "rep"}}`; !slices.Equal(got, []string{want}) {
			t.Errorf("the stand-in has %q, want %q", got, want)
		}
		if out, _ := prod(0, "get", "events", "100.0", "aGk="); !sameJSON(out, `{"at":100,"of":{"B":"aGk="},"x":"rep"}`) {
			t.Errorf("get says %s", out)
		}
		_, refusal := prod(1, "get", "events", "100", "aGkh")
		oneLine(t, refusal, "table events has no item with the key")
		_, refusal = prod(2, "get", "events", "hundred", "aGk=")
		oneLine(t, refusal, "the key at must be a number")
		_, refusal = prod(1, "put", "events", `{"at":"1","of":{"B":"aGk="}}`, "--confirm", "prod")
		oneLine(t, refusal, "the item has the key at with a value that is not a number")
		prod(0, "delete", "events", "100", "aGk=", "--confirm", "prod")
		_, refusal = prod(1, "delete", "events", "100", "aGk=", "--confirm", "prod")
		oneLine(t, refusal, "table events has no item with the key")
		if got := m.itemsIn(prodAccount, "eu-west-1", "events-prod"); len(got) > 0 {
			t.Errorf("the stand-in still has %q", got)
		}
		// The other environment and this machine have tables of their own.
		if got := m.itemsIn(devAccount, "eu-central-1", "events-dev"); len(got) > 0 {
			t.Errorf("dev has %q", got)
		}
	})

	t.Run("a table is as it was pushed", func(t *testing.T) {
		m := m.of(t)
		m.must(`
			add table later --partition-key id
			remove table events
			add table events --partition-key other
		`)
		_, refusal := m.run(1, "table", "scan", "later", "--env", "prod")
		oneLine(t, refusal, "table later: is not in environment prod as it was pushed", "gatewright push --env prod")
		_, refusal = m.run(1, "table", "scan", "item", "--env", "prod")
		oneLine(t, refusal, "did you mean items?")
		m.run(0, "table", "put", "events", `{"at":1,"of":{"B":"aGk="}}`, "--env", "prod", "--confirm", "prod")
		if out, _ := m.run(0, "table", "scan", "events", "--env", "prod", "--json"); !sameJSON(out, `{"table":"events-prod","items":[{"at":1,"of":{"B":"aGk="}}]}`) {
			t.Errorf("scan says %s", out)
		}
	})

	t.Run("many items come in pages", func(t *testing.T) {
		m := m.of(t)
		m.python(devAccount, "eu-central-1", `
table = boto3.resource('dynamodb', endpoint_url=endpoint, region_name=region, aws_access_key_id=account, aws_secret_access_key='x').Table('items-dev')
with table.batch_writer() as batch:
    for i in range(400):
        batch.put_item(Item={'id': 'many-%03d' % i, 'text': 'x' * 10000})
`)
		m.take()
		out, _ := m.run(0, "table", "scan", "items", "--env", "dev")
		if n := strings.Count(out, `"id":"many-`); n != 400 {
			t.Errorf("scan prints %d items of 400", n)
		}
		if n := len(standin.Actions(m.take(), "dynamodb")); n < 2 {
			t.Errorf("4 MB came in %d answers, so that pages were not tried", n)
		}
		out, _ = m.run(0, "table", "scan", "items", "--env", "dev", "--limit", "7", "--json")
		var report struct{ Items []json.RawMessage }
		if err := json.Unmarshal([]byte(out), &report); err != nil || len(report.Items) != 7 {
			t.Errorf("--limit 7 gives %d items, %v", len(report.Items), err)
		}
	})

	t.Run("a table that somebody removed is told", func(t *testing.T) {
		m := m.of(t)
		m.python(prodAccount, "eu-west-1", `client('dynamodb').delete_table(TableName='items-prod')`)
		_, refusal := m.run(1, "table", "scan", "items", "--env", "prod")
		oneLine(t, refusal, "table items: the table items-prod of environment prod is not in the account any more", "gatewright status --drift --env prod")
	})
}
