package frame

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"gatewright/prose"
	"gatewright/tui/layout"
	"gatewright/tui/theme"
)

// Options are what the frame needs of its caller.
type Options struct {
	Start Route
	Make  Maker
	// Context is the one that Make gives to pages; nil makes one. New fills in
	// its Theme.
	Context *Context
	// Theme is auto, dark, light, high-contrast or none; "" is auto.
	Theme string
	// In, Out and Env are the terminal and the environment; nil is the
	// process's own.
	In  io.Reader
	Out io.Writer
	Env []string
	// OnPanic keeps unsaved work when the program breaks or is ended from
	// outside, and says where it is ("" where nothing was kept). It is called
	// when the screen is gone and no page runs any more.
	OnPanic func() (savedWhere string)
	// Mouse lets pages have the mouse. Without it the terminal's own selection works.
	Mouse bool
}

// Model is the root model. It only routes: the window's size and theme, the
// global keys, the dialog on top, then the page in front.
type Model struct {
	context *Context
	history history
	dialogs []*open
	layout  layout.Layout
	// auto is true while the terminal's background may still decide the theme.
	auto  bool
	mouse bool
	// failed is why there is no page at all.
	failed error
	start  tea.Cmd

	status status
	quit   quitting
	// ticking says that what runs is being drawn again and again.
	ticking bool
	// live is true in a real terminal: notes pass after a time, and dialogs wait
	// for their Settle time, because keys are on the way that were typed for
	// something else. Without it nothing depends on the clock.
	live bool
	now  func() time.Time
	rest *rest
}

// New makes the root model with the first page. When that page cannot be made
// the model shows why, and Run returns it.
func New(o Options) *Model {
	m := &Model{context: o.Context, mouse: o.Mouse, now: time.Now, layout: layout.For(0, 0)}
	if m.context == nil {
		m.context = &Context{}
	}
	kind, auto, err := themeOf(o.Theme, o.Env)
	m.context.Theme, m.auto = theme.New(kind), auto
	m.history.make = o.Make
	if m.history.make == nil {
		m.history.make = func(Route) (Page, error) { return nil, errors.New("nothing makes pages") }
	}
	if err != nil {
		m.failed = err
		return m
	}
	m.start, m.failed = m.history.open(o.Start)
	return m
}

// Init asks the terminal for its background where the theme is auto, and starts
// the first page.
func (m *Model) Init() tea.Cmd {
	var background tea.Cmd
	if m.auto {
		background = tea.RequestBackgroundColor
	}
	return tea.Batch(background, m.start)
}

// Update routes a message.
func (m *Model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	cmds := []tea.Cmd{m.route(msg)}
	if k := m.history.front(); k != nil && !m.layout.TooSmall {
		m.size(k)
		cmds = append(cmds, m.wake(k))
	}
	return m, tea.Batch(cmds...)
}

func (m *Model) route(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.layout = layout.For(msg.Width, msg.Height)
	case tea.BackgroundColorMsg:
		m.background(msg)
	case tea.ResumeMsg:
		m.rest.renew()
	case tea.KeyPressMsg:
		return m.key(msg)
	case tea.PasteMsg:
		return m.paste(msg)
	case tea.MouseMsg:
		return m.pointer(msg)
	case askMsg:
		return msg(m, nil)
	}
	return nil
}

// keeps reports whether a page is kept: what comes for another one is dropped.
func (m *Model) keeps(k *kept) bool { return slices.Contains(m.history.visited, k) }

// paste hands a paste to the dialog on top or to the page in front.
func (m *Model) paste(msg tea.Msg) tea.Cmd {
	if m.layout.TooSmall {
		return nil
	}
	if o := m.top(); o != nil {
		return m.toDialog(o, msg)
	}
	if k := m.history.front(); k != nil {
		return m.deliver(k, msg)
	}
	return nil
}

// show follows a change of the page in front.
func (m *Model) show(cmd tea.Cmd, err error) tea.Cmd {
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

// size tells the page in front its layout, where it has another one.
func (m *Model) size(k *kept) {
	if k.sized != m.layout {
		k.sized, k.stale = m.layout, true
		k.page.SetSize(m.layout)
	}
}

// background chooses the theme by what the terminal answered.
func (m *Model) background(msg tea.BackgroundColorMsg) {
	kind := theme.Light
	if msg.IsDark() {
		kind = theme.Dark
	}
	if !m.auto || msg.Color == nil || kind == m.context.Theme.Kind {
		return
	}
	m.context.Theme = theme.New(kind)
	for _, k := range m.history.visited {
		k.sized = layout.Layout{}
	}
}

// themeOf chooses the theme that the program starts with. NO_COLOR (no-color.org)
// and a terminal that has no colour win over the name.
func themeOf(name string, env []string) (kind theme.Kind, auto bool, err error) {
	kind, known := theme.Parse(name)
	auto = name == "" || name == "auto"
	if !known && !auto {
		err = fmt.Errorf("there is no theme %s: take auto, dark, light, high-contrast or none", prose.Printable(name))
	}
	if value(env, "NO_COLOR") != "" || value(env, "TERM") == "dumb" {
		return theme.None, false, err
	}
	return kind, auto, err
}

// value is a variable of an environment; the last one counts.
func value(env []string, name string) string {
	for _, line := range slices.Backward(env) {
		if v, ok := strings.CutPrefix(line, name+"="); ok {
			return v
		}
	}
	return ""
}
