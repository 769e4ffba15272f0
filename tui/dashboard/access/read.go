package access

import (
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"

	"gatewright/internal/clock"
	"gatewright/internal/text/phrase"
	"gatewright/internal/text/prose"
	"gatewright/model"
	"gatewright/model/access"
	"gatewright/project"
	"gatewright/project/validate"
	"gatewright/tui/dashboard/board"
	"gatewright/tui/frame"
)

// reading is what the rows are made of, as it was read, without what is staged. It is not
// changed afterwards.
type reading struct {
	sides
	environment *model.Environment
	// since says since when access differs; "" if it was never pushed, or problem says why
	// that is unknown; unknown says that it was pushed all the same.
	since, problem string
	unknown        bool
	// places are the places in files of paths that changed.
	places map[[2]string]string
}

// Read makes the rows.
func (t *Tab) Read(r *board.Reading) func() tea.Cmd {
	read := &reading{sides: sides{now: r.Backend, here: r.Backend, takeovers: r.Takeovers}, problem: r.Status.Problem}
	if r.Env != nil {
		read.environment = r.Env.Environment
		read.here = r.Backend.For(read.environment)
		read.unknown = read.problem != "" && (r.Env.Record != nil || r.Env.Problem != "" || r.Env.Foreign)
	}
	// Before the first push all of it is new, which says nothing.
	if r.Status.Was != nil {
		read.was, read.changed, read.more = r.Status.Was, r.Status.Access, r.Status.MoreAccess
		read.since = "since the last push"
		if r.Env != nil && r.Env.Record != nil {
			read.since = "since the push of " + clock.Moment(r.Env.Record.Deployed)
		}
	}
	m := matrixOf(read.sides)
	if r.Project != nil {
		read.places = placesOf(r.Project, m.rows)
	}
	return func() tea.Cmd {
		t.read = read
		if len(t.stages) > 1 {
			return t.lay()
		}
		t.shows++
		return t.take(m)
	}
}

// placesOf says where in the files the paths are that changed, of so many as one reads.
func placesOf(p *project.Project, rows []*row) map[[2]string]string {
	const most = 500
	var problems []*model.Problem
	var keys [][2]string
	for _, r := range rows {
		if r.Path == nil || r.gone || !r.differs() {
			continue
		}
		keys = append(keys, key(r.api, r.Path))
		problems = append(problems, &model.Problem{
			Of:      model.Ref{Kind: model.KindPath, API: r.api.Label, Name: r.Path.Name},
			Pointer: "/paths/" + model.PointerSegment(r.Path.Name) + "/permissions",
		})
		if len(keys) == most {
			break
		}
	}
	places := make(map[[2]string]string, len(keys))
	for i, located := range validate.Located(p, problems) {
		if places[keys[i]] = phrase.QuotePath(located.File); located.Line > 0 {
			places[keys[i]] += fmt.Sprint(":", located.Line)
		}
	}
	return places
}

// with are the sides with edits. Of a project that was never pushed they are compared with its
// files.
func (r *reading) with(waiting stage) (sides, error) {
	s := r.sides
	if waiting.empty() {
		return s, nil
	}
	next, err := s.now.Edit(waiting.apply)
	if err != nil {
		return s, err
	}
	if s.was == nil {
		s.was = s.here
	}
	s.now, s.here, s.staged = next, next, waiting.keys()
	if r.environment != nil {
		s.here = next.For(r.environment)
	}
	found, complete := access.Compare(s.was.Gate(), s.here.Gate())
	s.changed, s.more = found, !complete
	return s, nil
}

// show makes the rows again, with what is staged, outside Update.
func (t *Tab) show() tea.Cmd {
	t.shows++
	number, read, waiting := t.shows, t.read, t.staged()
	if read == nil {
		return nil
	}
	return func() tea.Msg {
		s, err := read.with(waiting)
		m := matrixOf(s)
		return frame.ThenMsg(func() tea.Cmd {
			if number != t.shows {
				return nil
			}
			fresh := t.take(m)
			if err != nil {
				return frame.Say(frame.Error, "the staged edits no longer fit: %v", err)
			}
			return fresh
		})
	}
}

// take shows rows.
func (t *Tab) take(m matrix) tea.Cmd {
	t.matrix = m
	t.showAlone(t.alone && slices.ContainsFunc(m.rows, (*row).differs))
	m.cells.Scope = t.board.Snap.Name()
	return t.board.Shows(t.TabName, m.cells)
}

// showAlone shows what changed alone, or all rows.
func (t *Tab) showAlone(alone bool) {
	t.alone = alone
	rows := t.rows
	if alone {
		rows = changedOf(rows)
	}
	t.List.SetColumns(t.columns())
	t.List.SetRows(rows)
}

// changedOf are the rows of what changed, each API with its own.
func changedOf(all []*row) []*row {
	var rows []*row
	var head *row
	for _, r := range all {
		if r.Path == nil {
			if head = r; !r.differs() {
				continue
			}
		} else if !r.differs() {
			continue
		}
		if head != nil {
			rows, head = append(rows, head), nil
			if r.Path == nil {
				continue
			}
		}
		rows = append(rows, r)
	}
	return rows
}

// lead says what the frame says first: how many paths are more open, and whether changes are
// shown alone.
func (t *Tab) lead() prose.Line {
	line := prose.Line{Tone: prose.Wider, Text: widerSign + " " + t.widened() + " more open"}
	if t.wider == 0 && !t.more {
		line = prose.Line{}
	}
	if t.alone {
		if line.Text == "" {
			line = prose.Line{Tone: prose.Note, Text: "changes only"}
		} else {
			line.Text += ", changes only"
		}
	}
	return line
}

// widened is how many paths are more open.
func (m *matrix) widened() string {
	if m.more {
		return fmt.Sprint(m.wider, "+")
	}
	return fmt.Sprint(m.wider)
}

// Note counts the paths that are more open than they were pushed, new ones included, and those
// that are less. No sign would say that nothing was opened, so it also says that this is unknown.
func (t *Tab) Note() (line prose.Line, short string) {
	if t.read != nil && t.read.unknown {
		return prose.Line{Tone: prose.Wider, Text: widerSign + " what is more open is unknown"}, widerSign + " ?"
	}
	noun := " paths"
	if t.wider == 1 && !t.more {
		noun = " path"
	}
	more, less := widerSign+" "+t.widened()+noun+" more open",
		narrowerSign+" "+phrase.Count(t.narrower, "path")+" less open"
	than := " than pushed"
	switch {
	case t.includes && t.read.since == "":
		than = " by staged edits"
	case t.includes:
		than = ", staged edits included"
	}
	switch {
	case t.wider == 0 && t.narrower == 0 && !t.more:
		return prose.Line{}, ""
	case t.wider == 0 && !t.more:
		return prose.Line{Tone: prose.Note, Text: less + than}, fmt.Sprint(narrowerSign, " ", t.narrower)
	case t.narrower == 0:
		more += than
	default:
		more += fmt.Sprintf(", %s %d less", narrowerSign, t.narrower)
	}
	return prose.Line{Tone: prose.Wider, Text: more}, fmt.Sprint(widerSign, " ", t.widened())
}
