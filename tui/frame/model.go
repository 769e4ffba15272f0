package frame

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"gatewright/internal/text/prose"
	"gatewright/tui/dialog"
	"gatewright/tui/layout"
	"gatewright/tui/theme"
)

// Options configure the frame.
type Options struct {
	Start Route
	Make  Maker
	// Context is the one that Make gives to pages; New fills in its Theme. If it is
	// nil, New makes one.
	Context *Context
	// Theme is auto, dark, light, high-contrast or none; "" is auto.
	Theme string
	// In, Out and Env are the terminal and the environment variables; nil means those
	// of the process.
	In  io.Reader
	Out io.Writer
	Env []string
	// OnPanic saves unsaved work when the program crashes or is ended by a signal, and
	// returns where it is ("" if nothing was saved). It is called after the terminal was
	// restored, when no page runs any more.
	OnPanic func() (savedWhere string)
	// Notice finds out what the header of every page says; nil for nothing. It is called outside
	// Update, again and again.
	Notice func() Notice
	// ReadOnly says in the header that nothing can be changed.
	ReadOnly bool
	// Now is the clock; nil if nothing depends on it, as in most tests. Run takes that of the system.
	Now func() time.Time
	// Mouse gives pages the mouse from the start; the terminal cannot select text then.
	Mouse bool
	// Finder finds things for the palette of all pages; nil for none.
	Finder Finder
	// Look asks as whom to look at the project, and ends in LookAs; nil if there is nothing to look at.
	Look func() tea.Cmd
}

// Finder finds things, such as paths, for the palette of all pages, and goes to them. Both
// methods are called in Update, Things whenever the palette is opened: it must be quick.
type Finder interface {
	Things() []dialog.Thing
	GoTo(dialog.Thing) tea.Cmd
}

// Model is the root model. It routes messages to the dialog on top or to the page in
// front, and handles the window's size, the theme and the global keys itself.
type Model struct {
	context *Context
	history history
	finder  Finder
	look    func() tea.Cmd
	dialogs []*openDialog
	layout  layout.Layout
	// autoTheme says that the terminal's background decides the theme.
	autoTheme bool
	// depth is how many colours the terminal has; ascii says that it has only ASCII.
	depth theme.Depth
	ascii bool
	mouse bool
	// clipboard is what is known about the terminal's clipboard.
	clipboard clipboard
	// startErr is why the first page could not be made.
	startErr error
	startCmd tea.Cmd

	notice noticed
	// view is the last View, drawn says that it is that of all messages so far, and quiet that the last
	// message changed nothing that is drawn.
	view         tea.View
	drawn, quiet bool
	readOnly     bool
	status       status
	quit         quitting
	question     question
	pressed      press
	// ticking says that a timer redraws the line of the running job.
	ticking bool
	// live says that there is a clock: notes disappear after a time, and questions sleep until
	// they can have been read. If it is false, nothing depends on the clock.
	live     bool
	now      func() time.Time
	throttle *throttle
	// away says that another program has the terminal.
	away atomic.Bool
}

// New makes the root model with the first page. If that page cannot be made, the model
// shows why, and Run returns the error.
func New(o Options) *Model {
	m := &Model{
		context: o.Context, mouse: o.Mouse, readOnly: o.ReadOnly, notice: noticed{poll: o.Notice}, finder: o.Finder,
		look: o.Look,
		now:  o.Now, live: o.Now != nil,
		layout: layout.For(0, 0),
	}
	if !m.live {
		m.now = time.Now
	}
	if m.context == nil {
		m.context = &Context{}
	}
	kind, auto, err := initialTheme(o.Theme, o.Env)
	m.context.Theme, m.autoTheme = theme.New(kind), auto
	m.ascii, m.clipboard = asksForASCII(o.Env), clipboardOf(o.Env)
	m.history.make = o.Make
	if m.history.make == nil {
		m.history.make = func(Route) (Page, error) { return nil, errors.New("the frame has no page maker") }
	}
	if err != nil {
		m.startErr = err
		return m
	}
	m.startCmd, m.startErr = m.history.open(o.Start)
	return m
}

// Init starts the first page, and asks the terminal for its background if the theme is
// auto.
func (m *Model) Init() tea.Cmd {
	var background tea.Cmd
	if m.autoTheme {
		background = tea.RequestBackgroundColor
	}
	return tea.Batch(background, m.startCmd, m.startNotices())
}

