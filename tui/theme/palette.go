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
	bad, warning, note, good            color.Color
	foreground, background              color.Color
}

// paletteOf is the palette of a theme with colours. High contrast has a black background,
// and blue and orange for added and removed, which colour-blind people can distinguish.
func paletteOf(kind Kind) palette {
	of := func(colours ...string) color.Color { return lipgloss.Color(colours[kind]) }
	p := palette{ // in dark, in light, in high contrast
		text:         of("#d8dee9", "#1f2733", "#ffffff"),
		muted:        of("#9aa5b8", "#525d6e", "#e0e0e0"),
		disabled:     of("#8590a3", "#646e7d", "#b8b8b8"),
		line:         of("#5b6577", "#8a94a3", "#ffffff"),
		raised:       of("#2b3240", "#dfe5ee", "#000000"),
		accent:       of("#7cc7ff", "#0057a8", "#ffff00"),
		selected:     of("#23547a", "#b9dcff", "#ffff00"),
		selectedText: of("#ffffff", "#0b1a2b", "#000000"),
		bad:          of("#ff7b86", "#b00020", "#ff9e3d"),
		warning:      of("#f2c063", "#7a4f00", "#ffff00"),
		note:         of("#b9a5ff", "#5b35a8", "#ffffff"),
		good:         of("#8fd694", "#1a6b2a", "#6fc3ff"),
	}
	if kind == HighContrast {
		p.foreground, p.background = lipgloss.Color("#ffffff"), lipgloss.Color("#000000")
	}
	return p
}
