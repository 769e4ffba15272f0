// Package theme names the styles of the screens. A style is named for the meaning of a text, not for a
// colour. Screens never show a state by a style alone, but by a word or a glyph too.
package theme

import (
	"image/color"
	"slices"

	"charm.land/lipgloss/v2"

	"gatewright/internal/text/prose"
	"gatewright/model/access"
)

// Kind names a theme.
type Kind int

// The themes.
const (
	Dark Kind = iota
	Light
	HighContrast
	// None has no colours, only bold, faint, reverse, underline and strikethrough.
	None
)

// names are the names that Parse reads.
var names = [...]string{Dark: "dark", Light: "light", HighContrast: "high-contrast", None: "none"}

// String is the name that Parse reads.
func (k Kind) String() string { return names[k] }

// Parse reads the name of a theme; false for any other name. "auto" is not a theme: the
// terminal's background decides it.
func Parse(name string) (Kind, bool) {
	i := slices.Index(names[:], name)
	return Kind(max(i, 0)), i >= 0
}

// Theme has a style for each meaning. None of them sets a width, margin or padding.
// Screens share a theme and do not change it.
type Theme struct {
	Kind Kind
	// Foreground and Background are the colours of the window; nil keeps those of the
	// terminal, with a person's own contrast and transparency.
	Foreground, Background color.Color

	Base  lipgloss.Style // ordinary text
	Muted lipgloss.Style // less important text
	// Accent emphasizes a name or a number, Title a heading.
	Accent lipgloss.Style
	Title  lipgloss.Style
	// Header is the first line of the window, Product the name of the program in it.
	Header  lipgloss.Style
	Product lipgloss.Style
	// Viewer is in the header, too: as whom the screens look.
	Viewer lipgloss.Style

	Selected lipgloss.Style // the line of a list that the cursor is on
	Cursor   lipgloss.Style // the cell of a text field that the cursor is on
	Disabled lipgloss.Style // a choice that is not available
	// Field is text in a text field, and the room for more. Placeholder is the example in an
	// empty one.
	Field       lipgloss.Style
	Placeholder lipgloss.Style
	Match       lipgloss.Style // what a filter found

	Error   lipgloss.Style
	Warning lipgloss.Style
	Note    lipgloss.Style
	Good    lipgloss.Style

	// Wider is access that is more open than it was, or than it looks. Its sign is ▲.
	Wider lipgloss.Style
	// Fresh is what has just changed, for a moment. It stands out in the row of the cursor, too.
	Fresh lipgloss.Style
	// Create, Read, Update and Delete are the actions, and the methods that they allow.
	Create, Read, Update, Delete lipgloss.Style

	Added   lipgloss.Style // a line that a diff adds
	Removed lipgloss.Style // a line that a diff removes
	Changed lipgloss.Style // the header of a hunk of a diff
	Updated lipgloss.Style // what exists already and becomes another

	Key     lipgloss.Style // a key in the footer and in the help
	KeyText lipgloss.Style // what the key does

	PaneTitle     lipgloss.Style // title of a pane without the focus
	Border        lipgloss.Style // border of a pane without the focus
	BorderFocused lipgloss.Style // border of the pane with the focus

	Button        lipgloss.Style // a button of a dialog
	ButtonFocused lipgloss.Style // the button that enter presses
}

// Depth is how many colours a terminal has.
type Depth int

// The depths.
const (
	TrueColour Depth = iota
	Colours256
	Colours16
)

// New makes a theme for terminals with all colours. Bold and underline repeat some
// differences of colour for terminals with few colours.
func New(kind Kind) *Theme { return NewFor(kind, TrueColour) }

// NewFor makes a theme for terminals with a number of colours.
func NewFor(kind Kind, depth Depth) *Theme {
	switch {
	case kind == None:
		return newTheme(kind, palette{})
	case depth == Colours16:
		return newTheme(kind, sixteen(kind))
	case depth == Colours256:
		return newTheme(kind, paletteOf(kind).in256(kind))
	}
	return newTheme(kind, paletteOf(kind))
}

