package design_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"gatewright/cli/clitest"
	"gatewright/model"
)

// leaf is a field of a section of the client configuration file that is no object, and its
// place.
type leaf struct {
	model.Field
	place []string
}

func leavesOf(of model.Field, above []string) []leaf {
	var leaves []leaf
	for _, f := range of.Fields {
		place := append(append([]string(nil), above...), f.Name)
		switch f.Type {
		case model.ObjectField:
			leaves = append(leaves, leavesOf(f, place)...)
		case model.FreeField:
		default:
			leaves = append(leaves, leaf{f, place})
		}
	}
	return leaves
}

func (l leaf) flag() string {
	return "--" + strings.ReplaceAll(strings.Join(l.place, "-"), "_", "-")
}

// sample returns a valid value, as text of the command line and as value of the file, and an
// invalid text; "" if every text is valid.
func (l leaf) sample() (text string, value any, wrong string) {
	switch l.Field.Type {
	case model.IntegerField:
		return fmt.Sprint(l.Max), float64(l.Max), fmt.Sprint(l.Max + 1)
	case model.BooleanField:
		return "false", false, "perhaps"
	case model.MapField:
		plan := map[string]any{"type": "string", "min": 1.0, "max": 20.0, "mutable": false}
		return "plan=string:1..20:fixed", map[string]any{"plan": plan}, "plan=bogus"
	case model.ArrayField:
		if l.Enum != nil {
			return l.Enum[0], []any{l.Enum[0]}, l.Enum[0] + ",bogus"
		}
		return "a,b", []any{"a", "b"}, "a,a"
	}
	switch l.place[0] {
	case "token_lifetimes":
		return "60m", "60m", "an hour"
	case "messages":
		text = "{username}: {####}"
		return text, text, map[bool]string{true: strings.Repeat("a", 141), false: "no word"}[strings.HasSuffix(l.Name, "subject")]
	}
	if l.Name == "api_key" {
		return model.APIKeyPlaceholder, model.APIKeyPlaceholder, "da2-key"
	}
	if l.Enum != nil {
		return l.Enum[0], l.Enum[0], "bogus"
	}
	if l.Field.Name == "cloud_region" {
		return "eu-west-1", "eu-west-1", "eu west/../1"
	}
	return "text", "text", ""
}

// TestEveryFieldOfADefinitionHasAFlag sets each field of auth, data and storage, first to an
// invalid value.
func TestEveryFieldOfADefinitionHasAFlag(t *testing.T) {
	t.Parallel()
	for _, section := range []string{"auth", "data", "storage"} {
		field := model.Section(model.Kind(section))
		leaves := leavesOf(field, nil)
		if len(leaves) < 2 {
			t.Fatalf("%s has %d fields", section, len(leaves))
		}
		s := clitest.New(t)
		s.Run(0, "init", "--name", "shop")
		// The fields of oauth go together.
		var together []string
		for _, l := range leaves {
			if l.place[0] == "oauth" {
				text, _, _ := l.sample()
				together = append(together, l.flag()+"="+text)
			}
		}
		if together != nil {
			s.Run(0, append([]string{"update", section}, together...)...)
		}
		for _, l := range leaves {
			text, value, wrong := l.sample()
			if wrong != "" {
				code := 1
				if l.Field.Type == model.BooleanField {
					code = 2
				}
				if out := s.Run(code, "update", section, l.flag()+"="+wrong); strings.Count(out, "\n") != 1 {
					t.Errorf("%s=%s is refused in %q, want one line", l.flag(), wrong, out)
				}
			}
			s.Run(0, "update", section, l.flag()+"="+text)
			if got := s.At("backend/"+section+".json", l.place); !reflect.DeepEqual(got, value) {
				t.Errorf("%s=%s wrote %v, want %v", l.flag(), text, got, value)
			}
			if l.place[0] == "oauth" {
				continue
			}
			s.Run(0, "update", section, "--unset", strings.Join(l.place, "."))
			if holds(s, section, l) {
				t.Errorf("%s stays although it was unset", strings.Join(l.place, "."))
			}
			s.Run(0, "update", section, l.flag()+"="+text)
		}
	}
}

// holds reports whether the definition of a section has a value for the field.
func holds(s *clitest.Session, section string, l leaf) bool {
	return s.At("backend/"+section+".json", l.place) != nil
}
