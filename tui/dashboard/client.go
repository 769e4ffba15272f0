package dashboard

import (
	"errors"
	"io/fs"
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"

	"gatewright/model"
	"gatewright/prose"
	"gatewright/tui/frame"
	"gatewright/tui/layout"
	"gatewright/tui/theme"
)

// clientTab shows the client configuration file: as it is on disk, or as a write
// for the environment would leave it.
type clientTab struct {
	page *Page
	file clientFile
	env  string
	// planned says that the file is shown as it would be.
	planned bool
	// translated says that it is shown in the words of the other dialect.
	translated bool
	// asked is the output that the dialog on top is about, and what was written of
	// it.
	asked outputAsked
}

// title has a mark where the file on disk is not valid.
func (c *clientTab) title() string {
	if disk := c.file.disk; c.file.untold != "" || disk != nil && slices.ContainsFunc(disk.problems, isError) {
		return "Outputs !"
	}
	return "Outputs"
}

func isError(p clientProblem) bool { return p.level == model.Error }

func (c *clientTab) take(s *snapshot) tea.Cmd {
	c.file, c.env = s.client, prose.Fit(s.name())
	c.planned = c.planned && c.file.planned != nil
	return nil
}

// text is what is shown.
func (c *clientTab) text() *clientText {
	text := c.own()
	if c.translated && text != nil && text.other != nil {
		return text.other
	}
	return text
}

// own is what is shown in the words of the project's dialect.
func (c *clientTab) own() *clientText {
	if c.planned && c.file.planned != nil || c.file.disk == nil {
		return c.file.planned
	}
	return c.file.disk
}

func (c *clientTab) entries() []entry {
	text := c.text()
	if text == nil {
		return nil
	}
	entries := make([]entry, len(text.lines))
	for i, line := range text.lines {
		entries[i] = entry{id: strconv.Itoa(i), text: strings.ToLower(line.section + " " + line.text), head: none}
	}
	return entries
}

func (c *clientTab) heading(t *theme.Theme, w int) string {
	style := t.Base
	if c.file.untold != "" {
		style = t.Warning
	}
	return style.Render(layout.Cut(c.summary(), w))
}

// summary says what is shown.
func (c *clientTab) summary() string {
	f := c.file
	own, text := c.own(), c.text()
	line := ""
	switch {
	case own == nil && f.untold != "":
		return f.name
	case own == nil:
		return f.name + " is not there"
	case own == f.planned && f.disk == nil:
		line = f.name + " is not there; a write for " + orNone(c.env) + " makes it so"
	case own == f.planned:
		line = f.name + " as a write for " + orNone(c.env) + " leaves it"
	default:
		line = f.name + " on disk"
		if f.of != "" {
			line += ", of environment " + f.of
		}
		if own.indented {
			line += ", shown indented"
		}
	}
	if text != own {
		line += ", in the words of " + string(text.dialect) + " (" + text.name + ")"
	}
	return line
}

// empty is the summary: it says why there are no lines.
func (c *clientTab) empty() string { return c.summary() }

func orNone(env string) string {
	if env == "" {
		return "no environment"
	}
	return env
}

func (c *clientTab) row(t *theme.Theme, i int, selected bool, w int) string {
	line := c.text().lines[i]
	mark := " "
	if line.problem > 0 {
		mark = "!"
	}
	text := layout.Cut(line.text, max(1, w-len(mark)))
	if selected {
		return t.Selected.Render(mark + text)
	}
	return t.Warning.Render(mark) + colour(t, text)
}

func (c *clientTab) detail(t *theme.Theme, i, w int) []string {
	var lines []string
	add := func(style lipgloss.Style, text string) { lines = append(lines, wrapped(style, text, w)...) }
	problem := func(p clientProblem) { add(p.style(t), p.level.String()+": "+p.text) }
	text := c.text()
	at := 0
	if text != nil && i != none {
		line := text.lines[i]
		if at = line.problem; at > 0 {
			problem(text.problems[at-1])
		}
		if from := c.from(line); from != "" {
			add(t.Note, from)
		}
	}
	if c.file.untold != "" {
		add(t.Warning, c.file.untold)
	}
	if c.file.disk != nil && c.file.planned != nil && !c.planned {
		add(t.Note, "a write for "+orNone(c.env)+" changes it; enter shows how it would be")
	}
	if text != nil {
		for i, p := range text.problems {
			if i != at-1 {
				problem(p)
			}
		}
		if len(text.problems) == 0 {
			add(t.Good, "valid: no problems")
		}
	}
	for _, why := range c.file.waiting {
		add(t.Warning, why)
	}
	return lines
}

// from says where what a line begins with comes from; "" where that cannot be
// told.
func (c *clientTab) from(line clientLine) string {
	switch {
	case c.file.backend == nil || line.pointer == "" || line.pointer == "/$schema":
		return ""
	case line.pointer == "/version":
		return "the version of the file's format"
	case len(line.from) == 0:
		return fit(line.pointer) + " is from elsewhere, and is kept"
	}
	return fit(line.pointer) + " is from " + strings.Join(line.from, " and ")
}

func (p clientProblem) style(t *theme.Theme) lipgloss.Style {
	switch p.level {
	case model.Error:
		return t.Error
	case model.Warning:
		return t.Warning
	}
	return t.Note
}

func (c *clientTab) copied(i int) string { return strings.TrimSpace(c.text().lines[i].text) }

func (c *clientTab) opening(int) frame.Binding {
	b := frame.Binding{Label: "as planned", Help: "show the file as a write for the environment would leave it"}
	switch {
	case c.planned:
		b.Label, b.Help = "as on disk", "show the file as it is on disk"
	case c.file.planned == nil && c.file.disk != nil && c.file.untold == "":
		b.Disabled = "a write would change nothing of it"
	case c.file.planned == nil:
		b.Disabled = "there is no saying what a write would make of it"
	case c.file.disk == nil:
		b.Disabled = "the file is not there yet, and is shown as it would be"
	}
	return b
}

func (c *clientTab) open(i int) (row int, cmd tea.Cmd) {
	c.planned = !c.planned
	return i, nil
}

// unreadable says why a file cannot be read, where it is there.
func unreadable(name string, err error) string {
	if errors.Is(err, fs.ErrNotExist) {
		return ""
	}
	var at *fs.PathError
	if errors.As(err, &at) {
		err = at.Err
	}
	return fit(name + " cannot be read: " + err.Error())
}
