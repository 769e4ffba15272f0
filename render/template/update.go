package template

import (
	"slices"
	"strings"

	"gatewright/cfn"
)

// Deployed is the template of an environment that is deployed, of any version of this program.
type Deployed struct {
	Root *cfn.Node
	// Nested are the templates of its nested stacks, by logical id.
	Nested map[string]*cfn.Node
}

// Step is an update on the way from a deployed template to another one.
type Step struct {
	// Why says what it is for, for people.
	Why string
	// Interrupts are the labels of the APIs that do not answer until the last step is done.
	Interrupts []string
	Body       []byte
	Key        string
	// Nested are the templates of nested stacks that differ from the deployed ones.
	Nested []Nested
}

// Steps are the updates that have to come before the one to a template; mostly there are none.
//
// A service updates what changes and makes what is new first, and removes the rest last. So a
// deployment of an API, which is a snapshot, would still have the routes that go away
// (https://github.com/serverless/serverless/issues/7542,
// https://github.com/aws/aws-cdk/issues/14660), and a new route with another variable would
// meet the old one beside it. The step is the deployed template without those routes: its
// deployment stays, so that the API goes on answering as it did.
//
// A table gets or loses one index in an update
// (https://github.com/aws/aws-cdk/issues/14920), so each further one is a step.
func Steps(old Deployed, next *Template) []Step {
	now := Deployed{Root: old.Root, Nested: make(map[string]*cfn.Node)}
	for id, n := range old.Nested {
		now.Nested[id] = n
	}
	var steps []Step
	add := func(why string, to Deployed, interrupts []string) {
		steps = append(steps, stepTo(why, old, &to, interrupts))
		now = to
	}
	if to, interrupts, changed := withoutRoutes(now, next); changed {
		add("takes away the routes that go or change their names", to, interrupts)
	}
	for {
		to, changed := withOneIndexMore(now, next)
		if !changed {
			return steps
		}
		add("changes an index of a table", to, nil)
	}
}

