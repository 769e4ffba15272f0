package command

import (
	"strings"
	"testing"
)

// Colours are found by a character that a text may have too.
func TestColoredTextIsPrintedAsItIsWhateverItHas(t *testing.T) {
	t.Parallel()
	p := Palette{colors: true}
	text := "a\x00b " + p.Bad("x\x00y\nz") + p.Muted("m") + " 31 \x00" + p.Good("g") + p.Warning("w") + p.Strong("s") + p.Wider("W")
	var out strings.Builder
	if err := PrintColored(&out, text); err != nil || out.String() != strings.ReplaceAll(text, "\x00", "") {
		t.Errorf("%q (%v)", out.String(), err)
	}
}
