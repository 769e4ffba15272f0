package live

import (
	"context"
	"fmt"
	"strings"

	"gatewright/deploy/contract"
	"gatewright/deploy/outputs"
	"gatewright/internal/clock"
	"gatewright/internal/text/phrase"
	"gatewright/model/diff"
	"gatewright/project"
	"gatewright/sandbox"
	"gatewright/sandbox/identity"
)

// reportServed reports an environment that is served, its pools, APIs and paths.
func (l *live) reportServed(s served) {
	from := "from the working tree"
	if !s.pushed.IsZero() {
		from = "as it was pushed " + clock.Moment(s.pushed)
	}
	l.say(sandbox.Event{Kind: Serving, Environment: s.Name, Text: "environment " + phrase.Quote(s.Name) + ", " + from})
	if s.Pool != nil {
		native := ""
		if s.Pool.NativeClientID != "" {
			native = ", with the client " + phrase.Quote(s.Pool.NativeClientID) + " for native apps"
		}
		for _, text := range []string{
			"user pool " + phrase.Quote(s.Pool.UserPoolID) + " " + l.sandbox.Address() + identity.UserPoolPath + native,
			"identity pool " + phrase.Quote(s.Pool.IdentityPoolID) + " " + l.sandbox.Address() + identity.IdentityPoolPath,
		} {
			l.say(sandbox.Event{Kind: Pool, Environment: s.Name, Text: text})
		}
	}
	for _, endpoint := range s.record.APIs {
		l.say(sandbox.Event{
			Kind: API, Environment: s.Name,
			Text: "API " + phrase.Quote(endpoint.API) + " " + phrase.QuotePath(endpoint.URL),
		})
		for _, p := range s.backend.API(endpoint.API).Paths {
			l.say(sandbox.Event{Kind: Path, Environment: s.Name, Text: phrase.QuotePath(endpoint.URL + p.Name)})
		}
	}
	for _, text := range l.contractsInUse(s) {
		l.say(sandbox.Event{Kind: Serving, Environment: s.Name, Text: text})
	}
}

// reportChanges reports the differences from before. A new environment, or one that was
// pushed again, is reported as a whole.
func (l *live) reportChanges(before []served) {
	was := make(map[string]served)
	for _, s := range before {
		was[s.Name] = s
	}
	for _, s := range l.serving {
		old, known := was[s.Name]
		delete(was, s.Name)
		switch {
		case !known || s.record.Snapshot != old.record.Snapshot:
			l.reportServed(s)
		case s.pushed.IsZero():
			for _, d := range diff.Backends(old.backend, s.backend) {
				// Of what is left out the reason is told, and its data stay.
				if d.Operation != diff.NoChange && l.left[d.Of] == nil {
					l.say(sandbox.Event{Kind: Definition, Environment: s.Name, Text: changeText(d)})
				}
			}
		}
	}
	for name := range was {
		l.say(sandbox.Event{
			Kind: Definition, Environment: name,
			Text: "environment " + phrase.Quote(name) + " is no longer served",
		})
	}
}

// changeText returns a difference as one line, with the first reasons.
func changeText(d diff.Difference) string {
	const most = 6
	text := strings.ToLower(d.Operation.String()) + " " + d.Of.String()
	if len(d.Reasons) == 0 {
		return text
	}
	shown := d.Reasons[:min(most, len(d.Reasons))]
	text += ": " + strings.Join(shown, "; ")
	if more := len(d.Reasons) - len(shown); more > 0 {
		text += fmt.Sprintf("; and %d more", more)
	}
	return text
}

// writeClientFile brings the client configuration file of the working tree's environment up to
// date; in a project of the Amplify CLI that tool writes it, and the first time it reports how to
// get another one. The first time it also reports a file that is up to date, and how to get the
// lines that lead a client to the pools: the file has no fields for them.
func (l *live) writeClientFile(ctx context.Context, p *project.Project, first bool) error {
	if p.Amplify != nil && first && len(l.serving) > 0 {
		l.say(sandbox.Event{
			Kind: File, Environment: l.environment,
			Text: "to point a front end to this sandbox, run: gatewright generate outputs --out-dir FOLDER --snippet",
		})
	}
	if p.Foreign() || len(l.serving) == 0 {
		return nil
	}
	written := false
	err := outputs.WriteClientFile(ctx, p, l.serving[0].record, func(e contract.Event) {
		written = true
		text := e.Text
		if e.Kind != contract.Noted {
			text = phrase.QuotePath(clientFileName(p)) + " is written, for environment " + phrase.Quote(l.environment)
		}
		l.say(sandbox.Event{Kind: File, Environment: l.environment, Text: text})
	})
	if err != nil {
		return fmt.Errorf("the client configuration file is not written: %w", err)
	}
	if !written && first {
		l.say(sandbox.Event{
			Kind: File, Environment: l.environment,
			Text: phrase.QuotePath(clientFileName(p)) + " is up to date, for environment " + phrase.Quote(l.environment),
		})
	}
	if first && l.serving[0].Pool != nil {
		l.say(sandbox.Event{
			Kind: File, Environment: l.environment,
			Text: "for the code that connects a client to these pools, run: gatewright generate outputs --from " +
				phrase.QuotePath(clientFileName(p)) + " --snippet",
		})
	}
	return nil
}
