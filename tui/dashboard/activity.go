package dashboard

import (
	"fmt"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"gatewright/project"
	"gatewright/tui/frame"
	"gatewright/tui/layout"
	"gatewright/tui/theme"
)

// activityTab shows what happens: what a push would do, the pushes of all
// environments, and what the sandbox says as it comes.
type activityTab struct {
	page   *Page
	status statusTab
	env    *environment
	pushes []pushOf
	// own is what this program's sandbox and its pushes told, feed that and what the
	// logs tell, the oldest first.
	own, feed []happening
	observed  *observed
	// said is the time up to which codes were said in the status line; zero before
	// the sandbox was asked.
	said time.Time
	// follows says that the cursor goes with the last row.
	follows bool
	// live is the sandbox that this program runs; nil for none.
	live *live
	// freePort is the port that a dialog offers.
	freePort int
	pushing  pushAsked
	lines    []activityLine
	rows     []entry
}

// activityLine is a row: one of the list that its part says.
type activityLine struct {
	part activityPart
	i    int
}

type activityPart uint8

const (
	statusPart activityPart = iota
	headPart
	pushPart
	feedPart
)

// The heads of the lists below the status.
const (
	pushesHead = iota
	sandboxHead
)

// pushOf is the last push of an environment.
type pushOf struct {
	environment, when, stack string
	endpoints                []string
	at                       time.Time
}

func newActivityTab(p *Page) *activityTab {
	return &activityTab{page: p, status: statusTab{page: p}}
}

func (a *activityTab) title() string {
	if n := a.status.changes(); n > 0 {
		return fmt.Sprintf("Activity (%d)", n)
	}
	return "Activity"
}

func (a *activityTab) take(s *snapshot) tea.Cmd {
	cmd := a.status.take(s)
	a.env, a.pushes = s.env, nil
	for _, e := range s.environments {
		a.pushes = append(a.pushes, lastPush(e))
	}
	// The latest first, those that never were in the order of their names.
	slices.SortStableFunc(a.pushes, func(x, y pushOf) int { return y.at.Compare(x.at) })
	a.layOut()
	return cmd
}

func lastPush(e environment) pushOf {
	push := pushOf{environment: fit(e.Name), when: e.pushed()}
	if e.record == nil {
		return push
	}
	push.at, push.stack = e.record.Deployed, fit(e.record.Stack)
	for _, endpoint := range e.record.APIs {
		push.endpoints = append(push.endpoints, fit(endpoint.API+" "+endpoint.URL))
	}
	return push
}

// observe takes what the sandbox said, and says the codes that are new to whoever
// looks at the dashboard, whatever tab that is.
func (a *activityTab) observe(o *observed) tea.Cmd {
	a.observed = o
	a.layOutFeed()
	if a.said.IsZero() {
		a.said = o.at
		return nil
	}
	var codes []happening
	for _, h := range o.feed {
		if h.what == codeWord && h.at.After(a.said) {
			codes = append(codes, h)
			a.said = h.at
		}
	}
	// The sandbox of this program tells of its codes itself.
	if a.live != nil {
		return nil
	}
	return sayCodes(codes)
}

// sayCodes shows the last of the codes.
func sayCodes(codes []happening) tea.Cmd {
	if len(codes) == 0 {
		return nil
	}
	last := codes[len(codes)-1]
	text := last.text
	if last.environment != "" {
		text = last.environment + ": " + text
	}
	if more := len(codes) - 1; more > 0 {
		text += fmt.Sprintf(" (and %d before it: see Activity)", more)
	}
	return frame.Say(frame.Info, "%s", text)
}

// tell adds what this program did itself.
func (a *activityTab) tell(all []happening) {
	a.own = lastOf(append(a.own, all...), mostHappened)
	a.layOutFeed()
}

// layOutFeed makes the rows again, with the cursor on the last one where that is
// followed.
func (a *activityTab) layOutFeed() {
	var logged []happening
	if a.observed != nil {
		logged = a.observed.feed
	}
	a.feed = merged(a.own, logged)
	at := a.page.place("activity")
	if at == none {
		a.layOut()
		return
	}
	l := &a.page.lists[at]
	wasLast := a.follows && l.row() == len(a.lines)-1
	a.layOut()
	if wasLast {
		l.set(a.rows)
		l.toRow(len(a.lines) - 1)
	}
}

// layOut makes the rows.
func (a *activityTab) layOut() {
	a.lines, a.rows = nil, nil
	if a.page.snap == nil {
		return
	}
	for i, row := range a.status.entries() {
		a.lines = append(a.lines, activityLine{statusPart, i})
		a.rows = append(a.rows, row)
	}
	a.head(pushesHead, "pushes")
	head := len(a.rows) - 1
	for i, p := range a.pushes {
		a.lines = append(a.lines, activityLine{pushPart, i})
		a.rows = append(a.rows, entry{id: "push\x00" + p.environment, text: strings.ToLower("push " + p.row()), head: head})
	}
	a.head(sandboxHead, "sandbox")
	head = len(a.rows) - 1
	for i, h := range a.feed {
		a.lines = append(a.lines, activityLine{feedPart, i})
		a.rows = append(a.rows, entry{
			id:   fmt.Sprint("feed\x00", h.at.UnixNano(), h.environment, h.text),
			text: strings.ToLower(h.what + " " + h.environment + " " + h.text), head: head,
		})
	}
}

func (a *activityTab) head(which int, name string) {
	a.lines = append(a.lines, activityLine{headPart, which})
	a.rows = append(a.rows, entry{id: "head\x00" + name, text: name, head: none})
}

func (a *activityTab) entries() []entry { return a.rows }

func (a *activityTab) heading(t *theme.Theme, w int) string { return a.status.heading(t, w) }

func (a *activityTab) empty() string { return a.status.empty() }

// row is the push as one line.
func (p pushOf) row() string {
	text := p.environment + gap + p.when
	if p.stack != "" {
		text += gap + "stack " + p.stack
	}
	return text
}

// headText says what stands below it.
func (a *activityTab) headText(which int) string {
	if which == pushesHead {
		if len(a.pushes) == 0 {
			return "pushes: " + project.ErrNoEnvironments.Error()
		}
		return "pushes, the last of each environment"
	}
	return a.sandboxState()
}

// sandboxState says in words what is known of the sandbox.
func (a *activityTab) sandboxState() string {
	o := a.observed
	switch {
	case a.live != nil && a.live.ending():
		return "the sandbox of this program is ending"
	case a.live != nil && a.live.address == "":
		return "the sandbox is being started here"
	case a.live != nil:
		return "sandbox running at " + a.live.address + ", here, since " + a.live.begun.Local().Format("15:04:05") + "; s ends it"
	case o == nil:
		return "looking for a sandbox ..."
	case o.err != "":
		return "! a sandbox runs, and cannot be asked: " + o.err
	case o.running:
		return fmt.Sprintf("sandbox running at %s, process %d, since %s", o.address(), o.status.PID, moment(o.status.Started))
	}
	return "no sandbox runs; s starts it here"
}

func (a *activityTab) row(t *theme.Theme, i int, selected bool, w int) string {
	line := a.lines[i]
	text, style := "", t.Base
	switch line.part {
	case statusPart:
		return a.status.row(t, line.i, selected, w)
	case headPart:
		text, style = a.headText(line.i), t.Title
	case pushPart:
		text = "  " + a.pushes[line.i].row()
	case feedPart:
		h := a.feed[line.i]
		text, style = "  "+h.row(), h.tone.style(t)
	}
	if selected {
		style = t.Selected
	}
	return style.Render(layout.Cut(text, w))
}
