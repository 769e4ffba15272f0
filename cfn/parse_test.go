package cfn

import (
	"strings"
	"testing"
)

func TestErrorsHaveTheirPlace(t *testing.T) {
	for text, want := range map[string]string{
		"{\n  \"a\": }":                  "t:2:8: is not valid JSON",
		"{\"a\": 1, \"a\": 2}":           "t:1:10: is not valid JSON",
		"{\"a\": 1":                      "t:1:8: ",
		"{} x":                           "t:1:3: ",
		"":                               "t:1:1: is empty",
		"- a\n":                          "t:1:1: is not an object",
		"a: 1\na: 2\n":                   "t:2:1: has the key \"a\" twice",
		"a:\n  - b\n c: d\n":             "t:",
		"? [a]\n: b\n":                   "t:1:3: has a key that is not a text",
		strings.Repeat("[", 3) + "\xff":  "t: is not UTF-8",
		"a: " + strings.Repeat("[", 150): "t:",
		"{\"a\":" + strings.Repeat("[", 5000) + strings.Repeat("]", 5000) + "}": "t:1:",
	} {
		_, err := Parse("t", []byte(text))
		if err == nil || !strings.HasPrefix(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%.40q: the error is %v, want %s", text, err, want)
		}
	}
}

func TestPlacesInJSONAndYAML(t *testing.T) {
	for text, place := range map[string][2]int{
		"{\n  \"é\": \"x\", \"b\": {\n    \"c\": \"d\\\"e\"}}": {3, 10},
		"é: x\nb:\n  c: d\n": {3, 6},
	} {
		n := parse(t, text).Root.Get("b", "c")
		if n == nil || n.Line != place[0] || n.Column != place[1] || n.Pointer != "/b/c" {
			t.Errorf("%q: c is %+v", text, n)
		}
	}
}

func TestAliasesAndMergesAreRead(t *testing.T) {
	template := parse(t, "base: &b {x: 1, y: 2}\nit:\n  <<: *b\n  x: 3\nsame: *b\n")
	for name, want := range map[string]string{"x": "3", "y": "2"} {
		if n := template.Root.Get("it", name); n == nil || n.Text != want {
			t.Errorf("%s is %+v", name, n)
		}
	}
	if n := template.Root.Get("same", "y"); n == nil || n.Text != "2" {
		t.Errorf("the alias is %+v", n)
	}
}

// TestABombEnds has a document whose aliases would grow without end.
func TestABombEnds(t *testing.T) {
	var b strings.Builder
	b.WriteString("a0: &a0 [x, x, x, x, x, x, x, x, x]\n")
	for i := 1; i < 12; i++ {
		last := string(rune('a'+i-1)) + "0"
		if i == 1 {
			last = "a0"
		}
		name := string(rune('a'+i)) + "0"
		b.WriteString(name + ": &" + name + " [" + strings.TrimSuffix(strings.Repeat("*"+last+", ", 9), ", ") + "]\n")
	}
	if _, err := Parse("t", []byte(b.String())); err == nil {
		t.Error("it is read")
	}
}

func FuzzParseAndResolve(f *testing.F) {
	for _, seed := range []string{function, head, "{}", "a: !Sub '${a.b}${'", "Conditions: {a: !Condition a}\nResources: {x: {Condition: a}}", `{"Fn::Join":["",[{"Fn::Select":[0,{"Fn::Split":["",""]}]}]]}`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		template, err := Parse("t", []byte(text))
		if err != nil {
			if strings.Contains(err.Error(), "\n") {
				t.Errorf("the error has several lines: %q", err)
			}
			return
		}
		r := template.With(given)
		v := r.Resolve(template.Root)
		_ = v.Pattern()
		_ = Statements(v)
		for _, resource := range template.Resources() {
			r.Exists(resource)
		}
		template.Outputs()
	})
}
