package template_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"gatewright/internal/cfn"
	"gatewright/model"
	"gatewright/model/access"
	"gatewright/render/template"
)

// parsed reads a template as CloudFormation returns it.
func parsed(t failer, body []byte) *cfn.Node {
	read, err := cfn.Parse("a template", body)
	if err != nil {
		t.Errorf("%v", err)
		return cfn.MapNode()
	}
	return read.Root
}

// deployedAs is a template as CloudFormation has it.
func deployedAs(t failer, made *template.Template) template.Deployed {
	d := template.Deployed{Root: parsed(t, made.Body), Nested: make(map[string]*cfn.Node)}
	for _, n := range made.Nested {
		d.Nested[n.ID] = parsed(t, n.Body)
	}
	return d
}

// pushed carries out a push in a simulated cloud, and checks each of its updates.
func pushed(t failer, was, is *template.Template) []template.Step {
	return pushedOver(t, deployedAs(t, was), is, deployedAs(t, is))
}

// pushedOver is pushed over what is deployed; after is the new template as it will be deployed.
func pushedOver(t failer, before template.Deployed, is *template.Template, after template.Deployed) []template.Step {
	c := newCloud(t, before)
	steps := template.Steps(before, is)
	at := before
	for _, s := range steps {
		next := template.Deployed{Root: parsed(t, s.Body), Nested: make(map[string]*cfn.Node)}
		bodies := make(map[string][]byte)
		for _, n := range s.Nested {
			bodies[n.ID], next.Nested[n.ID] = n.Body, parsed(t, n.Body)
			if n.Key != keyOf(n.Body) {
				t.Errorf("the key of %s is %s", n.ID, n.Key)
			}
		}
		if s.Key != keyOf(s.Body) {
			t.Errorf("the key of the step is %s", s.Key)
		}
		nestedHoldTogether(t, next.Root, before, next)
		holdsTogether(t, next.Root)
		onTheWay(t, before, at, next)
		c.update(next)
		at = next
	}
	c.update(after)
	want := newCloud(t, after).served()
	if got := c.served(); !maps.Equal(got, want) {
		t.Errorf("after the push the APIs serve\n%v\nwant\n%v", got, want)
	}
	return steps
}

// nestedHoldTogether checks the templates of the stacks nested in one; those that do not differ are
// those from before.
func nestedHoldTogether(t failer, in *cfn.Node, before, next template.Deployed) {
	for _, e := range ofType(in, "AWS::CloudFormation::Stack") {
		if next.Nested[e.id] == nil {
			next.Nested[e.id] = before.Nested[e.id]
		}
		n := next.Nested[e.id]
		if url := e.node.Get("Properties", "TemplateURL", "Fn::Sub").Text; !strings.HasSuffix(url, "/"+keyOf(n.Minified())) {
			t.Errorf("%s is looked for at %s", e.id, url)
		}
		if n.Get("Resources") == nil || len(n.Get("Resources").Members) == 0 {
			t.Errorf("%s has no resource", e.id)
			continue
		}
		holdsTogether(t, n)
		givenRight(t, e, n)
		nestedHoldTogether(t, n, before, next)
	}
}

// givenRight checks that a nested stack is given what it has parameters for, and nothing else.
func givenRight(t failer, e entry, n *cfn.Node) {
	names := func(n *cfn.Node) (all []string) {
		for _, m := range n.Members {
			all = append(all, m.Name)
		}
		slices.Sort(all)
		return all
	}
	if given, wants := names(e.node.Get("Properties", "Parameters")), names(n.Get("Parameters")); !slices.Equal(given, wants) {
		t.Errorf("%s is given %v and wants %v", e.id, given, wants)
	}
}

func keyOf(body []byte) string {
	sum := sha256.Sum256(body)
	return "templates/" + hex.EncodeToString(sum[:]) + ".json"
}

// onTheWay checks a template between two others: it has nothing new, and users and items stay.
func onTheWay(t failer, first, before, next template.Deployed) {
	for _, section := range []string{"Outputs", "Parameters"} {
		if minified(first.Root.Get(section)) != minified(next.Root.Get(section)) {
			t.Errorf("the section %s changes on the way", section)
		}
	}
	if minified(before.Root) == minified(next.Root) {
		t.Errorf("an update changes nothing")
	}
	lived := livingIn(before)
	for key, x := range livingIn(next) {
		old, there := lived[key]
		if !there {
			t.Errorf("%s is new on the way", key)
			continue
		}
		stateful := []string{"AWS::Cognito::UserPool", "AWS::Cognito::IdentityPool", "AWS::Logs::LogGroup", "AWS::ApiGateway::RestApi", "AWS::ApiGateway::Stage", "AWS::ApiGateway::Deployment"}
		if slices.Contains(stateful, x.kind) && minified(old.properties) != minified(x.properties) {
			t.Errorf("%s changes on the way", key)
		}
	}
	for _, e := range ofType(before.Root, "AWS::Cognito::UserPool") {
		if next.Root.Get("Resources", e.id) == nil {
			t.Errorf("the user pool goes on the way")
		}
	}
}