// stepTo makes a step of a template, whose nested stacks may differ from the old ones.
func stepTo(why string, old Deployed, to *Deployed, interrupts []string) Step {
	s := Step{Why: why, Interrupts: interrupts}
	for _, id := range sortedKeys(to.Nested) {
		n := to.Nested[id]
		if old.Nested[id] == n {
			continue
		}
		body := n.Minified()
		one := Nested{ID: id, Node: n, Body: body, Key: templateKey(body)}
		s.Nested = append(s.Nested, one)
		to.Root = withURL(to.Root, id, one.Key)
	}
	s.Body = to.Root.Minified()
	s.Key = templateKey(s.Body)
	return s
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// withURL returns a root whose nested stack has its template under another key.
func withURL(root *cfn.Node, id, key string) *cfn.Node {
	url := root.Get("Resources", id, "Properties", "TemplateURL", "Fn::Sub")
	if url == nil {
		return root
	}
	place, _, _ := strings.Cut(url.Text, "/"+Bucket+"/")
	return replaced(root, cfn.Sub(place+"/"+Bucket+"/"+key), "Resources", id, "Properties", "TemplateURL")
}

// replaced returns a copy of a node with another value at a place; nil takes it away. The rest
// is shared.
func replaced(n *cfn.Node, value *cfn.Node, place ...string) *cfn.Node {
	next := *n
	next.Members = slices.Clone(n.Members)
	for i, m := range next.Members {
		if m.Name != place[0] {
			continue
		}
		switch {
		case len(place) > 1:
			next.Members[i].Value = replaced(m.Value, value, place[1:]...)
		case value == nil:
			next.Members = slices.Delete(next.Members, i, i+1)
		default:
			next.Members[i].Value = value
		}
		return &next
	}
	if value != nil && len(place) == 1 {
		next.Members = append(next.Members, cfn.Member{Name: place[0], Value: value})
	}
	return &next
}

// without returns a template without some resources.
func without(template *cfn.Node, gone map[string]bool) *cfn.Node {
	if len(gone) == 0 {
		return template
	}
	resources := template.Get("Resources")
	next := *resources
	next.Members = nil
	for _, m := range resources.Members {
		if gone[m.Name] {
			continue
		}
		if on := m.Value.Get("DependsOn"); on != nil && on.Kind == cfn.List {
			left := slices.DeleteFunc(slices.Clone(on.Items), func(n *cfn.Node) bool { return gone[n.Text] })
			switch {
			case len(left) == 0:
				m.Value = replaced(m.Value, nil, "DependsOn")
			case len(left) < len(on.Items):
				m.Value = replaced(m.Value, cfn.ListNode(left...), "DependsOn")
			}
		}
		next.Members = append(next.Members, m)
	}
	return replaced(template, &next, "Resources")
}

const (
	restAPIType  = "AWS::ApiGateway::RestApi"
	resourceType = "AWS::ApiGateway::Resource"
	methodType   = "AWS::ApiGateway::Method"
	stackType    = "AWS::CloudFormation::Stack"
	tableType    = "AWS::DynamoDB::Table"
)

func typeOf(resource *cfn.Node) string {
	if n := resource.Get("Type"); n != nil {
		return n.Text
	}
	return ""
}

func members(n *cfn.Node) []cfn.Member {
	if n == nil {
		return nil
	}
	return n.Members
}

// withoutRoutes takes away the routes of APIs that the next template does not have. An API
// that moves into a nested stack or out of it loses all that belongs to it there: two stacks
// cannot have one stage.
func withoutRoutes(old Deployed, next *Template) (to Deployed, interrupts []string, changed bool) {
	to = Deployed{Root: old.Root, Nested: make(map[string]*cfn.Node)}
	gone := make(map[string]bool)
	for _, m := range members(old.Root.Get("Resources")) {
		if typeOf(m.Value) != restAPIType || next.Root.Get("Resources", m.Name) == nil {
			continue
		}
		was, is := nestedOf(old.Root, m.Name), nestedOf(next.Root, m.Name)
		if was != is {
			for _, id := range belongings(old.Root, m.Name) {
				gone[id] = true
			}
			interrupts = append(interrupts, labelOf(next, m.Name))
			continue
		}
		if is != "" {
			continue
		}
		for _, id := range routesOf(old.Root, m.Name) {
			gone[id] = gone[id] || next.Root.Get("Resources", id) == nil
		}
	}
	for id, keep := range gone {
		if !keep {
			delete(gone, id)
		}
	}
	changed = len(gone) > 0
	to.Root = without(old.Root, gone)
	for id, n := range old.Nested {
		if gone[id] {
			continue
		}
		to.Nested[id] = n
		at := slices.IndexFunc(next.Nested, func(other Nested) bool { return other.ID == id })
		if at < 0 {
			continue
		}
		inside := make(map[string]bool)
		for _, route := range routesOf(n, apiParameter) {
			if next.Nested[at].Node.Get("Resources", route) == nil {
				inside[route] = true
			}
		}
		if len(inside) > 0 {
			changed = true
			to.Nested[id] = without(n, inside)
		}
	}
	return to, interrupts, changed
}

// nestedOf is the logical id of the nested stack of an API, "" if it has none.
func nestedOf(root *cfn.Node, api string) string {
	for _, m := range members(root.Get("Resources")) {
		if ref := m.Value.Get("Properties", "Parameters", apiParameter, "Ref"); typeOf(m.Value) == stackType && ref != nil && ref.Text == api {
			return m.Name
		}
	}
	return ""
}

// routesOf are the resources and methods of an API.
func routesOf(template *cfn.Node, api string) []string {
	var ids []string
	for _, m := range members(template.Get("Resources")) {
		kind := typeOf(m.Value)
		if ref := m.Value.Get("Properties", "RestApiId", "Ref"); (kind == resourceType || kind == methodType) && ref != nil && ref.Text == api {
			ids = append(ids, m.Name)
		}
	}
	return ids
}

// belongings are what belongs to an API in the root, except itself and the roles.
func belongings(root *cfn.Node, api string) []string {
	var ids []string
	for _, m := range members(root.Get("Resources")) {
		kind := typeOf(m.Value)
		belongs := strings.HasPrefix(kind, "AWS::ApiGateway::") && kind != restAPIType ||
			slices.Contains([]string{"AWS::Lambda::Permission", "AWS::IAM::Policy", "AWS::IAM::ManagedPolicy", stackType}, kind)
		text := string(m.Value.Minified())
		if belongs && (strings.Contains(text, `{"Ref":"`+api+`"}`) || strings.Contains(text, "${"+api+"}")) {
			ids = append(ids, m.Name)
		}
	}
	return ids
}

func labelOf(t *Template, id string) string { return t.Of[id].Name }

// withOneIndexMore changes one index of each table of which the next template changes several.
func withOneIndexMore(old Deployed, next *Template) (to Deployed, changed bool) {
	to = old
	for _, m := range members(old.Root.Get("Resources")) {
		want := next.Root.Get("Resources", m.Name)
		if typeOf(m.Value) != tableType || want == nil {
			continue
		}
		was, is := indexesIn(m.Value), indexesIn(want)
		drop, create := missingIn(was, is), missingIn(is, was)
		if len(drop)+len(create) < 2 {
			continue
		}
		changed = true
		// What goes makes room for what comes: an index that changes has one name.
		left := slices.Clone(was)
		if len(drop) > 0 {
			left = slices.DeleteFunc(left, func(n *cfn.Node) bool { return n == drop[0] })
		} else {
			left = append(left, create[0])
		}
		properties := m.Value.Get("Properties")
		var list *cfn.Node
		if len(left) > 0 {
			list = cfn.ListNode(left...)
		}
		properties = replaced(properties, list, "GlobalSecondaryIndexes")
		properties = replaced(properties, usedAttributes(properties, want.Get("Properties", "AttributeDefinitions"), m.Value.Get("Properties", "AttributeDefinitions")), "AttributeDefinitions")
		to.Root = replaced(to.Root, properties, "Resources", m.Name, "Properties")
	}
	return to, changed
}

func indexesIn(table *cfn.Node) []*cfn.Node {
	if list := table.Get("Properties", "GlobalSecondaryIndexes"); list != nil {
		return list.Items
	}
	return nil
}

// missingIn are the indexes of one list that another one does not have in the same form.
func missingIn(list, other []*cfn.Node) []*cfn.Node {
	var missing []*cfn.Node
	for _, n := range list {
		text := string(n.Minified())
		if !slices.ContainsFunc(other, func(o *cfn.Node) bool { return string(o.Minified()) == text }) {
			missing = append(missing, n)
		}
	}
	return missing
}

// usedAttributes are the definitions of the attributes that keys of a table use: a table takes
// no others.
func usedAttributes(properties *cfn.Node, definitions ...*cfn.Node) *cfn.Node {
	used := make(map[string]bool)
	keys := func(schema *cfn.Node) {
		if schema == nil {
			return
		}
		for _, key := range schema.Items {
			used[key.Get("AttributeName").Text] = true
		}
	}
	keys(properties.Get("KeySchema"))
	if list := properties.Get("GlobalSecondaryIndexes"); list != nil {
		for _, index := range list.Items {
			keys(index.Get("KeySchema"))
		}
	}
	all := cfn.ListNode()
	for _, list := range definitions {
		if list == nil {
			continue
		}
		for _, d := range list.Items {
			if name := d.Get("AttributeName").Text; used[name] {
				used[name] = false
				all.Items = append(all.Items, d)
			}
		}
	}
	return all
}
