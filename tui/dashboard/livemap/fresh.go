package livemap

import (
	"slices"
	"time"

	"gatewright/model/access"
	"gatewright/model/graph"
	"gatewright/sandbox/traffic"
	"gatewright/tui/dashboard/board"
)

// letters are what somebody may do under a path, and added is a path that was added: things that stand out.
type (
	letters struct {
		path key
		who  access.Principal
	}
	added key
)

// growing is how long the line of a path that was added takes from its callers to its function.
const growing = 400 * time.Millisecond

// changes are what another map has in place of what stood there before, and its new paths.
func (c *chart) changes(before, now *graph.Graph) (all []any) {
	had := make(map[key][]access.Actions)
	for _, api := range before.APIs {
		for _, p := range api.Paths {
			had[key{api.Label, p.Name}] = p.Allowed
		}
	}
	var grown []added
	for _, api := range now.APIs {
		for _, p := range api.Paths {
			k := key{api.Label, p.Name}
			was, known := had[k]
			if !known {
				grown = append(grown, added(k))
				all = append(all, added(k))
				continue
			}
			for i, who := range now.Callers {
				if at := slices.Index(before.Callers, who); at >= 0 && was[at] != p.Allowed[i] {
					c.changed = true
					all = append(all, letters{k, who})
				}
			}
		}
	}
	if len(grown) > 0 {
		c.grown = grown
	}
	return all
}

// usedMore are the uses of which other counts are shown than before.
func (c *chart) usedMore(before map[useKey][]traffic.UseCounts) (all []any) {
	for k := range c.used {
		if was := seenIn(before[k]); was != seenIn(c.used[k]) {
			if _, is := c.age(k); !is {
				c.usedWas[k] = was
			}
			all = append(all, k)
		}
	}
	return all
}

// isFresh reports whether a thing stands out.
func (c *chart) isFresh(thing any) bool {
	_, is := c.age(thing)
	return is
}

// grows reports whether the line of a path still draws itself.
func (c *chart) grows(of added) (share float64, is bool) {
	age, is := c.age(of)
	return float64(age) / float64(growing), is && age < growing
}

// drawGrowth leaves out what the line of a path that was added has not yet reached, around the name of the path,
// which ends in cell end.
func (c *chart) drawGrowth(l *line, r *row, end int) {
	if len(c.grown) == 0 || len(r.paths) == 0 {
		return
	}
	for _, p := range r.paths {
		if _, is := c.grows(added{r.api, p.Name}); !is {
			return
		}
	}
	share, _ := c.grows(added{r.api, r.paths[0].Name})
	p := c.places
	reached := p.rail + int(share*float64(p.function-p.rail))
	for x := p.rail; x < p.function; x++ {
		switch {
		case p.left <= x && x < end:
		case x < reached:
			l.inks[x] = strong
		default:
			l.put(x, " ", plain)
		}
	}
}

// drawUsed draws the counts of a use; the digits that have just changed stand out.
func (c *chart) drawUsed(l *line, x int, text string, k useKey, in ink) {
	end := l.put(x, text, in)
	if !c.isFresh(k) {
		return
	}
	for _, at := range board.NewDigits(c.usedWas[k], text) {
		l.over(x+at[0], min(x+at[1], end), fresh)
	}
}
