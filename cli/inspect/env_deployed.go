package inspect

import (
	"errors"
	"maps"
	"slices"
	"strings"
	"time"

	"gatewright/cli/command"
	"gatewright/internal/clock"
	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/model/access"
	"gatewright/model/diff"
	"gatewright/project"
)

// deployedDiff is what differs in what is deployed of two environments.
type deployedDiff struct {
	// PushedA and PushedB are when they were pushed last; absent for never.
	PushedA *time.Time `json:"pushedA,omitempty"`
	PushedB *time.Time `json:"pushedB,omitempty"`
	// Resources are the parts of the backend that differ.
	Resources []resourceDiff `json:"resources"`
	// Access says in sentences who may do what in one of them and not in the other.
	Access []string `json:"access"`
	// MoreAccess says that there are more of them than can be listed.
	MoreAccess bool `json:"moreAccess,omitempty"`

	clock clock.Zoned
	a, b  string
}

// resourceDiff is a part of the backend that differs.
type resourceDiff struct {
	Kind model.Kind `json:"kind"`
	Name string     `json:"name"`
	// Only is the environment that alone has it; "" if both have it, otherwise.
	Only string `json:"only,omitempty"`
	// Reasons say in what it differs, from A to B.
	Reasons []string `json:"reasons"`
	// Files are the files of a function's source that differ; "." is for all of one with so many
	// that they are compared as one.
	Files []string `json:"files"`

	of model.Ref
}

// compareDeployed compares what the last pushes of two environments made. An environment that
// was never pushed has nothing.
func compareDeployed(streams command.Streams, p *project.Project, nameA, nameB string) (*deployedDiff, error) {
	if p.Foreign() {
		return nil, nil
	}
	d := &deployedDiff{
		clock: streams.Clock(), a: phrase.Quote(nameA), b: phrase.Quote(nameB), Resources: []resourceDiff{},
		Access: []string{},
	}
	var (
		backends [2]*model.Backend
		sources  [2]map[string]map[string]string
	)
	for i, name := range []string{nameA, nameB} {
		deployed, err := p.Deployed(name)
		if errors.Is(err, project.ErrNeverDeployed) {
			continue
		}
		if err != nil {
			return nil, err
		}
		*[]**time.Time{&d.PushedA, &d.PushedB}[i] = &deployed.Record.Deployed
		then := deployed.Project.Backend
		backends[i] = then.For(then.Environment(name))
		if sources[i] = deployed.Record.Sources; sources[i] == nil {
			if sources[i], err = deployed.Project.Sources(); err != nil {
				return nil, err
			}
		}
	}
	if d.PushedA == nil || d.PushedB == nil {
		return d, nil
	}
	d.resources(backends, sources)
	differences, complete := access.Compare(backends[0].Gate(), backends[1].Gate())
	d.MoreAccess = !complete
	for _, one := range differences {
		text := one.Between(d.a, d.b)
		if len(backends[0].APIs)+len(backends[1].APIs) > 2 {
			text = "API " + phrase.Quote(one.API) + ": " + text
		}
		d.Access = append(d.Access, text)
	}
	return d, nil
}

// resources finds the parts that differ. What the environments themselves have is among the
// facts already.
func (d *deployedDiff) resources(backends [2]*model.Backend, sources [2]map[string]map[string]string) {
	for _, one := range diff.Backends(backends[0], backends[1]) {
		r := resourceDiff{Kind: one.Of.Kind, Name: one.Of.Name, Reasons: command.Listed(one.Reasons), of: one.Of}
		switch one.Operation {
		case diff.ToCreate:
			r.Only, r.Reasons = d.b, []string{}
		case diff.ToDelete:
			r.Only, r.Reasons = d.a, []string{}
		}
		r.Files = []string{}
		if one.Of.Kind == model.KindFunction && r.Only == "" {
			r.Files = otherFiles(sources[0][one.Of.Name], sources[1][one.Of.Name])
		}
		if one.Of.Kind != model.KindEnvironment && (r.Only != "" || len(r.Reasons)+len(r.Files) > 0) {
			d.Resources = append(d.Resources, r)
		}
	}
}

// otherFiles are the files whose hashes differ, sorted. If one side has a hash of all alone, it is
// not known which files differ.
func otherFiles(a, b map[string]string) []string {
	if (a[project.AllFiles] != "" || b[project.AllFiles] != "") && !maps.Equal(a, b) {
		return []string{project.AllFiles}
	}
	all := maps.Clone(a)
	if all == nil {
		all = make(map[string]string)
	}
	maps.Copy(all, b)
	return command.Listed(slices.DeleteFunc(slices.Sorted(maps.Keys(all)),
		func(name string) bool { return a[name] == b[name] }))
}

// same reports whether both have the same deployed.
func (d *deployedDiff) same() bool {
	return d == nil || (d.PushedA == nil) == (d.PushedB == nil) && len(d.Resources)+len(d.Access) == 0 && !d.MoreAccess
}

// text says what differs; "" if nothing does, or neither was pushed.
func (d *deployedDiff) text(width int) string {
	if d == nil {
		return ""
	}
	if d.PushedA == nil && d.PushedB == nil {
		return ""
	}
	var b strings.Builder
	line := func(indent, text string) { b.WriteString(command.Folded(indent, text, width)) }
	for _, side := range []struct {
		name   string
		pushed *time.Time
	}{{d.a, d.PushedA}, {d.b, d.PushedB}} {
		if side.pushed == nil {
			line("", side.name+" was never pushed")
		}
	}
	if d.same() || d.PushedA == nil || d.PushedB == nil {
		return b.String()
	}
	line("", "deployed: "+d.a+" "+d.clock.Moment(*d.PushedA)+", "+d.b+" "+d.clock.Moment(*d.PushedB))
	for _, r := range d.Resources {
		if r.Only != "" {
			line("  ", r.of.String()+": only in "+r.Only)
			continue
		}
		line("  ", r.of.String()+", from "+d.a+" to "+d.b)
		for _, reason := range r.Reasons {
			line("    ", reason)
		}
		if len(r.Files) > 0 {
			line("    ", "its source differs: "+filesText(r.Files))
		}
	}
	if len(d.Access) > 0 || d.MoreAccess {
		line("", "access")
	}
	for _, text := range d.Access {
		line("  ", text)
	}
	if d.MoreAccess {
		line("  ", access.More)
	}
	return b.String()
}

// filesText names some files. The name of all files of a large source is a dot.
func filesText(files []string) string {
	const most = 5
	if len(files) == 1 && files[0] == project.AllFiles {
		return "of many files"
	}
	if len(files) > most {
		return phrase.QuoteList(files[:most]) + " and " + phrase.Count(len(files)-most, "other")
	}
	return phrase.QuoteList(files)
}
