package frame

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"gatewright/internal/text/prose"
	"gatewright/tui/layout"
)

// headerOf is the first line of a window.
func headerOf(m *Model) string {
	first, _, _ := strings.Cut(ansi.Strip(m.View().Content), "\n")
	return strings.TrimRight(first, " ")
}

func TestTheHeaderOfEveryPageSaysTheNotice(t *testing.T) {
	t.Parallel()
	s := start(t, "none", 80, 24)
	found := Notice{Parts: []prose.Line{{Tone: prose.Bad, Text: "! 1 error"}, {Tone: prose.Warning, Text: "3 warnings"}}, Short: prose.Line{Tone: prose.Bad, Text: "! 4"}}
	s.model.notice.poll = func() Notice { return found }
	s.run(LookForNotice())
	if got := headerOf(s.model); !strings.HasSuffix(got, "! 1 error, 3 warnings") {
		t.Errorf("the header is %q", got)
	}
	s.run(Go(listRoute{"others"}))
	s.model.readOnly = true
	if got := headerOf(s.model); !strings.Contains(got, "List of others ") || !strings.HasSuffix(got, " ! 1 error, 3 warnings  read-only") {
		t.Errorf("the header of another page is %q", got)
	}
	found = Notice{}
	s.run(LookForNotice())
	if got := headerOf(s.model); !strings.HasSuffix(got, "read-only") || strings.Contains(got, "error") {
		t.Errorf("with nothing to say the header is %q", got)
	}
}

func TestTheNoticeIsShortWhereTitlesNeedTheRoom(t *testing.T) {
	t.Parallel()
	s := start(t, "none", 60, 15)
	s.model.readOnly = true
	s.model.notice.Notice = Notice{Parts: []prose.Line{{Tone: prose.Bad, Text: "! 12 errors"}, {Tone: prose.Warning, Text: "103 warnings"}}, Short: prose.Line{Tone: prose.Bad, Text: "! 12"}}
	for _, title := range []string{"items", strings.Repeat("long ", 4), strings.Repeat("very long ", 10)} {
		s.model.history.front().title = title
		got := headerOf(s.model)
		if layout.Width(got) > 60 || !strings.HasSuffix(got, "! 12  read-only") && !strings.HasSuffix(got, "! 12 errors, 103 warnings  read-only") {
			t.Errorf("with the title %q the header is %q", title, got)
		}
	}
}

func TestANoticeIsLookedForAgainIfThatWasAskedMeanwhile(t *testing.T) {
	t.Parallel()
	s := start(t, "none", 60, 15)
	polls := 0
	s.model.notice.poll = func() Notice { polls++; return Notice{} }
	first := s.model.lookForNotice()
	if second := s.model.lookForNotice(); second != nil {
		t.Error("two look at the same time")
	}
	s.run(first)
	if polls != 2 {
		t.Errorf("it was looked for %d times", polls)
	}
}