// Update routes a message.
func (m *Model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	m.quiet = false
	cmds := []tea.Cmd{m.route(msg)}
	if p := m.history.front(); p != nil && !m.layout.TooSmall {
		m.size(p)
		cmds = append(cmds, m.wakeWatches(p))
	}
	cmds = append(cmds, m.wakeQuestion(false))
	m.drawn = m.drawn && m.quiet
	return m, tea.Batch(cmds...)
}

func (m *Model) route(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.layout = layout.For(msg.Width, msg.Height)
	case tea.BackgroundColorMsg:
		m.background(msg)
	case tea.ColorProfileMsg:
		m.profile(msg.Profile)
	case tea.ResumeMsg:
		m.throttle.reset()
	case tea.KeyPressMsg:
		return m.key(msg)
	case tea.PasteMsg:
		return m.paste(msg)
	case tea.MouseMsg:
		return m.mouseEvent(msg)
	case frameMsg:
		return msg(m, nil)
	}
	return nil
}

// hasPage reports whether a page is in memory; messages for any other page are dropped.
func (m *Model) hasPage(p *pageState) bool { return slices.Contains(m.history.visited, p) }

// paste gives a paste to the dialog on top or to the page in front.
func (m *Model) paste(msg tea.Msg) tea.Cmd {
	if m.layout.TooSmall {
		return nil
	}
	if o := m.top(); o != nil {
		if m.asleep() {
			return nil
		}
		return m.toDialog(o, msg)
	}
	if p := m.history.front(); p != nil {
		return m.deliver(p, msg)
	}
	return nil
}

// orSayError returns cmd, or shows err in the status line if there is one.
func (m *Model) orSayError(cmd tea.Cmd, err error) tea.Cmd {
	if err != nil {
		return m.say(Error, err.Error())
	}
	return cmd
}

func (m *Model) back() tea.Cmd {
	if !m.history.back() {
		return m.say(Info, firstPage)
	}
	return nil
}

// size calls SetSize of the page in front if its layout has changed.
func (m *Model) size(p *pageState) {
	if p.layout != m.layout {
		p.layout, p.stale = m.layout, true
		p.page.SetSize(m.layout)
	}
}

// background chooses the theme by the terminal's background colour.
func (m *Model) background(msg tea.BackgroundColorMsg) {
	kind := theme.Light
	if msg.IsDark() {
		kind = theme.Dark
	}
	if !m.autoTheme || msg.Color == nil || kind == m.context.Theme.Kind {
		return
	}
	m.setTheme(kind)
}

// profile chooses colours that the terminal has.
func (m *Model) profile(p colorprofile.Profile) {
	depth := theme.TrueColour
	switch p {
	case colorprofile.ANSI256:
		depth = theme.Colours256
	case colorprofile.ANSI:
		depth = theme.Colours16
	}
	if depth != m.depth {
		m.depth = depth
		m.setTheme(m.context.Theme.Kind)
	}
}

// setTheme changes the theme of all pages.
func (m *Model) setTheme(kind theme.Kind) {
	m.context.Theme = theme.NewFor(kind, m.depth)
	for _, p := range m.history.visited {
		p.layout = layout.Layout{}
	}
}

// asksForASCII reports whether the screens have to do without line characters: because
// GATEWRIGHT_ASCII is set, or because the terminal is one that has none.
func asksForASCII(env []string) bool {
	switch envValue(env, "TERM") {
	case "vt100", "vt102", "vt220", "ansi":
		return true
	}
	return envValue(env, "GATEWRIGHT_ASCII") != ""
}

// initialTheme chooses the first theme. NO_COLOR (https://no-color.org) and TERM=dumb
// override the name.
func initialTheme(name string, env []string) (kind theme.Kind, auto bool, err error) {
	kind, known := theme.Parse(name)
	auto = name == "" || name == "auto"
	if !known && !auto {
		err = fmt.Errorf("there is no theme %s; the themes are auto, dark, light, high-contrast and none",
			prose.Printable(name))
	}
	if envValue(env, "NO_COLOR") != "" || envValue(env, "TERM") == "dumb" {
		return theme.None, false, err
	}
	return kind, auto, err
}

// envValue is the value of an environment variable; of several, the last one counts.
func envValue(env []string, name string) string {
	for _, line := range slices.Backward(env) {
		if v, ok := strings.CutPrefix(line, name+"="); ok {
			return v
		}
	}
	return ""
}
