package dashboard

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatewright/tui/frame"
	"gatewright/tui/theme"
)

func (a *activityTab) detail(t *theme.Theme, i, w int) []string {
	if i == none {
		return nil
	}
	if line := a.lines[i]; line.part == statusPart {
		return a.status.detail(t, line.i, w)
	}
	return draw(t, a.told(i), w)
}

// told is what is to be said of a row that is none of the status.
func (a *activityTab) told(i int) []said {
	line := a.lines[i]
	switch line.part {
	case pushPart:
		p := a.pushes[line.i]
		all := []said{{plain, "environment " + p.row()}}
		for _, endpoint := range p.endpoints {
			all = append(all, said{muted, "  api " + endpoint})
		}
		return all
	case feedPart:
		h := a.feed[line.i]
		return []said{{h.tone, h.text}, {muted, h.what + " in environment " + orDash(h.environment) + ", " + h.at.Local().Format("2006-01-02 15:04:05")}}
	}
	all := []said{{plain, a.headText(line.i)}}
	if o := a.observed; line.i == sandboxHead && o != nil && o.running {
		for _, api := range o.status.APIs {
			all = append(all, said{muted, "  api " + fit(api.Label) + " of " + fit(api.Environment) + " " + fit(api.Endpoint)})
		}
	}
	return all
}

func (a *activityTab) copied(i int) string {
	line := a.lines[i]
	switch line.part {
	case statusPart:
		return a.status.copied(line.i)
	case pushPart:
		return strings.Join(append([]string{a.pushes[line.i].row()}, a.pushes[line.i].endpoints...), "\n")
	case feedPart:
		return a.feed[line.i].text
	}
	return a.headText(line.i)
}

func (a *activityTab) opening(i int) frame.Binding {
	if i != none && a.lines[i].part != statusPart {
		return showing
	}
	if i == none {
		return a.status.opening(none)
	}
	return a.status.opening(a.lines[i].i)
}

func (a *activityTab) open(i int) (row int, cmd tea.Cmd) {
	line := a.lines[i]
	if line.part != statusPart {
		return i, show("activity", a.told(i))
	}
	row, cmd = a.status.open(line.i)
	a.layOut()
	return row, cmd
}
