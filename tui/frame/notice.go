package frame

import (
	"reflect"
	"time"

	tea "charm.land/bubbletea/v2"

	"gatewright/internal/text/prose"
	"gatewright/tui/layout"
	"gatewright/tui/theme"
)

// Notice is what the header of every page says, whatever page is in front. The zero value says
// nothing.
type Notice struct {
	// Parts are shown in a row, and Short in their place in a window without room for them.
	Parts []prose.Line
	Short prose.Line
}

// noticed is the notice that the header shows, and how it is found out.
type noticed struct {
	Notice
	// poll finds it out, outside Update; nil for none. It is asked by one goroutine at a time.
	poll func() Notice
	// asking says that poll runs, again that it has to run once more then.
	asking, again bool
	took          time.Duration
}

// The first notice waits until the first page has read what it shows; later ones are looked for
// as often as files are.
const (
	firstNotice = 300 * time.Millisecond
	noticePace  = 2 * time.Second
)

// LookForNotice has the frame find out now what its header has to say.
func LookForNotice() tea.Cmd {
	return inFrame(func(m *Model, _ owner) tea.Cmd { return m.lookForNotice() })
}

// startNotices looks for the first notice, and from then on again after beats of the pulse.
func (m *Model) startNotices() tea.Cmd {
	switch {
	case m.notice.poll == nil:
		return nil
	case !m.live:
		return m.lookForNotice()
	}
	return after(firstNotice, func(m *Model, _ owner) tea.Cmd { return m.keepLooking() })
}

// keepLooking looks for a notice now, and again after a while: the longer, the longer it took.
func (m *Model) keepLooking() tea.Cmd {
	pause := Watch{Every: noticePace}.pause(m.notice.took)
	return tea.Batch(m.lookForNotice(),
		m.context.Pulse.after(pause, time.Now(), 0, func(m *Model, _ owner) tea.Cmd {
			m.quiet = true
			return m.keepLooking()
		}))
}

// lookForNotice looks for a notice now.
func (m *Model) lookForNotice() tea.Cmd {
	poll := m.notice.poll
	switch {
	case poll == nil:
		return nil
	case m.notice.asking:
		m.notice.again = true
		return nil
	}
	m.notice.asking = true
	return func() tea.Msg {
		began := time.Now()
		found := poll()
		took := time.Since(began)
		return frameMsg(func(m *Model, _ owner) tea.Cmd {
			again := m.notice.again
			m.quiet = reflect.DeepEqual(found, m.notice.Notice)
			m.notice.Notice, m.notice.took, m.notice.asking, m.notice.again = found, took, false, false
			if again {
				return m.lookForNotice()
			}
			return nil
		})
	}
}

// readsOnly is what the header says if nothing can be changed.
const readsOnly = "read-only"

// mostViewer is how many cells the viewer has in a window with little room.
const mostViewer = 20

// remarks are what the right end of the header says: as whom the pages look, the notice, that
// the screens only read, and whether work is kept. They are short if they have no room in w cells.
func (m *Model) remarks(t *theme.Theme, w int) string {
	const between = "  "
	viewer := m.context.Viewer
	parts, as, text, drawn := m.notice.Parts, " as "+viewer.Name()+" ", "", ""
	for _, brief := range []bool{false, true} {
		if brief {
			parts, as = []prose.Line{m.notice.Short}, " as "+layout.Cut(viewer.Short(), mostViewer)+" "
		}
		text, drawn = "", ""
		add := func(before string, line prose.Line) {
			if line.Text == "" {
				return
			}
			if text == "" {
				before = ""
			}
			text += before + line.Text
			drawn += t.Header.Render(before) + t.InHeader(line.Tone).Render(line.Text)
		}
		if viewer != nil {
			text, drawn = as, t.Viewer.Render(as)
		}
		for i, part := range parts {
			if i > 0 {
				add(", ", part)
			} else {
				add(between, part)
			}
		}
		if m.readOnly {
			add(between, prose.Line{Tone: prose.Note, Text: readsOnly})
		}
		add(between, prose.Line{Text: m.kept()})
		if layout.Width(text) <= w {
			break
		}
	}
	if text == "" {
		return ""
	}
	return drawn + t.Header.Render(" ")
}
