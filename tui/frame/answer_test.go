package frame

import (
	"errors"
	"fmt"
	"io"
	"os/exec"
	"slices"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"gatewright/test/await"
	"gatewright/test/depth"
	"gatewright/tui/dialog"
	"gatewright/tui/keys"
	"gatewright/tui/theme"
)

// doingPage is a page that runs a command of the test at the key t.
type doingPage struct {
	*listPage
	next tea.Cmd
	// then is the command that follows a message.
	then map[tea.Msg]tea.Cmd
}

func (p *doingPage) Bindings() []keys.Binding {
	return append(p.listPage.Bindings(), keys.Test.Does("next", "", func() tea.Cmd { return p.next }))
}

func (p *doingPage) Update(msg tea.Msg) tea.Cmd {
	p.listPage.Update(msg)
	if text, ok := msg.(string); ok {
		return p.then[text]
	}
	return nil
}

// doing replaces the page in front by a doingPage.
func (s *screen) doing() *doingPage {
	state := s.model.history.front()
	p := &doingPage{listPage: state.page.(*listPage), then: make(map[tea.Msg]tea.Cmd)}
	state.page = p
	return p
}

// begin makes the page in front return a command, and returns it before it is run.
func (s *screen) begin(p *doingPage, cmd tea.Cmd) tea.Cmd {
	p.next = cmd
	_, begun := s.model.Update(key("t"))
	return begun
}

// texts are the sorted texts among some messages.
func texts(got []tea.Msg) []string {
	var all []string
	for _, msg := range got {
		if text, ok := msg.(string); ok {
			all = append(all, text)
		}
	}
	slices.Sort(all)
	return all
}

func wants(t *testing.T, who string, got []tea.Msg, want ...string) {
	t.Helper()
	if all := texts(got); !slices.Equal(all, want) {
		t.Errorf("%s got %q, want %q", who, all, want)
	}
}

func gives(text string) tea.Cmd { return func() tea.Msg { return text } }

// manyOf is a batch in a sequence in a batch.
func manyOf(texts ...string) tea.Cmd {
	return tea.Batch(gives(texts[0]), tea.Sequence(gives(texts[1]), tea.Batch(nil, gives(texts[2]), gives(texts[3]))), nil)
}

func TestAnAnswerReachesOnlyThePageOfItsCommand(t *testing.T) {
	t.Parallel()
	s := start(t, "dark", 80, 24)
	p := s.doing()
	p.then["b"] = manyOf("e", "f", "g", "h")
	begun := s.begin(p, manyOf("a", "b", "c", "d"))
	s.press("o")
	s.run(begun)
	wants(t, "the page", p.got, "a", "b", "c", "d", "e", "f", "g", "h")
	wants(t, "the page in front", s.page("orders").got)
	if p.last() == nil || len(s.model.dialogs) > 0 {
		t.Error("the page got no message, or a dialog was opened")
	}
}

func TestTheResultOfADialogThatADialogOpenedReachesThePage(t *testing.T) {
	t.Parallel()
	s := start(t, "dark", 80, 24)
	p := s.doing()
	second := func(text string) tea.Cmd {
		return Open(dialog.Sure("Sure?", "", "Yes", func() tea.Cmd { return gives(text) }))
	}
	s.run(s.begin(p, Open(dialog.Input("Name", "", nil, second))))
	s.press("n enter")
	s.shows("Sure?")
	s.press("y")
	wants(t, "the page", p.got, "n")
}

// askingDialog runs a command of its own at the key t.
type askingDialog struct {
	got  []tea.Msg
	next tea.Cmd
	left bool
}

func (d *askingDialog) Title() string { return "Asking" }
func (d *askingDialog) Typing() bool  { return false }
func (d *askingDialog) Bindings() []keys.Binding {
	return []keys.Binding{
		keys.Test.Does("next", "", func() tea.Cmd { return d.next }),
		keys.Back.Does("close", "", keys.NoCmd(func() { d.left = true })),
	}
}

func (d *askingDialog) Update(msg tea.Msg) tea.Cmd {
	d.got = append(d.got, msg)
	return nil
}

func (d *askingDialog) View(*theme.Theme, int, int) string { return "asking" }
func (d *askingDialog) Ended() (func() tea.Cmd, bool)      { return nil, d.left }

func TestTheAnswerToADialogReachesThatDialog(t *testing.T) {
	t.Parallel()
	s := start(t, "dark", 80, 24)
	p, d := s.doing(), &askingDialog{}
	s.run(s.begin(p, Open(d)))
	d.next = tea.Batch(manyOf("a", "b", "c", "d"), Open(dialog.Input("Name", "", nil, func(text string) tea.Cmd { return gives(text) })))
	_, begun := s.model.Update(key("t"))
	s.run(begun)
	s.press("e enter")
	wants(t, "the dialog", d.got, "a", "b", "c", "d", "e")
	_, begun = s.model.Update(key("t"))
	s.press("esc esc")
	d.left = true
	s.press("esc")
	s.model.dialogs = nil
	s.run(begun)
	wants(t, "the dialog that was left", d.got, "a", "b", "c", "d", "e")
	wants(t, "the page", p.got)
}