func newTheme(kind Kind, p palette) *Theme {
	plain := lipgloss.NewStyle()
	if p.background != nil {
		plain = plain.Background(p.background)
	}
	in := func(c color.Color) lipgloss.Style { return plain.Foreground(c) }
	bold, faint, reverse, underlined := plain.Bold(true), plain.Faint(true), plain.Reverse(true), plain.Underline(true)
	field := func(c color.Color) lipgloss.Style {
		if p.field == nil {
			return in(c)
		}
		return in(c).Background(p.field)
	}
	chosen := in(p.selectedText).Background(p.selected).Bold(true)
	t := &Theme{Kind: kind, Foreground: p.foreground, Background: p.background}
	for _, row := range []struct {
		style                *lipgloss.Style
		coloured, colourless lipgloss.Style
	}{
		{&t.Base, in(p.text), plain},
		{&t.Muted, in(p.muted), plain},
		{&t.Accent, in(p.accent), bold},
		{&t.Title, in(p.accent).Bold(true), bold},
		{&t.Header, in(p.text).Background(p.raised), reverse},
		{&t.Product, chosen, reverse.Bold(true)},
		{&t.Viewer, in(p.accent).Bold(true).Reverse(true), bold.Underline(true)},
		{&t.Selected, chosen, reverse},
		{&t.Cursor, reverse, reverse},
		{&t.Disabled, in(p.disabled), faint},
		{&t.Field, field(p.text), plain},
		{&t.Placeholder, field(p.muted), faint},
		{&t.Match, in(p.accent).Underline(true), underlined},
		{&t.Error, in(p.bad).Bold(true), bold},
		{&t.Warning, in(p.warning), bold},
		{&t.Note, in(p.note), plain},
		{&t.Good, in(p.good), plain},
		{&t.Wider, in(p.wider).Bold(true), bold},
		{&t.Fresh, in(p.text).Reverse(true), bold.Underline(true)},
		{&t.Create, in(p.create), plain},
		{&t.Read, in(p.read), plain},
		{&t.Update, in(p.update), plain},
		{&t.Delete, in(p.remove), plain},
		{&t.Added, in(p.good), bold},
		{&t.Removed, in(p.bad), faint},
		{&t.Changed, in(p.note), underlined},
		{&t.Updated, in(p.update), plain},
		{&t.Key, in(p.accent).Bold(true), bold},
		{&t.KeyText, in(p.muted), plain},
		{&t.PaneTitle, in(p.muted), plain},
		{&t.Border, in(p.line), faint},
		{&t.BorderFocused, in(p.accent), plain},
		{&t.Button, in(p.text), plain},
		{&t.ButtonFocused, chosen, reverse.Bold(true)},
	} {
		*row.style = row.coloured
		if kind == None {
			*row.style = row.colourless
		}
	}
	return t
}

// InHeader is the style of a tone in the header.
func (t *Theme) InHeader(tone prose.Tone) lipgloss.Style {
	of := t.Of(tone)
	style := t.Header.Bold(of.GetBold())
	if t.Kind != None && tone != prose.Plain {
		style = style.Foreground(of.GetForeground())
	}
	return style
}

// Action is the style of an action and of its methods; Base for a word that is none of them.
func (t *Theme) Action(action access.Action) lipgloss.Style {
	switch action {
	case access.Create:
		return t.Create
	case access.Read:
		return t.Read
	case access.Update:
		return t.Update
	case access.Delete:
		return t.Delete
	}
	return t.Base
}

// Of is the style of a tone of prose.
func (t *Theme) Of(tone prose.Tone) lipgloss.Style {
	return *[...]*lipgloss.Style{
		prose.Plain: &t.Base, prose.Muted: &t.Muted, prose.Strong: &t.Accent, prose.Title: &t.Title,
		prose.Good: &t.Good, prose.Warning: &t.Warning, prose.Bad: &t.Error, prose.Note: &t.Note,
		prose.Added: &t.Added, prose.Removed: &t.Removed, prose.Changed: &t.Changed, prose.Updated: &t.Updated,
		prose.Code: &t.Base, prose.Wider: &t.Wider, prose.Fresh: &t.Fresh,
	}[tone]
}
