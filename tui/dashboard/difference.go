package dashboard

import (
	"strings"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"

	"gatewright/model"
	"gatewright/tui/theme"
)

// compared is the difference of the files of a resource, as lines.
type compared struct {
	of *Page
	// asked is the reading that the files are of.
	asked    int
	resource model.Ref
	lines    []string
}

// open unfolds the resource of a row, or folds it again.
func (s *statusTab) open(i int) (row int, cmd tea.Cmd) {
	at := s.lines[i].of
	r := s.status.Resources[at]
	s.unfolded[r.Of] = !s.unfolded[r.Of]
	if s.unfolded[r.Of] && s.diffs[r.Of] == nil {
		cmd = s.compare(at)
	}
	s.layOut()
	for row = range s.lines {
		if s.lines[row] == (statusLine{resourceLine, at, s.lines[row].text}) {
			break
		}
	}
	return row, cmd
}

// compare makes the difference of a resource's files, away from Update.
func (s *statusTab) compare(at int) tea.Cmd {
	page, asked, r := s.page, s.page.answered, s.status.Resources[at]
	never := s.status.Deployed == nil
	return func() tea.Msg {
		msg := compared{of: page, asked: asked, resource: r.Of}
		switch {
		case r.Operation == model.NoChange:
			msg.lines = []string{"nothing differs from what was pushed"}
		case never:
			msg.lines = []string{"nothing was pushed that it could be compared with"}
		case len(r.Files) == 0:
			msg.lines = []string{"no file of it differs"}
		default:
			for line := range strings.Lines(r.Diff()) {
				msg.lines = append(msg.lines, fit(strings.TrimRight(line, "\r\n")))
			}
		}
		return msg
	}
}

// compareAgain makes the differences of what stays unfolded after a reading.
func (s *statusTab) compareAgain() tea.Cmd {
	var cmds []tea.Cmd
	for i, r := range s.status.Resources {
		if s.unfolded[r.Of] {
			cmds = append(cmds, s.compare(i))
		}
	}
	return tea.Batch(cmds...)
}

// takeDiff shows a difference that was made.
func (s *statusTab) takeDiff(msg compared) {
	s.diffs[msg.resource] = msg.lines
	s.layOut()
}

// diffStyle is that of a line of a unified diff.
func diffStyle(t *theme.Theme, line string) lipgloss.Style {
	switch {
	case strings.HasPrefix(line, "+"):
		return t.Added
	case strings.HasPrefix(line, "-"):
		return t.Removed
	case strings.HasPrefix(line, "@"):
		return t.Changed
	}
	return t.Muted
}

// handle takes a difference that was made.
func (s *statusTab) handle(msg tea.Msg) (tea.Cmd, bool) {
	c, ok := msg.(compared)
	if !ok || c.of != s.page {
		return nil, false
	}
	if c.asked == s.page.answered {
		s.takeDiff(c)
	}
	return nil, true
}
