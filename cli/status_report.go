package cli

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"gatewright/deploy"
	"gatewright/model"
	"gatewright/project"
	"gatewright/tui/layout"
)

// statusReport is what `status` reports.
type statusReport struct {
	Environment string `json:"environment"`
	Stack       string `json:"stack,omitempty"`
	// Pushed is when the environment was pushed last; absent for never.
	Pushed    *time.Time       `json:"pushed,omitempty"`
	Changed   bool             `json:"changed"`
	Create    int              `json:"create"`
	Update    int              `json:"update"`
	Delete    int              `json:"delete"`
	NoChange  int              `json:"noChange"`
	Resources []statusResource `json:"resources"`
	// Waiting are the sections that the client configuration file lacks, each
	// with its missing fields.
	Waiting map[string][]string `json:"waiting,omitempty"`
}

type statusResource struct {
	Kind      model.Kind      `json:"kind"`
	Name      string          `json:"name,omitempty"`
	Operation model.Operation `json:"operation"`
	Reasons   []string        `json:"reasons,omitempty"`
	Diff      string          `json:"diff,omitempty"`

	of model.Ref
}

// stackOf is the stack that a push of the environment makes; "" where the project
// has no application id yet.
func stackOf(p *project.Project, e *model.Environment) string {
	if p.Backend.Project.ApplicationID == "" {
		return ""
	}
	return deploy.StackName(p.Backend.Project.ApplicationID, e.BranchName())
}

// statusOf is the report of a status, with the files' differences or without.
func statusOf(p *project.Project, s project.Status, diffs bool) (statusReport, error) {
	r := statusReport{Environment: s.Environment.Name, Changed: s.Changed(), Resources: []statusResource{}}
	r.Stack = stackOf(p, s.Environment)
	if s.Deployed != nil {
		r.Stack, r.Pushed = s.Deployed.Stack, &s.Deployed.Deployed
	}
	for _, d := range s.Resources {
		switch d.Operation {
		case model.ToCreate:
			r.Create++
		case model.ToUpdate:
			r.Update++
		case model.ToDelete:
			r.Delete++
		default:
			r.NoChange++
		}
		one := statusResource{Kind: d.Of.Kind, Name: d.Of.Name, Operation: d.Operation, Reasons: d.Reasons, of: d.Of}
		if diffs {
			one.Diff = d.Diff()
		}
		r.Resources = append(r.Resources, one)
	}
	var err error
	r.Waiting, err = waitingOf(p.Backend, s)
	return r, err
}

// waitingOf are the sections that the client configuration file lacks, or of
// which it lacks a part, each with what is missing: those that are begun, and
// those that a first push begins.
func waitingOf(b *model.Backend, s project.Status) (map[string][]string, error) {
	var outputs model.Outputs
	if s.Deployed != nil {
		outputs = s.Deployed.Outputs
	}
	content, err := b.ClientFile(s.Environment, outputs)
	if err != nil {
		return nil, err
	}
	waiting := maps.Clone(content.Waiting)
	here := b.For(s.Environment)
	const auth, custom = string(model.KindAuth), "custom"
	if here.UsesUserPool() && content.Values[auth] == nil && waiting[auth] == nil {
		section, _ := model.ClientFile.Field(auth)
		for _, field := range section.Fields {
			if field.Required {
				waiting[auth] = append(waiting[auth], field.Name)
			}
		}
	}
	section, _ := content.Values[custom].(map[string]any)
	endpoints, _ := section["API"].(map[string]any)
	for _, api := range here.APIs {
		if endpoints[api.Label] == nil {
			waiting[custom] = append(waiting[custom], "API."+api.Label)
		}
	}
	return waiting, nil
}

// text is the report for people: a table, with the reasons of each change below
// it, all of them or the first few, and a last line that says whose it is. Reasons
// are wrapped in a terminal of so many cells; width 0 is none.
func (r statusReport) text(whose string, allReasons, diffs bool, width int) string {
	const mostReasons, narrowest, indent = 12, 24, 6
	wrapAt := math.MaxInt
	if width > 0 {
		wrapAt = max(width-indent, narrowest)
	}
	var b strings.Builder
	b.WriteString("environment " + model.Quote(r.Environment))
	if r.Pushed == nil {
		b.WriteString(", never pushed\n")
	} else {
		b.WriteString(", last pushed " + moment(*r.Pushed) + "\n")
	}
	if r.Stack != "" {
		b.WriteString("stack " + project.QuotePath(r.Stack) + "\n")
	}
	widest := len("Resource")
	for _, s := range r.Resources {
		widest = max(widest, min(len(s.of.String()), widestCell))
	}
	row := func(name, operation string) { fmt.Fprintf(&b, "  %-*s  %s\n", widest, name, operation) }
	if len(r.Resources) > 0 {
		row("Resource", "Operation")
	}
	for _, s := range r.Resources {
		row(s.of.String(), s.Operation.String())
		for i, reason := range s.Reasons {
			if i == mostReasons && !allReasons && len(s.Reasons) > mostReasons+1 {
				fmt.Fprintf(&b, "    and %d more\n", len(s.Reasons)-mostReasons)
				break
			}
			for n, line := range layout.Wrap(reason, wrapAt) {
				b.WriteString("    " + strings.Repeat("  ", min(n, 1)) + line + "\n")
			}
		}
		if diffs {
			b.WriteString(indented(s.Diff))
		}
	}
	if len(r.Waiting) > 0 {
		b.WriteString("client configuration file\n")
	}
	for _, section := range slices.Sorted(maps.Keys(r.Waiting)) {
		b.WriteString(r.waits(section))
	}
	b.WriteString(whose + ": " + r.summary() + "\n")
	return b.String()
}

// indented is a diff below the line of its resource.
func indented(diff string) string {
	var b strings.Builder
	for line := range strings.Lines(diff) {
		b.WriteString("    " + line)
	}
	return b.String()
}

// waits says of a section of the client configuration file what it lacks, and
// what gives it.
func (r statusReport) waits(section string) string {
	missing := r.Waiting[section]
	lacks := model.QuoteList(missing)
	if section == "custom" || section == string(model.KindAuth) && r.Changed {
		return "  " + section + " waits for a push, which gives\n    " + lacks + "\n"
	}
	give, command := "it", "gatewright add output"
	if len(missing) > 1 {
		give = "them"
	}
	if slices.Contains([]model.Kind{model.KindAuth, model.KindData, model.KindStorage}, model.Kind(section)) {
		command = "gatewright update " + section
	}
	return "  " + section + " is left out; it lacks\n    " + lacks + "\n    give " + give + " with: " + command + "\n"
}

// summary counts what a push would do.
func (r statusReport) summary() string {
	if !r.Changed {
		return "no change"
	}
	var parts []string
	for _, part := range []struct {
		n  int
		to string
	}{{r.Create, "to create"}, {r.Update, "to update"}, {r.Delete, "to delete"}, {r.NoChange, "without change"}} {
		if part.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", part.n, part.to))
		}
	}
	return strings.Join(parts, ", ")
}