func TestAnAnswerThatIsAFunctionIsCalledForADialogToo(t *testing.T) {
	t.Parallel()
	s := start(t, "dark", 80, 24)
	p, d := s.doing(), &askingDialog{}
	s.run(s.begin(p, Open(d)))
	d.next = func() tea.Msg { return ThenMsg(func() tea.Cmd { return gives("from the function") }) }
	_, begun := s.model.Update(key("t"))
	s.run(begun)
	wants(t, "the dialog", d.got, "from the function")
	wants(t, "the page", p.got)
}

func TestTheEndOfAnotherProgramReachesThePageThatRanIt(t *testing.T) {
	t.Parallel()
	s := start(t, "dark", 80, 24)
	p := s.doing()
	ended := func(who string) func(error) tea.Msg {
		return func(err error) tea.Msg { return fmt.Sprint(who, ": ", err) }
	}
	var opener owner
	s.run(s.begin(p, inFrame(func(_ *Model, from owner) tea.Cmd {
		opener = from
		return nil
	})))
	s.press("o")
	s.send(execEnded(opener, ended("page"), errors.New("exit 1")))
	wants(t, "the page", p.got, "page: exit 1")
	wants(t, "the page in front", s.page("orders").got)
	s.send(execEnded(nil, ended("nobody"), nil))
	s.send(execEnded(opener, ended("page"), nil))
	wants(t, "the page", p.got, "page: <nil>", "page: exit 1")
}

// TestAnotherProgramRuns is the same with a real program.
func TestAnotherProgramRuns(t *testing.T) {
	t.Parallel()
	depth.Needs(t, "true")
	s := start(t, "dark", 80, 24)
	p := s.doing()
	p.next = Exec(exec.Command("true"), func(err error) tea.Msg { return fmt.Sprint("ended: ", err) })
	p.then["ended: <nil>"] = tea.Quit
	g := &guard{model: s.model}
	program := tea.NewProgram(g, tea.WithInput(nil), tea.WithOutput(io.Discard), tea.WithWindowSize(80, 24), tea.WithoutSignals())
	g.stop = program.Quit
	go program.Send(key("t"))
	timer := time.AfterFunc(await.Limit(t), program.Kill)
	defer timer.Stop()
	if _, err := program.Run(); err != nil {
		t.Fatal(err)
	}
	wants(t, "the page", p.got, "ended: <nil>")
}

func TestTheAnswerToADroppedPageIsDropped(t *testing.T) {
	t.Parallel()
	s := start(t, "dark", 80, 24)
	p := s.doing()
	begun := s.begin(p, tea.Batch(gives("a"), Open(dialog.Input("Name", "", nil, func(text string) tea.Cmd { return gives(text) }))))
	s.run(Replace(listRoute{"orders"}))
	s.run(begun)
	s.press("c enter")
	wants(t, "the dropped page", p.got)
	wants(t, "the page in front", s.page("orders").got)
	s.run(Go(listRoute{"items"})) // makes a new page
	wants(t, "the dropped page", p.got)
}

func TestAnAnnouncedMessageReachesAllPages(t *testing.T) {
	t.Parallel()
	s := start(t, "dark", 80, 24)
	p := s.doing()
	p.then["written"] = gives("read again")
	s.press("o")
	views := p.views
	s.run(Announce("written"))
	wants(t, "the page behind", p.got, "read again", "written")
	wants(t, "the page in front", s.page("orders").got, "written")
	if p.views != views {
		t.Error("a page behind was drawn")
	}
	s.press("esc")
	if p.views != views+1 {
		t.Errorf("back in front it was drawn %d times", p.views-views)
	}
}

func TestMessagesForTheFrameOrTheTerminalAreNotDeliveredToThePage(t *testing.T) {
	t.Parallel()
	s := start(t, "dark", 80, 24)
	p := s.doing()
	got := len(p.got)
	for _, cmd := range []tea.Cmd{tea.ClearScreen, tea.SetClipboard("x"), tea.RequestBackgroundColor, tea.Println("x"), tea.Quit, Say(Info, "x"), Go(listRoute{"x"}), GoBack()} {
		want := fmt.Sprintf("%T", cmd())
		if is := fmt.Sprintf("%T", s.begin(p, cmd)()); is != want {
			t.Errorf("%s became %s", want, is)
		}
	}
	if s.begin(p, func() tea.Msg { return nil })() != nil {
		t.Error("a nil message became another message")
	}
	if len(p.got) != got {
		t.Errorf("the page got %v", p.got[got:])
	}
}
