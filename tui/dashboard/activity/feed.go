package activity

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"gatewright/deploy"
	"gatewright/prose"
	"gatewright/sandbox"
	"gatewright/sandbox/function"
	"gatewright/sandbox/logs"
	"gatewright/tui/dashboard/board"
	"gatewright/tui/frame"
	"gatewright/tui/layout"
)

// happening is one thing that happened: in the sandbox, or in a push of this run.
// Its texts are fit for the screen.
type happening struct {
	at          time.Time
	environment string
	// what is the word for its kind.
	what, text string
	tone       prose.Tone
}

// mostHappened is how many of them are shown.
const mostHappened = 300

func lastOf(all []happening) []happening { return all[max(0, len(all)-mostHappened):] }

// codeWord is the word of a code that the cloud would send to somebody.
const codeWord = "code"

// row is the happening as one line.
func (h happening) row() row {
	environment, whatW := cmp.Or(h.environment, "-"), len("definition")
	text := fmt.Sprintf("%s  %s  %s  %s", h.at.Local().Format("15:04:05"), layout.Pad(environment, len("dev")), layout.Pad(layout.Cut(h.what, whatW), whatW), h.text)
	return row{
		id: fmt.Sprint("feed\x00", h.at.UnixNano(), h.environment, h.text), level: 1, before: "  ", line: prose.Line{Tone: h.tone, Text: text}, copied: h.text,
		said: []prose.Line{{Tone: h.tone, Text: h.text}, {Tone: prose.Muted, Text: h.what + " in environment " + environment + ", " + h.at.Local().Format("2006-01-02 15:04:05")}},
	}
}

// happenedTo is an event of the sandbox that this program runs.
func happenedTo(e sandbox.Event, at time.Time) happening {
	h := happening{at: at, environment: prose.Short(e.Environment), what: prose.Short(e.Kind), text: prose.Short(e.Text)}
	if e.Function != "" {
		h.text = "function " + prose.Short(e.Function) + ": " + h.text
	}
	switch e.Kind {
	case deploy.LiveProblem, function.EventCrash, function.EventStopped:
		h.tone = prose.Bad
	case function.EventWarning, sandbox.EventTable, sandbox.EventSchedule, sandbox.EventPool:
		h.what, h.tone = "warning", prose.Warning
	case sandbox.EventCode:
		h.what, h.tone = codeWord, prose.Strong
	case deploy.LiveListening:
		h.tone = prose.Good
	}
	return h
}

// pushedThis is an event of a push.
func pushedThis(environment string, e deploy.Event, at time.Time) happening {
	h := happening{at: at, environment: prose.Short(environment), what: "push", text: prose.Short(e.Kind.String() + " " + e.String())}
	switch e.Kind {
	case deploy.Warned:
		h.what, h.text, h.tone = "warning", prose.Short(e.String()), prose.Warning
	case deploy.Noted:
		h.text = prose.Short(e.String())
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
		h := happening{at: l.Time, environment: prose.Short(l.Environment), text: prose.Short(l.Text)}
		first, _, _ := strings.Cut(strings.TrimSpace(l.Text), "\n")
		ofFunction := "function " + prose.Short(l.Function) + ": " + prose.Short(first)
		failed := l.Level == logs.Error || l.Level == logs.Fatal
		switch {
		case l.Function == logs.Identity:
			h.what, h.tone = codeWord, prose.Strong
		case l.Function == logs.Gateway && failed:
			h.what, h.tone = "error", prose.Bad
		case l.Function == logs.Gateway:
			h.what, h.tone = "refused", prose.Warning
		case failed:
			h.what, h.text, h.tone = "error", ofFunction, prose.Bad
		case l.Request == "" && l.Level == logs.Platform && !strings.HasPrefix(l.Text, "REPORT "):
			h.what, h.text = "sandbox", ofFunction
		default:
			continue
		}
		feed = append(feed, h)
	}
	return lastOf(feed)
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
	return lastOf(all)
}

// mostWaiting is how many events wait for the page.
const mostWaiting = 1000

// listen waits for what a push, or the sandbox of this program, tells next. With ended
// nothing more comes; err says why a sandbox could not serve.
func (t *Tab) listen(box *board.Inbox[happening]) tea.Cmd {
	return func() tea.Msg {
		events, ended, err := box.Take()
		return frame.ThenMsg(func() tea.Cmd {
			cmds := make([]tea.Cmd, 0, 2)
			if !ended {
				cmds = append(cmds, t.listen(box))
			}
			if t.live != nil && t.live.box == box {
				cmds = append(cmds, t.takeLive(events, ended, err))
			} else if ended {
				// A push has ended: all pages read what it changed.
				cmds = append(cmds, t.board.Written())
			}
			t.own = lastOf(append(t.own, events...))
			t.layOut()
			return tea.Batch(cmds...)
		})
	}
}

// sayNewCodes says the codes that the logs tell of and did not before. What was there
// when the sandbox was first asked is not new, and the sandbox of this program tells
// of its codes itself.
func (t *Tab) sayNewCodes() tea.Cmd {
	if t.said.IsZero() {
		t.said = t.board.Sandbox.At
		return nil
	}
	fresh := codesSince(t.said, t.logged)
	for _, h := range fresh {
		if h.at.After(t.said) {
			t.said = h.at
		}
	}
	if t.live != nil {
		return nil
	}
	return sayCodes(fresh)
}

// codesSince are the codes among what happened after a time.
func codesSince(since time.Time, all []happening) []happening {
	return slices.DeleteFunc(slices.Clone(all), func(h happening) bool { return h.what != codeWord || !h.at.After(since) })
}

// sayCodes shows the last of some codes in the status line.
func sayCodes(codes []happening) tea.Cmd {
	if len(codes) == 0 {
		return nil
	}
	before := len(codes) - 1
	text := codes[before].text
	if of := codes[before].environment; of != "" {
		text = of + ": " + text
	}
	if before > 0 {
		text += fmt.Sprintf(" (and %d before it: see Activity)", before)
	}
	return frame.Say(frame.Info, "%s", text)
}
