package cfn_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"gatewright/internal/cfn"
)

// within fails a test if a function takes longer than a hang would be told from work.
func within(t *testing.T, f func()) {
	t.Helper()
	start := time.Now()
	f()
	if took := time.Since(start); took > 20*time.Second {
		t.Errorf("it took %s", took)
	}
}

func TestHostileTemplatesAreRefused(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, text, want string }{
		{"deep JSON", `{"A":` + strings.Repeat("[", 500_000), "more than 100 nested"},
		{"deep JSON maps", strings.Repeat(`{"A":`, 100_000), "more than 100 nested"},
		{"deep YAML", "A: " + strings.Repeat("[", 9_000), ""},
		{"deep YAML that ends", "A: " + strings.Repeat("[", 9_000) + strings.Repeat("]", 9_000), "more than 100 nested"},
		{"deep block YAML", strings.Repeat("- ", 9_000) + "a", "more than 100 nested"},
		{"too many values", `{"A":[` + strings.Repeat("1,", 400_000) + "1]}", "more than 250000 values"},
		{"large", strings.Repeat(" ", 1<<20) + "{}", "larger than 1 MB"},
		{"aliases", laughs("[", "]"), "more than 250000 values"},
		{"merged", laughs("{<<: [", "]}"), "more than 250000 values"},
		{"long names", `{"` + strings.Repeat("n", 500_000) + `":[` + strings.Repeat("1,", 200_000) + "1]}", "the names are too long"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			within(t, func() {
				if _, err := cfn.Parse("f", []byte(tt.text)); err == nil || !strings.Contains(err.Error(), tt.want) {
					t.Errorf("got %v, want %s", err, tt.want)
				}
			})
		})
	}
}

// laughs is a YAML text in which each of 30 lines has ten aliases of the line before.
func laughs(open, end string) string {
	var b strings.Builder
	b.WriteString("a0: &a0 {x: y}\n")
	for i := range 30 {
		alias := fmt.Sprintf("*a%d", i)
		fmt.Fprintf(&b, "a%d: &a%d %s%s%s\n", i+1, i+1, open, strings.Repeat(alias+", ", 9)+alias, end)
	}
	return b.String()
}

func TestLongTextsAreReadInTime(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"one line of JSON": `{"A":[` + strings.Repeat(`"é",`, 150_000) + "1]}",
		"comments":         strings.Repeat("#\n", 400_000) + "A: 1",
		"lines":            "A:\n" + strings.Repeat("- b # c\n", 100_000),
		"quoted":           `A: "` + strings.Repeat(`\n`, 500_000) + `"`,
		"keys":             manyKeys(60_000),
	} {
		t.Run(name, func(t *testing.T) {
			within(t, func() {
				if _, err := cfn.Parse("f", []byte(text)); err != nil {
					t.Error(err)
				}
			})
		})
	}
}

func manyKeys(count int) string {
	var b strings.Builder
	for i := range count {
		fmt.Fprintf(&b, "key%d: 1\n", i)
	}
	return b.String()
}

func TestValuesThatGrowAreUnknown(t *testing.T) {
	t.Parallel()
	doubled, escaped := "x", "{a: '\"'}"
	for range 25 {
		doubled = `{"Fn::Sub": ["${v}${v}${v}", {"v": ` + doubled + `}]}`
		escaped = "{a: {'Fn::ToJsonString': " + escaped + "}}"
	}
	text := strings.Repeat("y", 100_000)
	conditions := "Conditions:\n"
	for i := range 3000 {
		conditions += fmt.Sprintf("  C%d: !And [!Condition C%d, !Condition C%d]\n", i, i+1, i+1)
	}
	tests := []struct{ name, text string }{
		{"Fn::Sub in Fn::Sub", "Outputs: {Tested: {Value: " + doubled + "}}"},
		{"quotes in quotes", "Outputs: {Tested: {Value: " + escaped + "}}"},
		{"a long parameter often", "Parameters: {p: {Type: String, Default: " + text + "}}\nOutputs: {Tested: {Value: !Sub '" + strings.Repeat("${p}", 10_000) + "'}}"},
		{"a long list often", "Parameters: {p: {Type: CommaDelimitedList, Default: '" + strings.Repeat(",", 100_000) + "'}}\n" +
			"Outputs: {Tested: {Value: [" + strings.Repeat("!Ref p,", 10_000) + "]}}"},
		{"a long split often", "Parameters: {p: {Type: String, Default: '" + strings.Repeat(",", 100_000) + "'}}\n" +
			"Outputs: {Tested: {Value: [" + strings.Repeat("!Split [',', !Ref p],", 10_000) + "]}}"},
		{"a chain of conditions", conditions + "Outputs: {Tested: {Value: !If [C0, a, b]}}"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			within(t, func() {
				if v := resolved(t, tt.text, cfn.Given{}); v.Known() || len(v.Unknown) > 32 {
					t.Errorf("it is known, or %d parts are unknown", len(v.Unknown))
				}
			})
		})
	}
}

func TestACallerMayAskWhileItIsAsked(t *testing.T) {
	t.Parallel()
	template, err := cfn.Parse("f", []byte("Conditions: {C: !Equals [!Ref A, x]}\nResources: {A: {Type: T, Condition: C}}"))
	if err != nil {
		t.Fatal(err)
	}
	var r *cfn.Resolver
	r = template.With(cfn.Given{Reference: func(resource *cfn.Resource) (string, bool) {
		_, known := r.Exists(resource)
		return "x", known
	}})
	if _, known := r.Condition("C"); known {
		t.Error("a condition that needs itself is known")
	}
}