// drawChanged draws a backend that is another one after changes like those of people.
func drawChanged(t *rapid.T, b *model.Backend) *model.Backend {
	next := *b
	next.APIs, next.Tables, next.Functions = nil, nil, nil
	for _, a := range b.APIs {
		c := *a
		c.Paths = nil
		for _, p := range a.Paths {
			q := *p
			c.Paths = append(c.Paths, &q)
		}
		next.APIs = append(next.APIs, &c)
	}
	for _, f := range b.Functions {
		c := *f
		next.Functions = append(next.Functions, &c)
	}
	for _, table := range b.Tables {
		c := *table
		c.Indexes = slices.Clone(c.Indexes)
		next.Tables = append(next.Tables, &c)
	}
	for range rapid.IntRange(0, 4).Draw(t, "changes") {
		drawChange(t, &next)
	}
	return &next
}

func drawChange(t *rapid.T, b *model.Backend) {
	a := b.APIs[rapid.IntRange(0, len(b.APIs)-1).Draw(t, "API")]
	some := rapid.IntRange(0, 1<<20).Draw(t, "which")
	switch rapid.SampledFrom([]string{"variable", "remove path", "move path", "access", "remove API", "rename API", "grow", "shrink", "tables", "group", "names", "own name", "everything"}).Draw(t, "change") {
	case "variable":
		for _, p := range a.Paths {
			p.Name = strings.ReplaceAll(p.Name, "{v", "{other")
		}
	case "remove path":
		if len(a.Paths) > 1 {
			at := some % len(a.Paths)
			a.Paths = slices.Delete(a.Paths, at, at+1)
		}
	case "move path":
		a.Paths[some%len(a.Paths)].Function = b.Functions[some%len(b.Functions)].Name
	case "access":
		a.Paths[some%len(a.Paths)].Access = drawAccess(t)
	case "remove API":
		if len(b.APIs) > 1 {
			b.APIs = b.APIs[1:]
		}
	case "rename API":
		a.Label += "-renamed"
	case "grow":
		if !slices.ContainsFunc(a.Paths, func(p *access.Path) bool { return p.Name == "/path0" }) {
			for _, p := range manyPaths("", 70).Paths {
				p.Function = b.Functions[0].Name
				a.Paths = append(a.Paths, p)
			}
		}
	case "shrink":
		a.Paths = a.Paths[:1]
	case "tables":
		for i := range b.Tables {
			b.Tables[i] = drawTable(t, b.Tables[i].Name)
		}
	case "group":
		b.Groups = b.Groups[:len(b.Groups)/2]
	case "names":
		if b.Auth != nil {
			auth := *drawAuth(t)
			if auth.OAuth != nil {
				auth.OAuth.Domain = rapid.SampledFrom([]string{"books", "other-books"}).Draw(t, "domain")
			}
			b.Auth = &auth
		}
	case "own name":
		// The deployed function stays, under another name in the project.
		f := b.Functions[some%len(b.Functions)]
		old := f.Name
		f.FunctionName, f.Name = f.DeployedName(), f.Name+"-new"
		if slices.ContainsFunc(b.Functions, func(o *model.Function) bool { return o != f && o.Name == f.Name }) {
			f.Name = old
			return
		}
		for _, other := range b.APIs {
			for _, p := range other.Paths {
				if p.Function == old {
					p.Function = f.Name
				}
			}
		}
	case "everything":
		for i, p := range a.Paths {
			p.Name = fmt.Sprintf("/new%d/{id}", i)
		}
	}
}

func TestEachUpdateOfAPushIsOneThatCloudFormationCanCarryOut(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		b := drawBackend(t)
		next := drawBackend(t)
		if rapid.IntRange(0, 4).Draw(t, "related") > 0 {
			next = drawChanged(t, b)
		}
		was, err := template.Render(b, b.Environment("dev"), template.Options{})
		if err != nil {
			t.Skip()
		}
		is, err := template.Render(next, next.Environment("dev"), template.Options{})
		if err != nil {
			t.Skip()
		}
		steps := pushed(t, was, is)
		if bytes.Equal(was.Body, is.Body) && len(steps) > 0 {
			t.Errorf("%d updates for nothing", len(steps))
		}
	})
}
