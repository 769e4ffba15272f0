package dashboard

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"gatewright/deploy"
	"gatewright/sandbox"
	"gatewright/sandbox/function"
	"gatewright/sandbox/logs"
	"gatewright/tui/layout"
)

// happening is one thing that happened: in the sandbox, or in a push of this run.
// Its texts are fit for the screen.
type happening struct {
	at          time.Time
	environment string
	// what is the word for its kind.
	what, text string
	tone       tone
}

// mostHappened is how many of them are shown.
const mostHappened = 300

// whatW is the width of the widest word.
const whatW = len("definition")

// row is the happening as one line.
func (h happening) row() string {
	environment := orDash(h.environment)
	return h.at.Local().Format("15:04:05") + gap + cell(environment, max(layout.Width(environment), len("dev"))) + gap + cell(h.what, whatW) + gap + h.text
}

// codeWord is the word of a code that the cloud would send to somebody.
const codeWord = "code"

// happenedTo is an event of the sandbox that this program runs.
func happenedTo(e sandbox.Event, at time.Time) happening {
	h := happening{at: at, environment: fit(e.Environment), what: fit(e.Kind), text: fit(e.Text)}
	if e.Function != "" {
		h.text = "function " + fit(e.Function) + ": " + h.text
	}
	switch e.Kind {
	case deploy.LiveProblem, function.EventCrash, function.EventStopped:
		h.tone = bad
	case function.EventWarning, sandbox.EventTable, sandbox.EventSchedule, sandbox.EventPool:
		h.what, h.tone = "warning", warning
	case sandbox.EventCode:
		h.what, h.tone = codeWord, strong
	case deploy.LiveListening:
		h.tone = good
	}
	return h
}

// pushedThis is an event of a push.
func pushedThis(environment string, e deploy.Event, at time.Time) happening {
	h := happening{at: at, environment: fit(environment), what: "push", text: fit(e.Kind.String() + " " + e.String())}
	switch e.Kind {
	case deploy.Warned:
		h.what, h.text, h.tone = "warning", fit(e.String()), warning
	case deploy.Noted:
		h.text = fit(e.String())
	}
	return h
}

// feedOf is what lines tell of: what the gateway refused and why, the codes of the
// user pools, what failed in a function, and what the sandbox said of one.
func feedOf(lines []logs.Line) []happening {
	var feed []happening
	// What the gateway says of a function's fault is in both logs.
	said := make(map[string]bool)
	for _, l := range lines {
		if l.Function == logs.Gateway {
			said[l.Text] = true
		}
	}
	for _, l := range lines {
		if l.Function != logs.Gateway && said[l.Text] {
			continue
		}
		h := happening{at: l.Time, environment: fit(l.Environment), text: fit(l.Text)}
		first, _, _ := strings.Cut(strings.TrimSpace(l.Text), "\n")
		switch {
		case l.Function == logs.Identity:
			h.what, h.tone = codeWord, strong
		case l.Function == logs.Gateway && isFailure(l.Level):
			h.what, h.tone = "error", bad
		case l.Function == logs.Gateway:
			h.what, h.tone = "refused", warning
		case isFailure(l.Level):
			h.what, h.text, h.tone = "error", "function "+fit(l.Function)+": "+fit(first), bad
		case l.Request == "" && l.Level == logs.Platform && !strings.HasPrefix(l.Text, "REPORT "):
			h.what, h.text = "sandbox", "function "+fit(l.Function)+": "+fit(first)
		default:
			continue
		}
		feed = append(feed, h)
	}
	return lastOf(feed, mostHappened)
}

// merged are two lists of happenings in the order of their times. What both tell
// within a few seconds stands there once.
func merged(own, logged []happening) []happening {
	const near = 5 * time.Second
	told := make(map[string]time.Time, len(own))
	for _, h := range own {
		told[h.environment+"\x00"+h.text] = h.at
	}
	all := slices.Clone(own)
	for _, h := range logged {
		if at, ok := told[h.environment+"\x00"+h.text]; ok && h.at.Sub(at).Abs() < near {
			continue
		}
		all = append(all, h)
	}
	slices.SortStableFunc(all, func(a, b happening) int { return cmp.Compare(a.at.UnixNano(), b.at.UnixNano()) })
	return lastOf(all, mostHappened)
}
