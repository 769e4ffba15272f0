package frame

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"gatewright/internal/text/prose"
	"gatewright/tui/dialog"
	"gatewright/tui/frame/frametest"
	"gatewright/tui/keys"
	"gatewright/tui/layout"
)

// askingPage opens dialogs with keys, and asks something itself with ctrl+s.
type askingPage struct {
	listPage
	open map[string]func() dialog.Dialog
	asks any
	did  *[]string
}

func (p *askingPage) Asks() any   { return p.asks }
func (p *askingPage) Unseen() int { return 0 }

func (p *askingPage) Bindings() []keys.Binding {
	var all []keys.Binding
	for name, open := range p.open {
		all = append(all, keys.Of(name).Does("open "+name, "", func() tea.Cmd { return Open(open()) }))
	}
	return append(all, keys.Save.Does("write", "", p.does("write")).Shown().Answers(true), keys.Down.Does("move", "", p.does("move")).Shown())
}

// does notes what was done.
func (p *askingPage) does(what string) func() tea.Cmd {
	return keys.NoCmd(func() { *p.did = append(*p.did, what) })
}

// clocked is a screen with a clock that the test moves.
type clocked struct {
	*frametest.Terminal
	page *askingPage
	now  time.Time
	did  []string
}

func openClocked(t *testing.T) *clocked {
	s := &clocked{now: time.Date(2026, 11, 21, 0, 0, 0, 0, time.UTC)}
	s.page = &askingPage{did: &s.did}
	model := New(Options{
		Start: listRoute{"items"}, Theme: "none", Now: func() time.Time { return s.now },
		Make: func(Route) (Page, error) {
			s.page.context, s.page.layout, s.page.log = &Context{}, layout.Layout{}, new([]string)
			return s.page, nil
		},
	})
	s.page.context = model.context
	does, took := s.page.does, func(text string) tea.Cmd {
		s.did = append(s.did, text)
		return nil
	}
	cancel := dialog.Button{Label: "Cancel", Cancel: true, Do: does("cancelled")}
	options := []prose.Option{{Key: "one", Title: "one"}, {Key: "two", Title: "two"}}
	opened := strings.Repeat("▲ guests gain read\n", 60)
	s.page.open = map[string]func() dialog.Dialog{
		"p": func() dialog.Dialog { return dialog.Agree("Push?", "all", "Push", "", does("pushed")) },
		"d": func() dialog.Dialog { return dialog.Sure("Delete?", "it", "Delete", does("deleted")) },
		"enter": func() dialog.Dialog {
			return dialog.Confirm("Go on?", "", dialog.Button{Label: "Go", Do: does("went")}, cancel)
		},
		"t":     func() dialog.Dialog { return dialog.Agree("Guarded", "it", "Push", "ttt", does("typed")) },
		"o":     func() dialog.Dialog { return dialog.Agree("Opens", opened+"end", "Push", "", does("opened")) },
		"c":     func() dialog.Dialog { return dialog.Choose("Which?", options, "", took) },
		"space": func() dialog.Dialog { return dialog.Input("Name", "", nil, took) },
		"x":     func() dialog.Dialog { return dialog.Edit(dialog.Editing{Title: "Text", Take: took}) },
	}
	s.Terminal = frametest.Open(t, model, 80, 24)
	return s
}

// at presses keys, each some time after the one before.
func (s *clocked) at(pause time.Duration, names ...string) *clocked {
	for _, name := range names {
		s.now = s.now.Add(pause)
		s.Keys(name)
	}
	return s
}

// done fails unless exactly that was done.
func (s *clocked) done(t *testing.T, want ...string) {
	t.Helper()
	if got := strings.Join(s.did, " "); got != strings.Join(want, " ") {
		t.Errorf("done is %q, want %q, in\n%s", got, want, s.Screen())
	}
}

const (
	repeat = 33 * time.Millisecond
	rest   = 400 * time.Millisecond
)

func TestNoKeyThatOpensAQuestionAnswersIt(t *testing.T) {
	t.Parallel()
	for name, title := range map[string]string{"p": "Push?", "d": "Delete?", "enter": "Go on?", "t": "Guarded"} {
		s := openClocked(t)
		for range 30 {
			s.at(repeat, name)
		}
		s.Shows(title, "enter …")
		s.done(t)
	}
	for _, name := range []string{"p", "d", "enter"} {
		s := openClocked(t)
		s.at(repeat, name, name).at(rest, name)
		if len(s.did) != 1 {
			t.Errorf("%s does not answer after a pause", name)
		}
	}
}

func TestAQuestionDropsWhatIsTypedBeforeItWakes(t *testing.T) {
	t.Parallel()
	s := openClocked(t)
	s.at(repeat, "t", "t", "t", "t", "enter")
	s.at(rest, "t").at(repeat, "enter")
	s.Shows("the name is not the same")
	s.at(repeat, "t", "t", "enter")
	s.done(t, "typed")

	// A key that moves the focus is dropped too, and wakes nothing.
	s = openClocked(t)
	s.at(repeat, "p", "tab", "enter").at(rest-repeat, "enter").Shows("Push?", "[›Cancel‹]")
	s.at(rest, "tab").at(repeat, "enter")
	s.done(t, "pushed")

	// What was not drawn has been read by nobody, however long it waits.
	s = openClocked(t)
	s.Unseen = true
	s.at(rest, "p").at(2*rest, "p")
	s.done(t)
}

func TestEscAndCtrlCWorkWhileAQuestionSleeps(t *testing.T) {
	t.Parallel()
	s := openClocked(t)
	s.at(repeat, "enter", "esc").Hides("Go on?")
	s.done(t, "cancelled")
	s.at(repeat, "p", "ctrl+c")
	if !s.Quit {
		t.Error("ctrl+c does not quit")
	}
}

