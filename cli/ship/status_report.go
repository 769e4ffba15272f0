package ship

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"gatewright/cli/command"
	"gatewright/deploy/index"
	"gatewright/internal/clock"
	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/model/access"
	"gatewright/model/diff"
	"gatewright/project"
	"gatewright/project/status"
)

// statusReport is what `status` reports.
type statusReport struct {
	Environment string `json:"environment"`
	Stack       string `json:"stack,omitempty"`
	// Provider, Account and Region say where it is, if that is a cloud; Note what goes on
	// there, or is wrong.
	Provider string `json:"provider,omitempty"`
	Account  string `json:"account,omitempty"`
	Region   string `json:"region,omitempty"`
	Note     string `json:"note,omitempty"`
	// Against is the folder of the Amplify CLI that the project is compared with.
	Against string `json:"against,omitempty"`
	// Pushed is when the environment was pushed last; absent for never.
	Pushed    *time.Time       `json:"pushed,omitempty"`
	Changed   bool             `json:"changed"`
	Create    int              `json:"create"`
	Update    int              `json:"update"`
	Delete    int              `json:"delete"`
	NoChange  int              `json:"noChange"`
	Resources []statusResource `json:"resources"`
	// Access is who may do more or less after a push; what is gained comes first.
	Access []accessChange `json:"access"`
	// MoreAccess says that there are more of them than can be listed.
	MoreAccess bool `json:"moreAccess,omitempty"`
	// Waiting has the sections that the client configuration file leaves out, each with
	// its missing fields.
	Waiting map[string][]string `json:"waiting"`

	// Refused says why a push would be refused now; empty if nothing is in the way.
	Refused []string `json:"refused"`

	// RefusedByAWS says which requests AWS would refuse although the project allows them.
	RefusedByAWS []string `json:"refusedByAWS"`

	// Drift is what is otherwise in AWS than by the last push; absent if that was not asked.
	Drift *driftReport `json:"drift,omitempty"`

	// accessSum counts the changes in access, alike has them together where they are alike, and apis
	// is how many APIs the project has.
	accessSum string
	alike     []access.Alike
	apis      int
	// given reports whether a push gives the missing fields of a section.
	given func(section string) bool
	// clock writes the time of the last push.
	clock clock.Zoned
}

type statusResource struct {
	Kind model.Kind `json:"kind"`
	// Name is empty for the user pool, the data API and the bucket.
	Name      string         `json:"name"`
	Operation diff.Operation `json:"operation"`
	Reasons   []string       `json:"reasons"`
	Diff      string         `json:"diff,omitempty"`

	of model.Ref
}

// statusOf returns the report of a status; diffs adds the differences of the files.
func statusOf(streams command.Streams, p *project.Project, s status.Status, diffs bool) statusReport {
	r := statusReport{
		clock:       streams.Clock(),
		Environment: s.Environment.Name, Stack: index.StackOf(p.Backend, s.Environment), Changed: s.Changed(),
		Create: s.Count(diff.ToCreate), Update: s.Count(diff.ToUpdate), Delete: s.Count(diff.ToDelete),
		NoChange:  s.Count(diff.NoChange),
		Resources: []statusResource{}, Access: accessChanges(s.Access, len(p.Backend.APIs)),
		accessSum: access.Count(s.Access), alike: access.Grouped(s.Access), apis: len(p.Backend.APIs),
		MoreAccess: s.MoreAccess, Waiting: s.Waiting, given: s.GivenByPush,
	}
	r.Refused = []string{}
	r.RefusedByAWS = refusedByAWS(p.Backend.For(s.Environment))
	if s.Against != "" {
		r.Against, r.Stack = s.Against, p.Amplify.Stack(s.Environment.Name)
	}
	if s.Deployed != nil {
		r.Stack, r.Pushed = s.Deployed.Stack, &s.Deployed.Deployed
	}
	for _, d := range s.Resources {
		one := statusResource{
			Kind: d.Of.Kind, Name: d.Of.Name, Operation: d.Operation, Reasons: command.Listed(d.Reasons),
			of: d.Of,
		}
		if diffs {
			one.Diff = d.Diff()
		}
		r.Resources = append(r.Resources, one)
	}
	return r
}

// text returns the report for people: what changes in access, a table with the reasons of each
// change, all of it or the first few lines, and a summary that begins with the name of the
// command. Lines are wrapped at width cells, or not at all if width is 0.
func (r statusReport) text(name string, allReasons, diffs bool, width int, paint command.Palette) string {
	return r.header() + r.accessText(allReasons, width, paint) + r.resources(allReasons, diffs, width) +
		r.Drift.text(width, paint) + r.ending(name, allReasons, width)
}

