package template_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"gatewright/internal/cfn"
	"gatewright/model"
	"gatewright/model/access"
	"gatewright/model/accesstest"
	"gatewright/render/template"
	"gatewright/test/depth"
)

// refusalOf returns what Render says about an environment that it refuses.
func refusalOf(t *testing.T, b *model.Backend) string {
	t.Helper()
	made, err := template.Render(b, b.Environment("dev"), template.Options{})
	if err == nil {
		t.Fatalf("it has %d resources and is not refused", made.Resources)
	}
	if first := (*model.Problem)(nil); !errors.As(err, &first) {
		t.Errorf("the error has no problem: %v", err)
	}
	return err.Error()
}

// numbered makes many names.
func numbered(n int, format string) []string {
	all := make([]string, n)
	for i := range all {
		all[i] = fmt.Sprintf(format, i)
	}
	return all
}

func TestWhatExceedsALimitIsRefusedWithTheLimitAndTheCount(t *testing.T) {
	depth.Gate(t)
	t.Parallel()
	for name, tt := range map[string]struct {
		b    func() *model.Backend
		want string
	}{
		"an API with too many paths": {
			func() *model.Backend { return backend(manyPaths("shop", 150)) },
			"API shop: with 150 paths it has 301 resources of API Gateway, but an API may have at most 300; have AWS raise the account's quota Resources per API, then set it with: gatewright update env dev --api-resources 301; or split the API",
		},
		"more paths than the raised quota": {
			func() *model.Backend {
				b := backend(manyPaths("shop", 10_000))
				b.Environments[0].APIResources = 20_000
				return b
			},
			"API shop: with 10000 paths it has 20001 resources of API Gateway, but an API may have at most 20000;",
		},
		"more paths than the stacks take": {
			func() *model.Backend {
				b := backend(manyPaths("shop", 40_000))
				b.Environments[0].APIResources = 100_000
				return b
			},
			"API shop: with 40000 paths it would need ",
		},
		"too many functions": {
			func() *model.Backend {
				b := backend(api("shop", accesstest.Open("/", "f0")))
				b.Functions = nil
				for _, name := range numbered(170, "f%d") {
					b.Functions = append(b.Functions, function(name))
				}
				return b
			},
			"environment dev: with 170 functions, 0 tables, 0 groups and 1 API it would need 513 resources in addition to the paths, but a stack may have at most 500; split the project",
		},
		"too many groups": {
			func() *model.Backend {
				b := backend(api("shop", accesstest.Open("/", "f")))
				b.Groups = numbered(10_000, "group%d")
				return b
			},
			"environment dev: with 1 function, 0 tables, 10000 groups and 1 API it would need 20012 resources in addition to the paths, but a stack may have at most 500; split the project",
		},
		"too many secrets": {
			func() *model.Backend {
				b := backend(api("shop", accesstest.Open("/", "f")))
				b.Functions[0].Secrets = numbered(201, "SECRET_%d")
				return b
			},
			"environment dev: its functions have 201 secrets, which are parameters of the stack, but a stack may have at most 200; split the project",
		},
		"too many outputs": {
			func() *model.Backend {
				var apis []*access.API
				for _, label := range numbered(99, "api%d") {
					apis = append(apis, api(label, accesstest.Open("/", "f")))
				}
				return backend(apis...)
			},
			"environment dev: its 99 APIs would need 202 outputs, but a stack may have at most 200; split the project, or give the environment fewer APIs",
		},
		"too large variables": {
			func() *model.Backend {
				b := backend(api("shop", accesstest.Open("/", "f")))
				b.Functions[0].Environment = []model.Variable{{Name: "TEXT", Value: strings.Repeat("x", 4050)}}
				return b
			},
			"function f: its variables have 4097 bytes, without the values of secrets, but a function may have at most 4096; move long values into a file of the function",
		},
		"too many grants": {
			func() *model.Backend {
				b := backend(api("shop", accesstest.Open("/", "f")))
				for _, name := range numbered(50, "table%d") {
					b.Functions[0].Access = append(b.Functions[0].Access, model.ResourceAccess{Resource: "table/" + name, Actions: access.ActionSet(access.Read)})
				}
				return b
			},
			"function f: its access makes a policy of 16823 characters, but a role may have at most 10240; split it into functions that use less",
		},
		"too large a template": {
			func() *model.Backend {
				b := backend(api("shop", accesstest.Open("/", "f")))
				b.Outputs = []*model.Output{{Name: "long", Values: model.Outputs{"custom": map[string]any{"text": strings.Repeat("x", 1_000_000)}}}}
				return b
			},
			"environment dev: its template has 1007",
		},
	} {
		t.Run(name, func(t *testing.T) {
			if got := refusalOf(t, tt.b()); !strings.HasPrefix(got, tt.want) {
				t.Errorf("refused with\n%s\nwant\n%s", got, tt.want)
			}
		})
	}
}

func TestVariablesThatJustFitAreNotRefused(t *testing.T) {
	t.Parallel()
	b := backend(api("shop", accesstest.Open("/", "f")))
	b.Functions[0].Environment = []model.Variable{{Name: "TEXT", Value: strings.Repeat("x", 4049)}}
	rendered(t, b, "dev")
}

