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
	"gatewright/tui/frame"
	"gatewright/tui/layout"
	"gatewright/tui/theme"
)

// clientTab shows the client configuration file: as it is on disk, or as a write
// for the environment would leave it.
type clientTab struct {
	file clientFile
	env  string
	// planned says that the file is shown as it would be.
	planned bool
}

// title has a mark where the file on disk is not valid.
func (c *clientTab) title() string {
	if disk := c.file.disk; c.file.untold != "" || disk != nil && slices.ContainsFunc(disk.problems, isError) {
		return "Client file !"
	}
	return "Client file"
}

func isError(p clientProblem) bool { return p.level == model.Error }

func (c *clientTab) take(s *snapshot) tea.Cmd {
	c.file, c.env = s.client, frame.Plain(s.name())
	c.planned = c.planned && c.file.planned != nil
	return nil
}

// text is what is shown.
func (c *clientTab) text() *clientText {
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
	text := c.text()
	switch {
	case text == nil && f.untold != "":
		return f.name
	case text == nil:
		return f.name + " is not there"
	case text == f.planned && f.disk == nil:
		return f.name + " is not there; a write for " + orNone(c.env) + " makes it so:"
	case text == f.planned:
		return f.name + " as a write for " + orNone(c.env) + " leaves it"
	}
	line := f.name + " on disk"
	if f.of != "" {
		line += ", of environment " + f.of
	}
	if text.indented {
		line += ", shown indented"
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
	if line.problem {
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
	text := c.text()
	if c.file.untold != "" {
		add(t.Warning, c.file.untold)
	}
	if c.file.disk != nil && c.file.planned != nil && !c.planned {
		add(t.Note, "a write for "+orNone(c.env)+" changes it; enter shows how it would be")
	}
	if text != nil && i != none {
		if from := c.file.from(text.lines[i].section); from != "" {
			add(t.Muted, from)
		}
	}
	if text != nil {
		for _, problem := range text.problems {
			add(problem.style(t), problem.level.String()+": "+problem.text)
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

// from says where a section of the file comes from; "" where that is no section,
// or cannot be told.
func (f clientFile) from(section string) string {
	known, ok := model.ClientFile.Field(section)
	switch from := f.origins[section]; {
	case f.origins == nil || !ok || known.Type == model.StringField:
		return ""
	case len(from) == 0:
		return "section " + section + " is from elsewhere, and is kept"
	default:
		return "section " + section + " is from " + strings.Join(from, " and ")
	}
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