func TestAPasteAnswersNoQuestion(t *testing.T) {
	t.Parallel()
	for _, pause := range []time.Duration{repeat, rest} {
		s := openClocked(t)
		s.at(repeat, "t")
		s.now = s.now.Add(pause)
		s.Send(tea.PasteMsg{Content: "ttt\n"})
		s.at(rest, "enter")
		s.done(t)
	}
	s := openClocked(t)
	s.at(repeat, "t")
	s.now = s.now.Add(rest)
	s.Send(tea.PasteMsg{Content: "ttt"})
	s.Shows("pasting does not work here")
}

func TestAQuestionThatComesToTheFrontAgainSleepsAgain(t *testing.T) {
	t.Parallel()
	s := openClocked(t)
	s.at(rest, "p", "tab", "?").Shows("Keys")
	s.at(rest, "enter").at(repeat, "enter", "enter").Shows("Push?")
	s.done(t)
	s.at(rest, "enter")
	s.done(t, "pushed")
}

func TestWhatIsOpenedIsOnlyAgreedToWhenAllOfItWasInView(t *testing.T) {
	t.Parallel()
	s := openClocked(t)
	s.at(rest, "o", "p").Shows("Opens", " 4", " lines with ▲ still unseen")
	s.at(rest, "end", "p").Shows("Opens", "still unseen").Hides("44 lines with ▲ still")
	s.done(t)
	s.at(rest, "home")
	for range 5 {
		s.at(repeat, "pgdown")
	}
	s.Hides("still unseen")
	s.at(repeat, "p")
	s.done(t, "opened")
	// Cancel needs no reading.
	s = openClocked(t)
	s.at(rest, "o", "enter").Hides("Opens")
}

func TestALongMessageCoversNothingOfAQuestion(t *testing.T) {
	t.Parallel()
	s := openClocked(t)
	s.Resize(60, 15)
	opened := ""
	for i := range 9 {
		opened += fmt.Sprintf("▲ guests gain %d\n", i)
	}
	s.page.open["g"] = func() dialog.Dialog { return dialog.Agree("Guarded", opened, "Push", "ttt", s.page.does("pushed")) }
	s.at(rest, "g").at(rest, "t", "t", "t")
	seen := map[string]bool{}
	look := func() {
		for _, line := range regexp.MustCompile(`gain \d`).FindAllString(s.Screen(), -1) {
			seen[line] = true
		}
	}
	for range 9 {
		s.Run(Say(Warn, "%s", strings.Repeat("another terminal changed the files ", 6)))
		s.Shows("warning: another terminal", "Type ttt to push", "› ttt")
		look()
		if s.at(rest, "enter"); len(s.did) > 0 {
			break
		}
		look()
		s.at(rest, "down")
		look()
	}
	if s.done(t, "pushed"); len(seen) != 9 {
		t.Errorf("it is agreed to when %d of 9 lines were seen", len(seen))
	}
}

func TestAPageThatAsksSleepsToo(t *testing.T) {
	t.Parallel()
	s := openClocked(t)
	s.at(repeat, "ctrl+s")
	s.done(t, "write") // nothing is asked
	s.did, s.page.asks = nil, "the first plan"
	s.Send(nil)
	s.Shows("ctrl+s …", "move")
	s.at(120*time.Millisecond, "ctrl+s", "ctrl+s", "down")
	s.done(t, "move")
	s.now = s.now.Add(rest)
	s.Model.(*Model).wakeQuestion(true)
	s.Shows("ctrl+s write")
	s.at(0, "ctrl+s", "ctrl+s")
	s.done(t, "move", "write", "write")
	s.did, s.page.asks = nil, "another plan"
	s.Send(nil)
	s.at(repeat, "ctrl+s")
	s.done(t)
}

func TestAQuestionIsDrawnAgainWhenItWakes(t *testing.T) {
	t.Parallel()
	s := openClocked(t)
	m := s.Model.(*Model)
	if m.wakeQuestion(false) != nil {
		t.Error("a timer runs without a question")
	}
	s.at(repeat, "p")
	if !m.question.timed || m.wakeQuestion(false) != nil {
		t.Error("not exactly one timer runs")
	}
	s.at(rest/2, "p")
	s.now = s.now.Add(rest / 2)
	if m.wakeQuestion(true) == nil {
		t.Error("the timer ends before the question wakes")
	}
	s.now = s.now.Add(rest / 2)
	if m.wakeQuestion(true) != nil || m.question.timed {
		t.Error("the timer does not end")
	}
}

func TestTheKeyThatOpensAListOrAFieldDoesNotAnswerItWhileItIsHeld(t *testing.T) {
	t.Parallel()
	s := openClocked(t)
	// As if enter had opened them.
	open := s.page.open
	for _, name := range []string{"c", "space"} {
		s.page.open = map[string]func() dialog.Dialog{"enter": open[name]}
		s.did = nil
		for range 30 {
			s.at(repeat, "enter")
		}
		s.done(t)
		s.at(rest, "enter")
		if len(s.did) != 1 {
			t.Errorf("%s is not answered after a pause: %q", name, s.did)
		}
	}
	// What is typed ahead is kept, and another key answers at once.
	s = openClocked(t)
	s.at(repeat, "space", "n", "e", "w", "enter")
	s.done(t, "new")
	// A second esc drops a text, a held one does not.
	s = openClocked(t)
	s.at(rest, "x").at(repeat, "n", "esc", "esc", "esc").Shows("esc again discards")
	s.at(rest, "esc").Hides("esc again")
	s.done(t)
}
