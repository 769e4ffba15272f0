package frame

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatewright/internal/text/prose"
	"gatewright/tui/layout"
)

// maxIdlePages is how many pages that are not on the trail stay in memory with their
// cursor and filter. Pages with unsaved work or a running job are not counted.
const maxIdlePages = 32

// pageState is a page with what the frame remembers about it.
type pageState struct {
	route Route
	page  Page
	// layout is the last argument of SetSize; zero after the theme changed.
	layout layout.Layout
	title  string
	// text is the result of the last View. stale says that the page has to be redrawn:
	// it received something or its area changed.
	text  string
	stale bool
	// watches is nil until they were started.
	watches []*activeWatch
}

// draw returns the page's text in its area, and redraws it if it is stale.
func (p *pageState) draw(area layout.Rect) string {
	if p.stale {
		p.text, p.stale = layout.Clip(p.page.View(), area.W, area.H), false
	}
	return p.text
}

// ends says in sentences what quitting would end on this page; "" for nothing.
func (p *pageState) ends() string {
	var all []string
	if r := p.running(); r != nil {
		all = append(all, r.quits)
	}
	if e, ok := p.page.(Ender); ok && e.Ends() != "" {
		all = append(all, e.Ends())
	}
	return strings.Join(all, "\n")
}

// history holds the trail, which is the pages from the first one to the one in front,
// and every other page that is still in memory.
type history struct {
	make  Maker
	trail []*pageState
	// visited are all pages in memory, the most recently shown last.
	visited []*pageState
}

// front is the page in front; nil if the first page could not be made.
func (h *history) front() *pageState {
	if len(h.trail) == 0 {
		return nil
	}
	return h.trail[len(h.trail)-1]
}

// open brings the page of a route to the front. It makes the page if it is not in
// memory.
func (h *history) open(to Route) (tea.Cmd, error) {
	p, cmd, err := h.find(to)
	if err != nil {
		return nil, err
	}
	h.enter(p)
	return cmd, nil
}

// goOn brings to the front the page with unsaved work that was shown last of those whose
// route is alike, or else opens a route.
func (h *history) goOn(alike func(Route) bool, otherwise Route) (tea.Cmd, error) {
	for _, p := range slices.Backward(h.visited) {
		if alike(p.route) && p.page.Dirty() {
			h.enter(p)
			return nil, nil
		}
	}
	return h.open(otherwise)
}

// goAnew opens a route after the pages whose route is alike were dropped.
func (h *history) goAnew(to Route, alike func(Route) bool) (tea.Cmd, error) {
	visited := h.visited
	is := func(p *pageState) bool { return alike(p.route) }
	h.visited = slices.DeleteFunc(slices.Clone(visited), is)
	p, cmd, err := h.find(to)
	if err != nil {
		h.visited = visited
		return nil, err
	}
	h.trail = slices.DeleteFunc(slices.Clone(h.trail), is)
	h.enter(p)
	return cmd, nil
}

// enter brings a page to the front. If the page is on the trail already, the trail is
// cut there, so that no page is on it twice.
func (h *history) enter(p *pageState) {
	if i := slices.Index(h.trail, p); i >= 0 {
		h.trail = h.trail[:i]
	}
	h.trail = append(h.trail, p)
	h.touch(p)
	p.stale = true
}

// replace puts the page of a route instead of the one in front, and stops the job of
// the replaced page.
func (h *history) replace(with Route) (tea.Cmd, error) {
	old, visited := h.front(), h.visited
	h.visited = slices.DeleteFunc(slices.Clone(visited), func(p *pageState) bool { return p == old })
	p, cmd, err := h.find(with)
	if err != nil {
		h.visited = visited
		return nil, err
	}
	if r := old.running(); r != nil {
		r.cancel()
	}
	if old != nil {
		h.trail = h.trail[:len(h.trail)-1]
	}
	h.enter(p)
	return cmd, nil
}

// back returns to the previous page; false on the first page.
func (h *history) back() bool {
	if len(h.trail) < 2 {
		return false
	}
	h.enter(h.trail[len(h.trail)-2])
	return true
}

// find returns the page of a route from memory, or makes it and returns the command
// of its Init too, or of its Reopen.
func (h *history) find(to Route) (*pageState, tea.Cmd, error) {
	if to == nil || !reflect.ValueOf(to).Comparable() {
		return nil, nil, fmt.Errorf("showing a page: its route %T cannot be compared", to)
	}
	if i := slices.IndexFunc(h.visited, func(p *pageState) bool { return p.route == to }); i >= 0 {
		p := h.visited[i]
		if again, ok := p.page.(Reopener); ok {
			return p, forPage(p, again.Reopen()), nil
		}
		return p, nil, nil
	}
	page, err := h.make(to)
	if err == nil && page == nil {
		err = errors.New("there is no such page")
	}
	if err != nil {
		return nil, nil, fmt.Errorf("showing %s: %w", prose.Printable(to.Title()), err)
	}
	p := &pageState{route: to, page: page, title: prose.Printable(to.Title()), stale: true}
	return p, forPage(p, page.Init()), nil
}

// touch marks a page as shown last, and drops the oldest pages that are not needed.
func (h *history) touch(p *pageState) {
	h.visited = append(slices.DeleteFunc(h.visited, func(other *pageState) bool { return other == p }), p)
	spare := 0
	for _, other := range slices.Backward(h.visited) {
		if !h.needed(other) {
			spare++
		}
	}
	h.visited = slices.DeleteFunc(h.visited, func(other *pageState) bool {
		if spare <= maxIdlePages || h.needed(other) {
			return false
		}
		spare--
		return true
	})
}

func (h *history) needed(p *pageState) bool {
	return slices.Contains(h.trail, p) || p.page.Dirty() || p.ends() != ""
}

// dirty are the pages with unsaved work.
func (h *history) dirty() []*pageState {
	return slices.DeleteFunc(slices.Clone(h.visited), func(p *pageState) bool { return !p.page.Dirty() })
}
