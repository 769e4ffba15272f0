package flow_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gatewright/flow"
	"gatewright/model"
	"gatewright/project/amplify"
)

// written writes a question as whole text: all that a screen can show of it.
func written(f *flow.Flow, at flow.ID) string {
	q := f.Ask(at)
	var b strings.Builder
	fmt.Fprintf(&b, "%s %d: %s\n  %s\n", f.Name(at), at.Path, q.Title, q.Help)
	for _, field := range q.Fields {
		kind := [...]string{flow.Text: "text", flow.Choice: "choice", flow.Several: "several", flow.Access: "access"}[field.Kind]
		fmt.Fprintf(&b, "  %s %s %q = %q, shown %q, proposed %q", kind, field.Key, field.Label, field.Value, field.Shown(), field.Proposal())
		if field.List {
			b.WriteString(", a list")
		}
		if n := len(field.Suggestions); n > 0 {
			b.WriteString(", suggestions from " + field.Suggestions[0])
		}
		if field.Help != "" {
			b.WriteString(", help: " + field.Help)
		}
		b.WriteString("\n")
		for _, o := range field.Options {
			sign := "-"
			if field.Has(o) {
				sign = "x"
			}
			fmt.Fprintf(&b, "    %s %s %q %q %q\n", sign, o.Key, o.Title, o.Detail, o.Disabled)
		}
	}
	return b.String()
}

// asked writes all questions, each with the summary of its answers.
func asked(f *flow.Flow) string {
	var b strings.Builder
	for _, at := range f.Steps() {
		b.WriteString(written(f, at))
		if summary := f.Summary(at); summary != "" {
			b.WriteString("  in short: " + summary + "\n")
		}
	}
	return b.String()
}

func TestEveryQuestionOfANewProjectIsAskedInItsOrder(t *testing.T) {
	t.Parallel()
	f := flow.New(&model.Backend{}, flow.Task{}, "shop")
	answer(t, f, "api.label=more", "path.path=/a", "function.template=crud", "table.sort=at", "function.advanced=yes", "advanced.timeout=30",
		"another.another=yes", "path.path=/b", "function.source=existing", "function.existing=a", "access.groups=Admins", "access.Admins=read", "environments.new=qa")
	same(t, asked(f), questionsOfANewProject)
}

func TestEveryQuestionAboutAPathOfAProjectIsAskedInItsOrder(t *testing.T) {
	t.Parallel()
	f := flow.New(shop(t), flow.Task{API: "shop", Path: "/items"}, "")
	same(t, asked(f), questionsOfAPath)
	answer(t, f, "function.source=new", "function.template=crud")
	same(t, written(f, find(t, f, "table")), questionOfATable)
	// The template is none for TypeScript, and another is chosen with it.
	answer(t, f, "function.runtime=typescript")
	same(t, written(f, find(t, f, "function")), questionOfTypeScript)
}

func TestAProjectOfTheAmplifyCLIIsAskedOnlyForWhatCanBeMadeThere(t *testing.T) {
	t.Parallel()
	b := shop(t)
	b.Layout = amplify.Layout
	same(t, asked(flow.New(b, flow.Task{}, "")), questionsOfTheAmplifyCLI)
}

func same(t *testing.T, got, want string) {
	t.Helper()
	if difference := cmp.Diff(strings.TrimSpace(want), strings.TrimSpace(got)); difference != "" {
		t.Error("the questions differ (-want +got):\n" + difference)
	}
}
