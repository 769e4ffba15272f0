package frame

import (
	"fmt"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"

	"gatewright/prose"
	"gatewright/tui/dialog"
	"gatewright/tui/layout"
	"gatewright/tui/theme"
)

// product is what the header begins with.
const product = "gatewright"

// View draws the window. What the page drew is kept, and made again when that got
// anything.
func (m *Model) View() tea.View {
	v := tea.View{AltScreen: true, WindowTitle: product}
	if t := m.context.Theme; t.Background != nil {
		v.BackgroundColor, v.ForegroundColor = t.Background, t.Foreground
	}
	if m.mouse {
		v.MouseMode = tea.MouseModeCellMotion
	}
	k := m.history.front()
	if k != nil {
		v.WindowTitle = product + ": " + k.title
	}
	if m.layout.TooSmall {
		v.Content = m.notice()
		return v
	}
	body := ""
	if k != nil {
		body = k.view(m.layout.Body())
	} else {
		body = m.failure()
	}
	if o := m.top(); o != nil {
		body = m.under(o.dialog, body)
		o.seen(m.now())
	}
	t, w := m.context.Theme, m.layout.Size.W
	status := m.status.view(t, w)
	if m.status.text == "" {
		status[0] = m.quietLine(t, w)
	}
	if above := len(status) - 1; above > 0 {
		body = layout.Over(body, strings.Join(status[:above], "\n"), 0, m.layout.Main.H-above)
	}
	v.Content = strings.Join([]string{m.header(t, w), body, status[len(status)-1], m.footer(t, w)}, "\n")
	return v
}

// under draws a dialog in the middle of the page's area.
func (m *Model) under(d dialog.Dialog, body string) string {
	area := m.layout.Body()
	box := d.View(m.context.Theme, area.W, area.H)
	w, h := lipgloss.Size(box)
	if w > area.W || h > area.H {
		box, w, h = layout.Clip(box, area.W, min(h, area.H)), min(w, area.W), min(h, area.H)
	}
	return layout.Over(body, box, (area.W-w)/2, (area.H-h)/2)
}

// quietLine is the status line while nothing is said in it: what runs, or how text is
// selected while the mouse is taken.
func (m *Model) quietLine(t *theme.Theme, w int) string {
	if r := m.history.front().runs(); r != nil {
		return r.draw(t, m.elapsed(r), w)
	}
	if m.mouse {
		return t.Muted.Render(layout.Cut(mouseTaken, w))
	}
	return ""
}

// elapsed is how long a job has run; nothing where nothing depends on the clock.
func (m *Model) elapsed(r *running) time.Duration {
	if !m.live {
		return 0
	}
	return m.now().Sub(r.began)
}

// notice stands in a window that is too small for a page.
func (m *Model) notice() string {
	w, h := m.layout.Size.W, m.layout.Size.H
	lines := []string{
		fmt.Sprintf("needs %dx%d, has %dx%d", layout.MinWidth, layout.MinHeight, w, h),
		"nothing is lost: make the window larger",
		"ctrl+c quits",
	}
	switch {
	case m.asksToQuit():
		lines[2] = "not saved yet: ctrl+c again quits without"
	case m.status.text != "":
		lines = append(lines, m.status.line())
	}
	var wrapped []string
	for _, line := range lines {
		wrapped = append(wrapped, layout.Wrap(line, w)...)
	}
	return layout.Clip(strings.Join(wrapped, "\n"), w, h)
}

// failure stands where no page could be made.
func (m *Model) failure() string {
	area := m.layout.Body()
	text := "there is no page"
	if m.failed != nil {
		text = m.failed.Error()
	}
	lines := layout.Wrap(prose.Printable("error: "+text), area.W)
	return layout.Clip(m.context.Theme.Error.Render(strings.Join(lines, "\n")), area.W, area.H)
}
