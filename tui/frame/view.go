package frame

import (
	"fmt"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"

	"gatewright/internal/text/prose"
	"gatewright/tui/dialog"
	"gatewright/tui/layout"
	"gatewright/tui/theme"
)

const product = "gatewright"

// View draws the window. The page's text is cached until the page received something.
func (m *Model) View() tea.View {
	if !m.drawn || !m.quiet {
		m.view, m.drawn = m.draw(), true
	}
	return m.view
}

func (m *Model) draw() tea.View {
	v := tea.View{AltScreen: true, WindowTitle: product}
	if t := m.context.Theme; t.Background != nil {
		v.BackgroundColor, v.ForegroundColor = t.Background, t.Foreground
	}
	if m.mouse {
		v.MouseMode = tea.MouseModeCellMotion
	}
	p := m.history.front()
	if p != nil {
		v.WindowTitle = product + ": " + p.title
	}
	if m.layout.TooSmall {
		v.Content = m.tooSmallNotice()
		return v
	}
	body := ""
	if p != nil {
		body = p.draw(m.layout.Body())
	} else {
		body = m.failure()
	}
	t, w := m.context.Theme, m.layout.Size.W
	status := m.status.view(t, w)
	if m.status.text == "" {
		status[0] = m.idleLine(t, w)
	}
	above := len(status) - 1
	if o := m.top(); o != nil {
		body = m.overlay(o.dialog, body, above)
	}
	m.drewQuestion()
	if above > 0 {
		body = layout.Over(body, strings.Join(status[:above], "\n"), 0, m.layout.Main.H-above)
	}
	v.Content = layout.Composed(strings.Join([]string{m.header(t, w), body, status[len(status)-1], m.footer(t, w)}, "\n"))
	if m.ascii {
		v.Content = layout.ASCII(v.Content)
	}
	return v
}

// overlay draws a dialog over the middle of the page's area, above so many lines of the status.
func (m *Model) overlay(d dialog.Dialog, body string, covered int) string {
	area := m.layout.Body()
	area.H -= covered
	box := d.View(m.context.Theme, area.W, area.H)
	w, h := lipgloss.Size(box)
	if w > area.W || h > area.H {
		box, w, h = layout.Clip(box, area.W, min(h, area.H)), min(w, area.W), min(h, area.H)
	}
	return layout.Over(body, box, (area.W-w)/2, (area.H-h)/2)
}

// idleLine is the status line without a text: the running job, or how to select text
// while gatewright has the mouse.
func (m *Model) idleLine(t *theme.Theme, w int) string {
	if r := m.history.front().running(); r != nil {
		return r.draw(t, m.elapsed(r), w)
	}
	if n := m.unseen(); n > 0 {
		return t.Wider.Render(layout.Cut(" "+unseenLines(n), w))
	}
	if m.mouse {
		return t.Muted.Render(layout.Cut(mouseTaken, w))
	}
	return ""
}

// elapsed is how long a job has run; 0 if the model is not live.
func (m *Model) elapsed(r *runningJob) time.Duration {
	if !m.live {
		return 0
	}
	return m.now().Sub(r.began)
}

// tooSmallNotice fills a window that is too small for a page.
func (m *Model) tooSmallNotice() string {
	w, h := m.layout.Size.W, m.layout.Size.H
	lines := []string{
		fmt.Sprintf("needs %dx%d, has %dx%d", layout.MinWidth, layout.MinHeight, w, h),
		"nothing is lost: make the window larger",
		"ctrl+c quits",
	}
	switch {
	case m.asksToQuit():
		lines[2] = "not saved yet: ctrl+c again quits anyway"
	case m.status.text != "":
		lines = append(lines, m.status.line())
	}
	var wrapped []string
	for _, line := range lines {
		wrapped = append(wrapped, layout.Wrap(line, w)...)
	}
	return layout.Clip(strings.Join(wrapped, "\n"), w, h)
}

// failure is the text instead of a page if the first page could not be made.
func (m *Model) failure() string {
	area := m.layout.Body()
	text := "there is no page"
	if m.startErr != nil {
		text = m.startErr.Error()
	}
	lines := layout.Wrap(prose.Printable("error: "+text), area.W)
	return layout.Clip(m.context.Theme.Error.Render(strings.Join(lines, "\n")), area.W, area.H)
}
