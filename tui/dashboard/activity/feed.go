package activity

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"gatewright/deploy/contract"
	"gatewright/internal/clock"
	"gatewright/internal/text/prose"
	"gatewright/sandbox"
	"gatewright/sandbox/function"
	"gatewright/sandbox/live"
	"gatewright/sandbox/logs"
	"gatewright/tui/frame"
	"gatewright/tui/layout"
)

// entry is an event of the sandbox, or of a push of this program. Its texts are safe for the
// screen.
type entry struct {
	at          time.Time
	environment string
	// kind is the word for what happened.
	kind, text string
	tone       prose.Tone
}

// mostEntries is how many entries are shown.
const mostEntries = 300

func lastOf(all []entry) []entry { return all[max(0, len(all)-mostEntries):] }

// codeWord is the kind of an entry with a code that Cognito would send to a user.
const codeWord = "code"

// row is the row of an entry.
func (h entry) row() row {
	environment, kindW := cmp.Or(h.environment, "-"), len("definition")
	text := fmt.Sprintf("%s  %s  %s  %s", clock.Second(h.at), layout.Pad(environment, len("dev")),
		layout.Pad(layout.Cut(h.kind, kindW), kindW), h.text)
	return row{
		id: fmt.Sprint("feed\x00", h.at.UnixNano(), h.environment, h.text), title: h.kind, level: 1, before: "  ",
		line: prose.Line{Tone: h.tone, Text: text}, copied: h.text,
		detail: []prose.Line{
			{Tone: h.tone, Text: h.text},
			{Tone: prose.Muted, Text: h.kind + " in environment " + environment + ", " + clock.Moment(h.at)},
		},
	}
}

// sandboxEntry is the entry of an event of the sandbox that this program runs.
func sandboxEntry(e sandbox.Event, at time.Time) entry {
	h := entry{
		at: at, environment: prose.PrintableStart(e.Environment), kind: prose.PrintableStart(e.Kind),
		text: prose.PrintableStart(e.Text),
	}
	if e.Function != "" {
		h.text = "function " + prose.PrintableStart(e.Function) + ": " + h.text
	}
	switch e.Kind {
	case live.Problem, sandbox.EventDamage, function.EventCrash, function.EventStopped:
		h.tone = prose.Bad
	case function.EventWarning, sandbox.EventTable, sandbox.EventSchedule, sandbox.EventTrigger, sandbox.EventPool,
		sandbox.EventCloud, sandbox.EventContract:
		h.kind, h.tone = "warning", prose.Warning
	case sandbox.EventCode:
		h.kind, h.tone = codeWord, prose.Strong
	case live.Listening:
		h.tone = prose.Good
	}
	return h
}

// pushEntry is the entry of an event of a push.
func pushEntry(environment string, e contract.Event, at time.Time) entry {
	h := entry{
		at: at, environment: prose.PrintableStart(environment), kind: "push",
		text: prose.PrintableStart(e.Kind.String() + " " + e.String()),
	}
	switch e.Kind {
	case contract.Warned:
		h.kind, h.text, h.tone = "warning", prose.PrintableStart(e.String()), prose.Warning
	case contract.Noted:
		h.text = prose.PrintableStart(e.String())
	}
	return h
}

// entriesOf finds entries in log lines: refused requests and why, codes of the user pools,
// errors in functions, and what the sandbox says about a function.
func entriesOf(lines []logs.Line) []entry {
	var feed []entry
	// The gateway's line about a failed function is in both logs.
	ofGateway := make(map[string]bool)
	for _, l := range lines {
		if l.Function == logs.Gateway {
			ofGateway[l.Text] = true
		}
	}
	for _, l := range lines {
		if l.Function != logs.Gateway && ofGateway[l.Text] {
			continue
		}
		h := entry{at: l.Time, environment: prose.PrintableStart(l.Environment), text: prose.PrintableStart(l.Text)}
		first, _, _ := strings.Cut(strings.TrimSpace(l.Text), "\n")
		ofFunction := "function " + prose.PrintableStart(l.Function) + ": " + prose.PrintableStart(first)
		failed := l.Level == logs.Error || l.Level == logs.Fatal
		switch {
		case l.Function == logs.Identity:
			h.kind, h.tone = codeWord, prose.Strong
		case l.Function == logs.Gateway && failed:
			h.kind, h.tone = "error", prose.Bad
		case l.Function == logs.Gateway:
			h.kind, h.tone = "refused", prose.Warning
		case failed:
			h.kind, h.text, h.tone = "error", ofFunction, prose.Bad
		case l.Request == "" && l.Level == logs.Platform && !strings.HasPrefix(l.Text, "REPORT "):
			h.kind, h.text = "sandbox", ofFunction
		default:
			continue
		}
		feed = append(feed, h)
	}
	return lastOf(feed)
}

// merge merges two lists of entries by time. An entry that is in both within a few seconds is
// kept once.
func merge(own, logged []entry) []entry {
	const near = 5 * time.Second
	seen := make(map[string]time.Time, len(own))
	for _, h := range own {
		seen[h.environment+"\x00"+h.text] = h.at
	}
	all := slices.Clone(own)
	for _, h := range logged {
		if at, ok := seen[h.environment+"\x00"+h.text]; ok && h.at.Sub(at).Abs() < near {
			continue
		}
		all = append(all, h)
	}
	slices.SortStableFunc(all, func(a, b entry) int { return cmp.Compare(a.at.UnixNano(), b.at.UnixNano()) })
	return lastOf(all)
}

// inboxSize is how many entries may wait for the page.
const inboxSize = 1000

// listen waits for the next entries of a push, or of the sandbox of this program.
func (t *Tab) listen(box *frame.Inbox[entry]) tea.Cmd {
	return func() tea.Msg {
		events, ended, err := box.Take()
		return frame.ThenMsg(func() tea.Cmd {
			cmds := make([]tea.Cmd, 0, 2)
			if !ended {
				cmds = append(cmds, t.listen(box))
			}
			if t.live != nil && t.live.box == box {
				cmds = append(cmds, t.handleLive(events, ended, err))
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

// sayNewCodes shows new codes from the logs in the status line. Codes from before the sandbox
// was first asked are not new; handleLive shows those of the sandbox of this program.
func (t *Tab) sayNewCodes() tea.Cmd {
	if t.codesShown.IsZero() {
		t.codesShown = t.board.Sandbox.At
		return nil
	}
	fresh := codesSince(t.codesShown, t.logged)
	for _, h := range fresh {
		if h.at.After(t.codesShown) {
			t.codesShown = h.at
		}
	}
	if t.live != nil {
		return nil
	}
	return sayCodes(fresh)
}

// codesSince are the entries with codes after a time.
func codesSince(since time.Time, all []entry) []entry {
	return slices.DeleteFunc(slices.Clone(all), func(h entry) bool { return h.kind != codeWord || !h.at.After(since) })
}

// sayCodes shows the last of the codes in the status line.
func sayCodes(codes []entry) tea.Cmd {
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
