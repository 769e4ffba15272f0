package layout

import "strings"

// ascii has a character of ASCII for each character of the screens that is not of it. All
// of them take one cell.
var ascii = strings.NewReplacer(
	"╭", "+", "╮", "+", "╯", "+", "╰", "+", "┌", "+", "┐", "+", "┘", "+", "└", "+", "├", "+", "┤", "+", "┬", "+", "┴", "+",
	"┼", "+",
	"┏", "#", "┓", "#", "┛", "#", "┗", "#", "─", "-", "━", "=", "│", "|", "┃", "#",
	"▌", ">", "▐", "<", "▲", "^", "▼", "v", "▸", ">", "▾", "v", "●", "*", "○", "o", "✓", "x", "·", ".", "…", "~", "›", ">",
	"‹", "<", "≠", "!",
	"▶", ">", "╞", "|", "═", "=", "╌", ".", "▤", "#", "ƒ", "f", "◇", "o", "▮", "|", "▯", "o", "◌", "o", "✗", "x", "█", "#",
	"←", "<", "→", ">", "↑", "^", "↓", "v", "⚠", "!",
	"▬", "-", "▒", ":",
)

// ASCII replaces the line characters and the signs of a drawn text by characters of ASCII,
// for terminals that have no others. Names keep their characters.
func ASCII(text string) string { return ascii.Replace(text) }
