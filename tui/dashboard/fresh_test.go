package dashboard

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"gatewright/tui/frame"
	"gatewright/tui/viewer"
)

// shopFile is a definition in which signed-in users may do something under each of some paths.
func shopFile(actions ...string) string {
	var all []string
	for i, may := range actions {
		name := fmt.Sprintf("/p%d", i)
		all = append(all, fmt.Sprintf(`%q: {"name": %q, "lambdaFunction": "f", "permissions": {"setting": "private", "auth": [%s]}}`, name, name, may))
	}
	return `{"version": 1, "paths": {` + strings.Join(all, ",") + `}}`
}

// bright is what stands out in a window without colours, without spaces, and as whom one looks.
func (w *window) bright() string {
	all := ""
	for _, found := range regexp.MustCompile(`\x1b\[1;4;4m(.*?)\x1b`).FindAllStringSubmatch(w.Model.View().Content, -1) {
		all += strings.ReplaceAll(found[1], " ", "")
	}
	return strings.TrimPrefix(all, "asguests")
}

func TestAnEditFromOutsideStandsOutOnceWhereItChangedSomething(t *testing.T) {
	t.Parallel()
	dir := paths(t, 1)
	now := time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)
	const read, more = `"read"`, `"read","update"`
	for name, want := range map[string]string{"map": "·RU·", "access": "·RU·", "apis": "signed-inusers:read,update"} {
		put(t, apiFile(dir), shopFile(read, read, read))
		w := opened(t, dir, 120, 24).to(name)
		w.page.board.Now = func() time.Time { return now }
		again := func() { w.tell(w.page.board.Read) }
		rests := func(when string) {
			t.Helper()
			if got := w.bright(); got != "" {
				t.Errorf("%s: %s %q stands out", name, when, got)
			}
		}
		rests("at first")
		again()
		rests("when nothing changed")
		put(t, apiFile(dir), shopFile(read, more, read))
		again()
		if got := w.bright(); got != want {
			t.Errorf("%s: %q stands out, want %q", name, got, want)
		}
		w.press("?", "esc")
		now = now.Add(time.Second - time.Millisecond)
		if w.tell(func() tea.Cmd { return nil }); w.bright() != want {
			t.Errorf("%s: after almost a second %q stands out", name, w.bright())
		}
		now = now.Add(time.Millisecond)
		w.tell(func() tea.Cmd { return nil })
		unchanged := opened(t, dir, 120, 24).to(name).press("?", "esc")
		if w.Model.View().Content != unchanged.Model.View().Content || w.page.board.Move() != nil {
			t.Errorf("%s: when it is over the window shows\n%s\nwant\n%s", name, w.Model.View().Content, unchanged.Model.View().Content)
		}
		// Another tab, as whom one looks, and what is folded change nothing.
		w.press("5").to(name)
		rests("on coming back")
		w.Run(frame.LookAs(&viewer.Viewer{}))
		again()
		rests("as somebody else")
		w.press("z", "z")
		rests("folded")
		if w.page.board.Move() != nil {
			t.Errorf("%s: there are frames", name)
		}
	}
}
