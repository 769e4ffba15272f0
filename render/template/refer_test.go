package template_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"gatewright/internal/cfn"
)

// failer has the methods of testing.T and rapid.T that the checks use.
type failer interface {
	Helper()
	Errorf(format string, arguments ...any)
}

// references are what a node refers to in its stack, by place: logical ids and parameters.
func references(t failer, n *cfn.Node) []string {
	t.Helper()
	var names []string
	for _, m := range n.Members {
		switch m.Name {
		case "Ref":
			names = append(names, m.Value.Text)
		case "Fn::GetAtt":
			names = append(names, m.Value.Items[0].Text)
		case "Fn::Sub":
			for _, found := range substitutes.FindAllStringSubmatch(m.Value.Text, -1) {
				name, _, _ := strings.Cut(found[1], ".")
				names = append(names, name)
			}
		case "DependsOn":
			for _, item := range m.Value.Items {
				names = append(names, item.Text)
			}
		case "Metadata":
		default:
			names = append(names, references(t, m.Value)...)
		}
	}
	for _, item := range n.Items {
		names = append(names, references(t, item)...)
	}
	return names
}

var (
	substitutes = regexp.MustCompile(`\$\{([^!}][^}]*)\}`)
	validID     = regexp.MustCompile(`^[A-Za-z0-9]{1,255}$`)
	pseudo      = []string{"AWS::Region", "AWS::AccountId", "AWS::Partition", "AWS::URLSuffix"}
)

// holdsTogether checks a stack: each reference leads somewhere, no resource waits for itself,
// names are valid and come once.
func holdsTogether(t failer, stack *cfn.Node) {
	t.Helper()
	known := make(map[string]bool)
	for _, section := range []string{"Parameters", "Resources"} {
		if stack.Get(section) == nil {
			continue
		}
		for _, m := range stack.Get(section).Members {
			if known[m.Name] || !validID.MatchString(m.Name) {
				t.Errorf("the name %q is not valid, or comes twice", m.Name)
			}
			known[m.Name] = true
		}
	}
	waits := make(map[string][]string)
	for _, m := range stack.Get("Resources").Members {
		for _, name := range references(t, m.Value) {
			if !known[name] && !slices.Contains(pseudo, name) {
				t.Errorf("%s refers to %s, which is not in the stack", m.Name, name)
			}
			waits[m.Name] = append(waits[m.Name], name)
		}
	}
	if outputs := stack.Get("Outputs"); outputs != nil {
		for _, name := range references(t, outputs) {
			if !known[name] && !slices.Contains(pseudo, name) {
				t.Errorf("an output refers to %s, which is not in the stack", name)
			}
		}
	}
	if circle := circleIn(waits); circle != nil {
		t.Errorf("resources wait for each other: %s", strings.Join(circle, ", "))
	}
}

// circleIn finds resources that wait for each other.
func circleIn(waits map[string][]string) []string {
	state := make(map[string]int)
	var walk func(name string, trail []string) []string
	walk = func(name string, trail []string) []string {
		switch state[name] {
		case 1:
			return append(trail, name)
		case 2:
			return nil
		}
		state[name] = 1
		for _, next := range waits[name] {
			if circle := walk(next, append(trail, name)); circle != nil {
				return circle
			}
		}
		state[name] = 2
		return nil
	}
	for name := range waits {
		if circle := walk(name, nil); circle != nil {
			return circle
		}
	}
	return nil
}

func TestEveryReferenceLeadsSomewhereAndNothingWaitsForItself(t *testing.T) {
	t.Parallel()
	for _, env := range []string{"dev", "prod"} {
		holdsTogether(t, rendered(t, shop(), env).Root)
	}
	large := rendered(t, backend(manyPaths("catalog", 75), manyPaths("stock", 30)), "prod")
	holdsTogether(t, large.Root)
	if len(large.Nested) != 2 {
		t.Fatalf("%d nested stacks", len(large.Nested))
	}
	for _, n := range large.Nested {
		holdsTogether(t, n.Node)
		var given, taken []string
		for _, m := range large.Root.Get("Resources", n.ID, "Properties", "Parameters").Members {
			given = append(given, m.Name)
		}
		for _, m := range n.Node.Get("Parameters").Members {
			taken = append(taken, m.Name)
		}
		if fmt.Sprint(given) != fmt.Sprint(taken) {
			t.Errorf("the nested stack is given %v and takes %v", given, taken)
		}
	}
}
