package inspect

import (
	"strings"

	"gatewright/cli/command"
	"gatewright/project/review"
)

// reviewedProof is a request that was sent to both states.
type reviewedProof struct {
	Request string `json:"request"`
	Proved  bool   `json:"proved"`
	Text    string `json:"text"`
}

func (x *reviewCommand) proofs(_ *command.Interrupt, _ *compared, _ *review.Review) ([]reviewedProof, error) {
	return nil, nil
}

// writeProofs writes what the sandboxes answered.
func (r reviewReport) writeProofs(b *strings.Builder, width int, paint command.Palette) {
	if len(r.Proofs) == 0 {
		return
	}
	b.WriteString("proofs\n")
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
