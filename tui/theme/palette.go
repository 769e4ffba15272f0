package theme

import (
	"image/color"

	"charm.land/lipgloss/v2"
)

// palette is the colours of one theme; foreground and background are nil where
// the window keeps the terminal's own.
type palette struct {
	text, muted, disabled, line, raised color.Color
	accent, selected, selectedText      color.Color
	bad, warning, note, good            color.Color
	foreground, background              color.Color
}

func dark() palette {
	return palette{
		text:         lipgloss.Color("#d8dee9"),
		muted:        lipgloss.Color("#9aa5b8"),
		disabled:     lipgloss.Color("#8590a3"),
		line:         lipgloss.Color("#5b6577"),
		raised:       lipgloss.Color("#2b3240"),
		accent:       lipgloss.Color("#7cc7ff"),
		selected:     lipgloss.Color("#23547a"),
		selectedText: lipgloss.Color("#ffffff"),
		bad:          lipgloss.Color("#ff7b86"),
		warning:      lipgloss.Color("#f2c063"),
		note:         lipgloss.Color("#b9a5ff"),
		good:         lipgloss.Color("#8fd694"),
	}
}

func light() palette {
	return palette{
		text:         lipgloss.Color("#1f2733"),
		muted:        lipgloss.Color("#525d6e"),
		disabled:     lipgloss.Color("#646e7d"),
		line:         lipgloss.Color("#8a94a3"),
		raised:       lipgloss.Color("#dfe5ee"),
		accent:       lipgloss.Color("#0057a8"),
		selected:     lipgloss.Color("#b9dcff"),
		selectedText: lipgloss.Color("#0b1a2b"),
		bad:          lipgloss.Color("#b00020"),
		warning:      lipgloss.Color("#7a4f00"),
		note:         lipgloss.Color("#5b35a8"),
		good:         lipgloss.Color("#1a6b2a"),
	}
}

// highContrast brings its own black background. Its colours are told apart by
// people who see red and green alike: blue and orange stand for added and removed.
func highContrast() palette {
	return palette{
		text:         lipgloss.Color("#ffffff"),
		muted:        lipgloss.Color("#e0e0e0"),
		disabled:     lipgloss.Color("#b8b8b8"),
		line:         lipgloss.Color("#ffffff"),
		raised:       lipgloss.Color("#000000"),
		accent:       lipgloss.Color("#ffff00"),
		selected:     lipgloss.Color("#ffff00"),
		selectedText: lipgloss.Color("#000000"),
		bad:          lipgloss.Color("#ff9e3d"),
		warning:      lipgloss.Color("#ffff00"),
		note:         lipgloss.Color("#ffffff"),
		good:         lipgloss.Color("#6fc3ff"),
		foreground:   lipgloss.Color("#ffffff"),
		background:   lipgloss.Color("#000000"),
	}
}