// header says what the report is about.
func (r statusReport) header() string {
	text := "environment " + phrase.Quote(r.Environment)
	switch {
	case r.Against != "":
		text += ", compared with " + phrase.QuotePath(r.Against) + "\n"
	case r.Pushed == nil:
		text += ", never pushed\n"
	default:
		text += ", last pushed " + r.clock.Moment(*r.Pushed) + "\n"
	}
	if r.Stack != "" {
		text += "stack " + phrase.QuotePath(r.Stack) + "\n"
	}
	if r.Account != "" {
		text += "account " + r.Account + ", " + phrase.QuotePath(r.Region) + "\n"
	}
	if r.Note != "" {
		text += r.Note + "\n"
	}
	return text
}

// resources is the table of the resources, with the reasons of each change.
func (r statusReport) resources(allReasons, diffs bool, width int) string {
	const mostReasons = 12
	var b strings.Builder
	widest := len("Resource")
	for _, s := range r.Resources {
		widest = max(widest, min(len(s.of.String()), command.WidestCell))
	}
	row := func(name, operation string) { fmt.Fprintf(&b, "  %-*s  %s\n", widest, name, operation) }
	if len(r.Resources) > 0 {
		row("Resource", "Operation")
	}
	shown, same := r.changedFirst(allReasons)
	for _, s := range shown {
		row(s.of.String(), s.Operation.String())
		for i, reason := range s.Reasons {
			if i == mostReasons && !allReasons && len(s.Reasons) > mostReasons+1 {
				fmt.Fprintf(&b, "    and %d more\n", len(s.Reasons)-mostReasons)
				break
			}
			b.WriteString(command.Folded("    ", reason, width))
		}
		if diffs {
			b.WriteString(indented(s.Diff))
		}
	}
	if same > 0 {
		row(fmt.Sprintf("and %d more", same), diff.NoChange.String()+"; -v shows them")
	}
	return b.String()
}

// changedFirst returns the resources for people, those that change first. In a large project
// the others are counted, unless all are asked for.
func (r statusReport) changedFirst(all bool) (shown []statusResource, same int) {
	const large = 30
	shown = slices.Clone(r.Resources)
	slices.SortStableFunc(shown, func(x, y statusResource) int {
		return cmp.Compare(unchanged(x), unchanged(y))
	})
	changed := slices.IndexFunc(shown, func(s statusResource) bool { return s.Operation == diff.NoChange })
	if same = len(shown) - changed; changed < 0 || same < 2 || all || len(shown) <= large {
		return shown, 0
	}
	return shown[:changed], same
}

// unchanged is 1 for a resource that a push leaves as it is.
func unchanged(r statusResource) int {
	if r.Operation == diff.NoChange {
		return 1
	}
	return 0
}

// ending is what the client configuration file lacks, and the summary.
func (r statusReport) ending(name string, allReasons bool, width int) string {
	var b strings.Builder
	if name == "status" {
		b.WriteString(r.pushRefusedText(allReasons, width))
		b.WriteString(r.refusedText(allReasons, width))
	}
	if len(r.Waiting) > 0 {
		b.WriteString("client configuration file\n")
	}
	for _, section := range slices.Sorted(maps.Keys(r.Waiting)) {
		b.WriteString(r.missing(section))
	}
	b.WriteString(name + ": " + r.summary())
	if name == "status" && len(r.Refused) > 0 {
		b.WriteString("; a push is refused")
	}
	b.WriteString("\n")
	return b.String()
}

// indented indents a diff.
func indented(diff string) string {
	var b strings.Builder
	for line := range strings.Lines(diff) {
		b.WriteString("    " + line)
	}
	return b.String()
}

// missing says which fields a section of the client configuration file lacks, and what
// gives them.
func (r statusReport) missing(section string) string {
	fields := r.Waiting[section]
	list := phrase.QuoteList(fields)
	if r.given(section) {
		return "  " + section + " is left out until a push gives\n    " + list + "\n"
	}
	give, command := "it", "gatewright add output"
	if len(fields) > 1 {
		give = "them"
	}
	if slices.Contains([]model.Kind{model.KindAuth, model.KindData, model.KindStorage}, model.Kind(section)) {
		command = "gatewright update " + section
	}
	return "  " + section + " is left out; it lacks\n    " + list + "\n    give " + give + " with: " + command + "\n"
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
