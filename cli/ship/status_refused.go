package ship

import (
	"fmt"
	"strings"
	"time"

	"gatewright/cli/command"
	"gatewright/deploy"
	"gatewright/deploy/contract"
	"gatewright/model"
	"gatewright/project"
)

// refusalsOf are the reasons for which a push of an environment would be refused, a line each.
// was is what is deployed; nil for nothing.
func refusalsOf(p *project.Project, env *model.Environment, was *model.Backend) []string {
	texts := []string{}
	refusal := deploy.WouldRefuse(contract.Target{Project: p, Environment: env, Now: time.Now()}, was)
	if refusal == nil {
		return texts
	}
	for _, reason := range refusal.Reasons {
		texts = append(texts, reason.Error())
	}
	return texts
}

// pushRefusedText is the section about why a push would be refused: all reasons, or the first
// few.
func (r statusReport) pushRefusedText(all bool, width int) string {
	if len(r.Refused) == 0 {
		return ""
	}
	const most = 6
	var b strings.Builder
	b.WriteString("a push would be refused\n")
	for i, text := range r.Refused {
		if i == most && !all && len(r.Refused) > most+1 {
			fmt.Fprintf(&b, "  and %d more; -v shows them\n", len(r.Refused)-most)
			break
		}
		b.WriteString(command.Folded("  ", text, width))
	}
	return b.String()
}