// TestAStackIsDividedOnlyWhenItIsTooLarge walks over the edge, path by path.
func TestAStackIsDividedOnlyWhenItIsTooLarge(t *testing.T) {
	t.Parallel()
	divided := 0
	for n := range 40 {
		n += 30
		made := rendered(t, backend(manyPaths("shop", n), manyPaths("other", 40)), "dev")
		if made.Resources > 500 {
			t.Errorf("with %d paths the root has %d resources", n, made.Resources)
		}
		all := made.Resources
		for _, nested := range made.Nested {
			all += nested.Resources - 1
			if nested.Resources > 500 {
				t.Errorf("with %d paths a nested stack has %d resources", n, nested.Resources)
			}
		}
		if (len(made.Nested) > 0) != (all > 500) {
			t.Errorf("with %d paths there are %d resources in %d stacks", n, all, 1+len(made.Nested))
		}
		divided += len(made.Nested)
	}
	if divided == 0 || divided == 80 {
		t.Errorf("%d stacks are nested", divided)
	}
}

// countedRight holds what is counted before a rendering against what was rendered.
func countedRight(t *rapid.T, b *model.Backend, env *model.Environment, made *template.Template) {
	root, nested := template.Counted(b, env)
	var have []int
	for _, n := range made.Nested {
		have = append(have, n.Resources)
	}
	if made.Resources != root || !slices.Equal(have, nested) {
		t.Errorf("counted %d and %v, rendered %d and %v", root, nested, made.Resources, have)
	}
	holdsTogether(t, made.Root)
	for _, n := range made.Nested {
		holdsTogether(t, n.Node)
	}
}

// scattered makes an API in which users may read each second path, so that no short pattern
// says which.
func scattered(label string, n int) *access.API {
	a := manyPaths(label, n)
	for i, p := range a.Paths {
		p.Access = accesstest.Restricted(p.Name, "", accesstest.ToGroup("Admins", access.Create)).Access
		if i%2 == 0 {
			p.Access = accesstest.Restricted(p.Name, "", accesstest.ToUsers(access.Read, access.Update)).Access
		}
	}
	return a
}

func TestPoliciesThatAreTooLongForARoleAreManagedOnes(t *testing.T) {
	t.Parallel()
	b := backend(scattered("shop", 70))
	b.Groups = []string{"Admins"}
	made := rendered(t, b, "dev")
	lengths := make(map[string][]int)
	for _, kind := range []string{"AWS::IAM::Policy", "AWS::IAM::ManagedPolicy"} {
		for _, e := range ofType(made.Root, kind) {
			lengths[kind] = append(lengths[kind], deployedLength(t, made.Root, e.node.Get("Properties", "PolicyDocument")))
		}
	}
	if len(lengths["AWS::IAM::ManagedPolicy"]) < 2 {
		t.Fatalf("the policies have %v characters", lengths)
	}
	for kind, most := range map[string]int{"AWS::IAM::Policy": 10_240, "AWS::IAM::ManagedPolicy": 6_144} {
		for _, n := range lengths[kind] {
			if n > most {
				t.Errorf("a policy of the type %s has %d characters", kind, n)
			}
		}
	}
	// Policies that are divided well are nearly full.
	if n := slices.Max(lengths["AWS::IAM::ManagedPolicy"]); n < 6_000 {
		t.Errorf("the longest managed policy has %d characters", n)
	}
	inline := rendered(t, backend(scattered("shop", 12)), "dev")
	if n := len(ofType(inline.Root, "AWS::IAM::ManagedPolicy")); n > 0 {
		t.Errorf("%d policies of a small API are managed ones", n)
	}
}

func TestPoliciesThatNoRoleCanTakeAreRefused(t *testing.T) {
	t.Parallel()
	b := backend(scattered("a", 78), scattered("b", 78), scattered("c", 78), scattered("d", 78), scattered("e", 78))
	got := refusalOf(t, b)
	want := "API a: the access of signed-in users would need "
	if !strings.HasPrefix(got, want) || !strings.Contains(got, " managed policies of 6144 characters, but a role may have at most 10; grant the same actions on more of the paths, or split the project") {
		t.Errorf("refused with %s", got)
	}
}

// deployedLength is how long a value of a template is when it is deployed, as JSON without
// white space.
func deployedLength(t *testing.T, root, value *cfn.Node) int {
	t.Helper()
	read, err := cfn.Parse("template", root.Minified())
	if err != nil {
		t.Fatal(err)
	}
	resolver := read.With(cfn.Given{
		Pseudo:    map[string]string{"AWS::Region": "eu-central-1", "AWS::Partition": "aws", "AWS::AccountId": "123456789012"},
		Reference: func(*cfn.Resource) (string, bool) { return "a1b2c3d4e5", true },
	})
	var length func(v cfn.Value) int
	length = func(v cfn.Value) int {
		n := 0
		switch v.Kind {
		case cfn.List:
			for _, item := range v.List {
				n += length(item) + 1
			}
			return n + 1
		case cfn.Map:
			for _, m := range v.Members {
				n += len(m.Name) + 4 + length(m.Value)
			}
			return n + 1
		}
		text, known := v.String()
		if !known {
			t.Fatalf("a value is not known: %v", v.Unknown)
		}
		return len(text) + 2
	}
	return length(resolver.Resolve(value))
}
