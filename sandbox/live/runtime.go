package live

import (
	"fmt"
	"os/exec"
	"slices"
	"strings"

	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/project"
	"gatewright/project/validate"
	"gatewright/sandbox"
	"gatewright/sandbox/function"
	"gatewright/sandbox/prepare"
)

// OtherRuntime is a runtime whose functions run on another version here than in the cloud.
type OtherRuntime struct {
	Runtime   model.Runtime
	Functions []string
	// differs says in what.
	differs string
}

// otherRuntimes lists those of a backend.
func otherRuntimes(b *model.Backend, cache string) []*OtherRuntime {
	var list []*OtherRuntime
	known := make(map[model.Runtime]*OtherRuntime)
	for _, f := range b.Functions {
		name := f.Runtime.InCloud()
		if f.Runtime == "" {
			continue
		}
		other, is := known[name]
		if !is {
			s := &function.Spec{Runtime: name.Language(), RuntimeName: string(name)}
			found, _ := prepare.FindInterpreter(s, cache)
			if differs := found.Differs(s); differs != "" {
				other = &OtherRuntime{Runtime: name, differs: differs}
				list = append(list, other)
			}
			known[name] = other
		}
		if other != nil {
			other.Functions = append(other.Functions, f.Name)
		}
	}
	return list
}

// Release is what would be fetched, such as Node.js 22.
func (o *OtherRuntime) Release() string {
	language := o.Runtime.Language()
	version := strings.TrimSuffix(strings.TrimPrefix(string(o.Runtime), string(language)), ".x")
	return prepare.LanguageName(language) + " " + version
}

// String says what differs, and what to do.
func (o *OtherRuntime) String() string {
	fix := "gatewright sandbox --fetch-runtimes fetches " + o.Release()
	if _, err := exec.LookPath("uv"); err != nil && o.Runtime.Language() == model.Python {
		fix = "install " + o.Release() + ", or uv, with which gatewright sandbox --fetch-runtimes fetches it"
	}
	const most = 3
	names, verb := o.Functions, "is"
	if len(names) > 1 {
		verb = "are"
	}
	who := phrase.QuoteList(names[:min(len(names), most)])
	if len(names) > most {
		who += fmt.Sprintf(" and %d more", len(names)-most)
	}
	return fmt.Sprintf("%s %s %s; %s", who, verb, o.differs, fix)
}

// tellRuntimes says once of each runtime what differs here, and what sources use that it has no more.
func (l *live) tellRuntimes(p *project.Project, b *model.Backend) {
	for _, told := range slices.Concat(validate.Gone(p), validate.OtherLanguages(p)) {
		l.warn(sandbox.Event{Kind: function.EventWarning, Environment: l.environment, Text: told.Error()})
	}
	for _, other := range otherRuntimes(b, l.cache()) {
		l.warn(sandbox.Event{Kind: function.EventWarning, Environment: l.environment, Text: other.String()})
	}
}
