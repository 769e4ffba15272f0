package session

import (
	"fmt"
	"slices"
	"strings"

	"gatewright/internal/text/phrase"
	"gatewright/internal/text/prose"
	"gatewright/model"
	"gatewright/model/access"
	"gatewright/model/diff"
	"gatewright/project"
	"gatewright/project/plan"
)

// News is what somebody else changed between two readings of the files.
type News struct {
	// Changed says that a definition differs.
	Changed bool
	// Text is one line, safe for the screen; "" if the backend is the same.
	Text string
	// Opened says that somebody may send requests that were refused before, or that this is not known.
	Opened bool
}

// NewsOf says what differs between two backends, and whether that opened something.
func NewsOf(was, now *model.Backend) News {
	var changed []string
	for _, d := range diff.WithoutValues(was, now) {
		switch {
		case d.Operation == diff.NoChange:
		case d.Of.Kind == model.KindAPI && d.Operation == diff.ToUpdate:
			changed = append(changed, changedPaths(was.API(d.Of.Name), now.API(d.Of.Name))...)
		case d.Operation == diff.ToDelete:
			changed = append(changed, d.Of.String()+gone)
		default:
			changed = append(changed, d.Of.String())
		}
	}
	if len(changed) == 0 {
		return News{}
	}
	const few = 3
	text := phrase.List(changed)
	if more := len(changed) - few; more > 0 {
		text = strings.Join(changed[:few], ", ") + fmt.Sprintf(" and %d more", more)
	}
	text += " changed outside: "
	found, complete := access.Compare(was.Gate(), now.Gate())
	found = slices.DeleteFunc(found, func(d access.Difference) bool { return !d.Gained })
	n := News{Opened: len(found) > 0 || !complete}
	switch {
	case len(found) > 0:
		const most = 2
		for i, d := range found[:min(len(found), most)] {
			if i > 0 {
				text += "; "
			}
			text += "▲ " + d.Sentence()
		}
		if more := len(found) - most; more > 0 {
			text += fmt.Sprintf("; and %d more", more)
		}
	case complete:
		text += "it opened nothing"
	default:
		text += "not known whether it opened something; ask with: gatewright can WHO METHOD PATH"
	}
	n.Text = prose.PrintableStart(text)
	return n
}

// gone follows the name of what was removed.
const gone = " (gone)"

// changedPaths names the paths of an API that differ, or the API if none does.
func changedPaths(was, now *access.API) (names []string) {
	for w, n := range access.Pairs(was.Paths, now.Paths, func(p *access.Path) string { return p.Name }) {
		switch {
		case n == nil:
			names = append(names, phrase.Quote(now.Label)+" "+phrase.Quote(w.Name)+gone)
		case w == nil || w.Function != n.Function || !w.Access.Same(n.Access):
			names = append(names, phrase.Quote(now.Label)+" "+phrase.Quote(n.Name))
		}
	}
	if names == nil {
		names = []string{model.Ref{Kind: model.KindAPI, Name: now.Label}.String()}
	}
	return names
}

// Since reads the project again, and says what changed in its files since another reading. If nothing did, the
// project is that reading; so it is with the error, which says that files cannot be read which were read before.
func (s *Session) Since(was *project.Project) (now *project.Project, news News, err error) {
	if now, err = s.Read(); err != nil {
		return was, news, err
	}
	if broken := firstUnread(now); broken != nil && firstUnread(was) == nil {
		_ = now.Close()
		return was, news, fmt.Errorf("%w; the last version that was read stays", broken)
	}
	if now.Fingerprint() == was.Fingerprint() && now.Root == was.Root {
		_ = now.Close()
		return was, news, nil
	}
	news = NewsOf(was.Backend, now.Backend)
	news.Changed = true
	return now, news, nil
}

// Commit writes a plan that was made for a reading of the project, unless the files changed since: then
// nothing is written, and the project is as it is now.
func (s *Session) Commit(was *project.Project, planned *plan.Plan) (now *project.Project, news News, err error) {
	if now, news, err = s.Since(was); err == nil && !news.Changed {
		err = planned.CommitWhenFree()
	}
	return now, news, err
}

// firstUnread is why a file could not be read, such as one that is half written; nil if all could.
func firstUnread(p *project.Project) error {
	for _, problem := range p.Problems {
		if len(p.Unread) > 0 && problem.Level == model.Error {
			return problem
		}
	}
	return nil
}
