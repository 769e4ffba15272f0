package frame

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatewright/prose"
	"gatewright/tui/layout"
)

// mostKept is how many pages that are not in the history are kept for their
// cursor and filter. A page with unsaved work is kept whatever their number.
const mostKept = 32

// kept is a page with what the frame knows of it.
type kept struct {
	route Route
	page  Page
	// sized is the layout that the page was last given; none after the theme changed.
	sized layout.Layout
	title string
	// text is the page as it was last drawn; stale says that it got something since, or
	// has another area.
	text  string
	stale bool
	// watches are nil before they were begun.
	watches []*watching
}

// view is the page in its area, drawn again where it got anything since the last time.
func (k *kept) view(area layout.Rect) string {
	if k.stale {
		k.text, k.stale = layout.Clip(k.page.View(), area.W, area.H), false
	}
	return k.text
}

// ends is what ends with the page, as a sentence; "" for nothing.
func (k *kept) ends() string {
	var all []string
	if r := k.runs(); r != nil {
		all = append(all, "This is under way and is stopped: "+r.title+".")
	}
	if e, ok := k.page.(Ender); ok && e.Ends() != "" {
		all = append(all, e.Ends())
	}
	return strings.Join(all, "\n")
}

// history is the way to the page in front, and the pages that were visited.
type history struct {
	make Maker
	way  []*kept
	// visited are all pages that are kept, the latest last.
	visited []*kept
}

// front is the page in front; nil where none could be made.
func (h *history) front() *kept {
	if len(h.way) == 0 {
		return nil
	}
	return h.way[len(h.way)-1]
}

// open brings the page of a route to the front, made or as it was left.
func (h *history) open(to Route) (tea.Cmd, error) {
	k, cmd, err := h.find(to)
	if err != nil {
		return nil, err
	}
	h.enter(k)
	return cmd, nil
}

// enter brings a page to the front. One that is on the way already is returned
// to: no page stands on the way twice.
func (h *history) enter(k *kept) {
	if i := slices.Index(h.way, k); i >= 0 {
		h.way = h.way[:i]
	}
	h.way = append(h.way, k)
	h.touch(k)
	k.stale = true
}

// replace puts the page of a route in the place of the one in front, and
// stops what runs on that.
func (h *history) replace(with Route) (tea.Cmd, error) {
	old, visited := h.front(), h.visited
	h.visited = slices.DeleteFunc(slices.Clone(visited), func(k *kept) bool { return k == old })
	k, cmd, err := h.find(with)
	if err != nil {
		h.visited = visited
		return nil, err
	}
	if r := old.runs(); r != nil {
		r.cancel()
	}
	if old != nil {
		h.way = h.way[:len(h.way)-1]
	}
	h.enter(k)
	return cmd, nil
}

// back leaves the page in front; false on the first one.
func (h *history) back() bool {
	if len(h.way) < 2 {
		return false
	}
	h.enter(h.way[len(h.way)-2])
	return true
}

// find is the kept page of a route, or a new one with the command of its Init.
func (h *history) find(to Route) (*kept, tea.Cmd, error) {
	if to == nil || !reflect.ValueOf(to).Comparable() {
		return nil, nil, fmt.Errorf("show a page: the route %T cannot be compared", to)
	}
	if i := slices.IndexFunc(h.visited, func(k *kept) bool { return k.route == to }); i >= 0 {
		return h.visited[i], nil, nil
	}
	page, err := h.make(to)
	if err == nil && page == nil {
		err = errors.New("there is no such page")
	}
	if err != nil {
		return nil, nil, fmt.Errorf("show %s: %w", prose.Printable(to.Title()), err)
	}
	k := &kept{route: to, page: page, title: prose.Printable(to.Title()), stale: true}
	return k, own(k, page.Init()), nil
}

// touch makes a page the latest, and forgets the oldest ones that nothing needs.
func (h *history) touch(k *kept) {
	h.visited = append(slices.DeleteFunc(h.visited, func(other *kept) bool { return other == k }), k)
	spare := 0
	for _, other := range slices.Backward(h.visited) {
		if !h.needed(other) {
			spare++
		}
	}
	h.visited = slices.DeleteFunc(h.visited, func(other *kept) bool {
		if spare <= mostKept || h.needed(other) {
			return false
		}
		spare--
		return true
	})
}

func (h *history) needed(k *kept) bool {
	return slices.Contains(h.way, k) || k.page.Dirty() || k.ends() != ""
}

// dirty are the pages with unsaved work.
func (h *history) dirty() []*kept {
	return slices.DeleteFunc(slices.Clone(h.visited), func(k *kept) bool { return !k.page.Dirty() })
}
