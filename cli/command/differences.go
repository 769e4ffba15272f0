package command

import (
	"strings"

	"gatewright/internal/prove"
)

// WriteDifferences writes who may send more or fewer requests than before, and what else leads to
// functions, a line each, and what could not be decided.
func WriteDifferences(
	b *strings.Builder, all []prove.Difference, doors []prove.Door, undecided []string, width int, paint Palette,
) {
	for _, d := range doors {
		b.WriteString(paint.Wider(Folded("  ", "▲ "+d.String(), width)))
	}
	for _, d := range all {
		switch line := d.String(); d.Direction {
		case prove.More:
			b.WriteString(paint.Wider(Folded("  ", "▲ "+line, width)))
		case prove.Less:
			b.WriteString(Folded("  ", "▼ "+line, width))
		default:
			b.WriteString(Folded("  ", line, width))
		}
	}
	for _, text := range undecided {
		b.WriteString(Folded("  ", "not known: "+text, width))
	}
}
