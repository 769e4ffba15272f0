package widget_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gatewright/tui/keys"
	"gatewright/tui/widget"
)

// TestTheHelpListsTheKeysOfTextsWhole has the keys that fields take by themselves: a list that
// lacks one would not be missed elsewhere.
func TestTheHelpListsTheKeysOfTextsWhole(t *testing.T) {
	t.Parallel()
	for name, of := range map[string]struct {
		keys []keys.Binding
		want string
	}{
		"text": {widget.TextKeys(), `←, ctrl+b: left: a character to the left
→, ctrl+f: right: a character to the right
alt+left, ctrl+left, alt+b: word left: a word to the left
alt+right, ctrl+right, alt+f: word right: a word to the right
home, ctrl+a: begin: to the beginning of the line
end, ctrl+e: end: to the end of the line
backspace, ctrl+h: delete: delete the character before the cursor
delete, ctrl+d: delete next: delete the character at the cursor
alt+backspace, ctrl+w: delete word: delete the word before the cursor
alt+delete, alt+d: delete next word: delete the word after the cursor
ctrl+u: delete before: delete all before the cursor
ctrl+k: delete after: delete all after the cursor`},
		"area": {widget.AreaKeys()[len(widget.TextKeys()):], `↑, ctrl+p: up: a line up
↓, ctrl+n: down: a line down
pgup: page up: a page up
pgdn: page down: a page down
ctrl+home, alt+<: first: to the beginning of the text
ctrl+end, alt+>: last: to the end of the text
enter: new line: begin a line, indented as this one
tab: indent: two spaces`},
		"list": {widget.ListKeys()[len(widget.TextKeys()):], `enter: new line: begin another entry`},
	} {
		var lines []string
		for _, b := range of.keys {
			lines = append(lines, b.KeyNames()+": "+b.Label()+": "+b.Describe())
		}
		got := strings.Join(lines, "\n")
		if difference := cmp.Diff(of.want, got); difference != "" {
			t.Errorf("the keys of the %s differ (-want +got):\n%s", name, difference)
		}
	}
}
