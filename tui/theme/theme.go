// Package theme names the styles that screens draw with. A screen asks for what
// a text means, never for a colour, and never tells a state by a style alone: a
// word or a glyph stands beside it.
package theme

import (
	"image/color"

	"charm.land/lipgloss/v2"

	"gatewright/prose"
)

// Kind is which of the themes.
type Kind int

// The themes.
const (
	Dark Kind = iota
	Light
	HighContrast
	// None has no colour at all: bold, faint, reverse, underline and
	// strikethrough only.
	None
)

// String is the name that Parse reads.
func (k Kind) String() string {
	switch k {
	case Light:
		return "light"
	case HighContrast:
		return "high-contrast"
	case None:
		return "none"
	default:
		return "dark"
	}
}

// Parse reads the name of a theme; false where there is none of that name.
// "auto" is none: what the terminal answers decides it.
func Parse(name string) (Kind, bool) {
	for _, kind := range []Kind{Dark, Light, HighContrast, None} {
		if kind.String() == name {
			return kind, true
		}
	}
	return Dark, false
}

// Theme is one style for each meaning. None of them sets a width, a margin or a
// padding. Screens share a theme by pointer and do not change it.
type Theme struct {
	Kind Kind
	// Foreground and Background are those of the window; nil leaves the
	// terminal's own, so that a person's transparency and contrast are kept.
	Foreground, Background color.Color

	Base  lipgloss.Style // ordinary text
	Muted lipgloss.Style // text that may be overlooked
	// Accent draws the eye to a name or a number, Title to a heading.
	Accent lipgloss.Style
	Title  lipgloss.Style
	// Header is the first line of the window.
	Header lipgloss.Style

	Selected lipgloss.Style // the line of a list that the cursor is on
	Cursor   lipgloss.Style // the cell of a text field that the cursor is on
	Disabled lipgloss.Style // what cannot be chosen now
	Field    lipgloss.Style // text in a text field
	// Placeholder is the example in an empty text field.
	Placeholder lipgloss.Style
	Match       lipgloss.Style // what a filter found

	Error   lipgloss.Style
	Warning lipgloss.Style
	Note    lipgloss.Style
	Good    lipgloss.Style

	Added   lipgloss.Style // a line that a diff adds
	Removed lipgloss.Style // a line that a diff removes
	Changed lipgloss.Style // the header of a hunk of a diff

	Key     lipgloss.Style // a key in the footer and in the help
	KeyText lipgloss.Style // what the key does

	Border        lipgloss.Style // lines around what has no focus
	BorderFocused lipgloss.Style // lines around what has the focus

	Button        lipgloss.Style // a button of a dialog
	ButtonFocused lipgloss.Style // the button that enter presses
}

// New makes the theme of a kind.
func New(kind Kind) *Theme {
	switch kind {
	case Light:
		return coloured(Light, light())
	case HighContrast:
		return coloured(HighContrast, highContrast())
	case None:
		return colourless()
	default:
		return coloured(Dark, dark())
	}
}

// coloured makes a theme of a palette. Attributes repeat what the colours say
// wherever a terminal of few colours could show two of them alike.
func coloured(kind Kind, p palette) *Theme {
	plain := lipgloss.NewStyle()
	if p.background != nil {
		plain = plain.Background(p.background)
	}
	base := plain.Foreground(p.text)
	return &Theme{
		Kind:          kind,
		Foreground:    p.foreground,
		Background:    p.background,
		Base:          base,
		Muted:         plain.Foreground(p.muted),
		Accent:        plain.Foreground(p.accent),
		Title:         plain.Foreground(p.accent).Bold(true),
		Header:        plain.Foreground(p.text).Background(p.raised),
		Selected:      plain.Foreground(p.selectedText).Background(p.selected).Bold(true),
		Cursor:        plain.Reverse(true),
		Disabled:      plain.Foreground(p.disabled),
		Field:         base,
		Placeholder:   plain.Foreground(p.disabled),
		Match:         plain.Foreground(p.accent).Underline(true),
		Error:         plain.Foreground(p.bad).Bold(true),
		Warning:       plain.Foreground(p.warning),
		Note:          plain.Foreground(p.note),
		Good:          plain.Foreground(p.good),
		Added:         plain.Foreground(p.good),
		Removed:       plain.Foreground(p.bad),
		Changed:       plain.Foreground(p.note),
		Key:           plain.Foreground(p.accent).Bold(true),
		KeyText:       plain.Foreground(p.muted),
		Border:        plain.Foreground(p.line),
		BorderFocused: plain.Foreground(p.accent),
		Button:        base,
		ButtonFocused: plain.Foreground(p.selectedText).Background(p.selected).Bold(true),
	}
}

// colourless makes the theme None.
func colourless() *Theme {
	plain := lipgloss.NewStyle()
	bold, faint, reverse := plain.Bold(true), plain.Faint(true), plain.Reverse(true)
	return &Theme{
		Kind:          None,
		Base:          plain,
		Muted:         plain,
		Accent:        bold,
		Title:         bold,
		Header:        reverse,
		Selected:      reverse,
		Cursor:        reverse,
		Disabled:      faint,
		Field:         plain,
		Placeholder:   faint,
		Match:         plain.Underline(true),
		Error:         bold,
		Warning:       bold,
		Note:          plain,
		Good:          plain,
		Added:         bold,
		Removed:       faint,
		Changed:       plain.Underline(true),
		Key:           bold,
		KeyText:       plain,
		Border:        faint,
		BorderFocused: plain,
		Button:        plain,
		ButtonFocused: reverse.Bold(true),
	}
}

// Of is the style of a tone of prose.
func (t *Theme) Of(tone prose.Tone) lipgloss.Style {
	switch tone {
	case prose.Muted:
		return t.Muted
	case prose.Strong:
		return t.Accent
	case prose.Title:
		return t.Title
	case prose.Good:
		return t.Good
	case prose.Warning:
		return t.Warning
	case prose.Bad:
		return t.Error
	case prose.Note:
		return t.Note
	case prose.Added:
		return t.Added
	case prose.Removed:
		return t.Removed
	case prose.Changed:
		return t.Changed
	}
	return t.Base
}
