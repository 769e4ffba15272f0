package theme

import (
	"image/color"

	"charm.land/lipgloss/v2"
)

// palette is the colours of a theme; foreground and background are nil if the window
// keeps those of the terminal.
type palette struct {
	text, muted, disabled, line, raised color.Color
	accent, selected, selectedText      color.Color
	// field is behind the text of a text field; nil for what is behind other text.
	field                    color.Color
	bad, warning, note, good color.Color
	// wider is the colour of access that is more open than it was, or than it looks.
	wider color.Color
	// The colours of the actions, and of the methods that they allow.
	create, read, update, remove color.Color
	foreground, background       color.Color
}

// in256 is a palette for terminals with 256 colours: the greys are those of their grey ramp,
// since the nearest colour of a bluish grey is a green one.
func (p palette) in256(kind Kind) palette {
	if kind == HighContrast {
		return p
	}
	of := func(colours ...string) color.Color { return lipgloss.Color(colours[kind]) }
	p.text, p.muted, p.disabled = of("253", "235"), of("247", "240"), of("245", "242")
	p.line, p.raised, p.note = of("240", "248"), of("237", "254"), of("146", "60")
	p.field = p.raised
	return p
}

// sixteen is the palette of a theme for terminals with 16 colours, where the nearest of them
// would make one of several: each meaning has its own.
func sixteen(kind Kind) palette {
	of := func(colours ...string) color.Color { return lipgloss.Color(colours[kind]) }
	p := palette{ // in dark, in light, in high contrast
		text:         of("15", "0", "15"),
		muted:        of("7", "8", "7"),
		disabled:     of("8", "7", "7"),
		line:         of("8", "7", "15"),
		raised:       of("8", "7", "0"),
		accent:       of("14", "4", "11"),
		selected:     of("4", "14", "11"),
		selectedText: of("15", "0", "0"),
		bad:          of("9", "1", "9"),
		warning:      of("11", "3", "11"),
		note:         of("7", "8", "15"),
		good:         of("10", "2", "12"),
		wider:        of("3", "9", "3"),
		create:       of("6", "6", "14"),
		read:         of("12", "12", "6"),
		update:       of("13", "5", "13"),
		remove:       of("5", "13", "5"),
	}
	if kind == HighContrast {
		p.foreground, p.background = lipgloss.Color("15"), lipgloss.Color("0")
	}
	return p
}

// paletteOf is the palette of a theme with colours. High contrast has a black background,
// and blue and orange for added and removed, which colour-blind people can distinguish.
func paletteOf(kind Kind) palette {
	of := func(colours ...string) color.Color { return lipgloss.Color(colours[kind]) }
	p := palette{ // in dark, in light, in high contrast
		text:         of("#d8dee9", "#1f2733", "#ffffff"),
		muted:        of("#9aa5b8", "#525d6e", "#e0e0e0"),
		disabled:     of("#8590a3", "#646e7d", "#b8b8b8"),
		line:         of("#4c566a", "#a3acb9", "#a8a8a8"),
		raised:       of("#2b3240", "#dfe5ee", "#000000"),
		field:        of("#2b3240", "#dfe5ee", "#303030"),
		accent:       of("#7dcfff", "#0057a8", "#ffff00"),
		selected:     of("#23547a", "#b9dcff", "#ffff00"),
		selectedText: of("#ffffff", "#0b1a2b", "#000000"),
		bad:          of("#ff757f", "#b00020", "#ff8787"),
		warning:      of("#f2c063", "#7a4f00", "#ffff00"),
		note:         of("#a9b8d3", "#43556e", "#ffffff"),
		good:         of("#9ece6a", "#1a6b2a", "#6fc3ff"),
		wider:        of("#ff9e64", "#a63c00", "#ffaf00"),
		create:       of("#4fd6be", "#00695c", "#5fffd7"),
		read:         of("#82aaff", "#1d4ed8", "#a8b8ff"),
		update:       of("#c3a6ff", "#6d28d9", "#d7afff"),
		remove:       of("#ff8bd1", "#a8116f", "#ff87d7"),
	}
	if kind == HighContrast {
		p.foreground, p.background = lipgloss.Color("#ffffff"), lipgloss.Color("#000000")
	}
	return p
}
