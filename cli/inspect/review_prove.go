package inspect

import (
	"context"
	"fmt"
	"strings"

	"golang.org/x/sync/errgroup"

	"gatewright/cli/command"
	"gatewright/deploy/trial"
	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/project/review"
)

// mostProved is how many requests are sent. What is opened comes first.
const mostProved = 200

// reviewedProof is a request that was sent to both states.
type reviewedProof struct {
	API     string `json:"api"`
	Method  string `json:"method"`
	Request string `json:"request"`
	// As is the caller as the flag --as of the command call names it; empty for a caller without
	// credentials.
	As     string `json:"as"`
	Proved bool   `json:"proved"`
	// Before and After are the answers, or why there is none.
	Before string `json:"before"`
	After  string `json:"after"`
	Text   string `json:"text"`
}

// side is a state that requests are sent to.
type side struct {
	state   review.State
	answers []trial.Answer
	// all is the answer to every request if the state cannot be served.
	all *trial.Answer
}

// proofs sends the example of each difference to sandboxes of both states.
func (x *reviewCommand) proofs(end *command.Interrupt, c *compared, found *review.Review) ([]reviewedProof, error) {
	if len(found.Access) == 0 {
		return []reviewedProof{}, nil
	}
	command.Say(x.streams.Err,
		"warning: --prove runs the functions of %s and of %s on this machine, and installs their packages", c.base.Name,
		c.head.Name)
	var requests []trial.Request
	var sent []int
	for i, a := range found.Access {
		if a.AlsoIn == "" && len(requests) < mostProved {
			requests = append(requests, trial.Request{API: a.API, Method: a.Method(), Raw: a.Raw, As: a.As()})
			sent = append(sent, i)
		}
	}
	sides := []*side{{state: c.base}, {state: c.head}}
	// A state that cannot be served says so for each request, and the other one is served all the same.
	var group errgroup.Group
	for _, s := range sides {
		group.Go(func() error {
			s.ask(end.Context, trial.Options{Environment: c.environment, Hurry: end.Hurry}, requests)
			return nil
		})
	}
	_ = group.Wait()
	if err := end.Context.Err(); err != nil {
		return nil, err
	}
	proofs := make([]reviewedProof, len(found.Access))
	for i, a := range found.Access {
		proofs[i] = unsent(a)
	}
	for at, i := range sent {
		proofs[i] = proofOf(found.Access[i], sides[0].answer(at), sides[1].answer(at))
	}
	return proofs, nil
}

// ask serves the state and sends the requests.
func (s *side) ask(ctx context.Context, o trial.Options, requests []trial.Request) {
	none := func(why string) { s.all = &trial.Answer{Refused: true, Why: why} }
	switch {
	case s.state.Deployment == nil:
		none("there is no project")
		return
	case o.Environment != "" && s.state.Layout().Defines(model.KindEnvironment) &&
		s.state.Project.Backend.Environment(o.Environment) == nil:
		none("there is no environment " + phrase.Quote(o.Environment))
		return
	case s.state.Sources != nil:
		s.all = &trial.Answer{Err: fmt.Errorf("the sources of %s are not on this machine", s.state.Name)}
		return
	}
	answers, err := trial.Answers(ctx, s.state.Project, o, requests)
	if err != nil {
		s.all = &trial.Answer{Err: fmt.Errorf("%s cannot be served: %w", s.state.Name, err)}
	}
	s.answers = answers
}

func (s *side) answer(at int) trial.Answer {
	if at < len(s.answers) {
		return s.answers[at]
	}
	return *s.all
}

// proofOf compares the answers to the example of a difference with what it says.
func proofOf(a review.Access, before, after trial.Answer) reviewedProof {
	p := proofFor(a)
	p.Before, p.After = answerWords(before), answerWords(after)
	p.Proved = before.Err == nil && after.Err == nil && before.Refused == a.Gained && after.Refused == !a.Gained
	word := "proved: "
	if !p.Proved {
		word = "not proved: "
	}
	p.Text = word + a.Example() + " by " + a.ByWhom() + ": " + p.Before + " before, " + p.After + " now"
	return p
}

// unsent is the proof of a difference whose example was not sent.
func unsent(a review.Access) reviewedProof {
	p := proofFor(a)
	why := fmt.Sprintf("not sent: only %d requests are", mostProved)
	if a.AlsoIn != "" {
		why = "not sent: no request can be signed for a member of two groups; ask with: " + a.Command()
	}
	p.Before, p.After = why, why
	p.Text = "not proved: " + a.Example() + " by " + a.ByWhom() + ": " + why
	return p
}

func proofFor(a review.Access) reviewedProof {
	return reviewedProof{API: a.API, Method: a.Method(), Request: a.Raw, As: a.As()}
}

// answerWords says what was answered: "200", "403 (path /books is private...)".
func answerWords(a trial.Answer) string {
	switch {
	case a.Err != nil:
		return "no response (" + command.OneLine(a.Err.Error()) + ")"
	case a.Refused && a.Status == 0:
		return "refused (" + command.OneLine(a.Why) + ")"
	case a.Refused:
		return "403"
	}
	if a.Status == 403 {
		return "403 of the function itself"
	}
	return fmt.Sprint(a.Status)
}

// writeProofs writes what the sandboxes answered.
func (r reviewReport) writeProofs(b *strings.Builder, width int, paint command.Palette) {
	if len(r.Proofs) == 0 {
		return
	}
	b.WriteString("sent to both states\n")
	for _, p := range r.Proofs {
		color := paint.Good
		if !p.Proved {
			color = paint.Bad
		}
		b.WriteString(color(command.Folded("  ", p.Text, width)))
	}
}

// proofSection is the part of the comment about them.
func (r reviewReport) proofSection() section {
	s := section{title: "**Sent to both states**"}
	for _, p := range r.Proofs {
		s.entries = append(s.entries, "- "+code(p.Text)+"\n")
	}
	return s
}
