package widget

import (
	"testing"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"gatewright/prose"
	"gatewright/tui/theme"
)

func TestColoursDoNotChangeTheTextOfALine(t *testing.T) {
	th := theme.New(theme.Dark)
	rapid.Check(t, func(t *rapid.T) {
		line := rapid.OneOf(rapid.StringMatching(`[ {}\[\]:,"\\a-c1-3]{0,40}`), rapid.String()).Draw(t, "line")
		if plain := prose.Printable(line); ansi.Strip(JSON(th, plain)) != plain {
			t.Fatalf("%q is drawn as %q", plain, ansi.Strip(JSON(th, plain)))
		}
	})
}
