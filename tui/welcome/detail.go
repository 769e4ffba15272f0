package welcome

import (
	"slices"

	"gatewright/flow"
	"gatewright/flow/course"
	"gatewright/flow/matrix"
	"gatewright/flow/preview"
	"gatewright/flow/session"
	"gatewright/internal/text/phrase"
	"gatewright/internal/text/prose"
	"gatewright/model"
	"gatewright/model/access"
	"gatewright/tui/theme"
	"gatewright/tui/widget"
)

// drawer draws the detail of a row in lines of w cells.
type drawer func(t *theme.Theme, w int) []string

// drawWay draws the way from here to an API that runs.
func drawWay(t *theme.Theme, w int) []string {
	return drawPoints(t, w, [][2]string{
		{
			"1 design",
			"the wizard asks for the API, its paths, functions and access, and shows the result. Nothing is written until " +
				"you agree.",
		},
		{"2 run", "gatewright sandbox runs all of it on this machine: the gateway, your functions, tables and users."},
		{"3 look", "the dashboard shows who may do what, what a push would change, and the logs."},
		{
			"4 deploy",
			"gatewright push deploys to AWS, one environment at a time. One file tells clients where everything is.",
		},
	})
}

// drawSample draws what the sample makes.
func drawSample(t *theme.Theme, w int) []string {
	f := flow.New(&model.Backend{}, flow.Task{}, "bookshop")
	f.Restore(flow.Sample())
	next, err := f.Backend()
	if err != nil {
		return nil
	}
	var lines []string
	for _, path := range preview.OverviewOf(f.Base, next, "").Paths {
		lines = append(append(lines, drawPath(t, w, path.Title(), path.Access)...), "")
	}
	return lines
}

func drawPath(t *theme.Theme, w int, title string, access matrix.Matrix) []string {
	return append(widget.Wrapped(t, prose.Title, prose.Printable(title), w), widget.MatrixLines(t, access, nil, w)...)
}

// drawLessons returns a drawer of the lessons, those that are done with a mark.
func drawLessons(done []string) drawer {
	return func(t *theme.Theme, w int) []string {
		var lines []string
		for _, lesson := range course.Lessons() {
			mark, style := t.Muted.Render("·"), t.Base
			if slices.Contains(done, lesson.ID) {
				mark, style = t.Good.Render("✓"), t.Muted
			}
			lines = append(lines, mark+" "+style.Render(lesson.Title))
		}
		return lines
	}
}

// drawDraft returns a drawer of the answers of a draft. newProject is as flow.New takes it.
func drawDraft(base *model.Backend, newProject string, d *session.SavedDraft) drawer {
	return func(t *theme.Theme, w int) []string {
		f := flow.New(base, d.Task, newProject)
		f.Restore(d.Answers)
		next := f.Unanswered()
		var points [][2]string
		for _, at := range f.Steps() {
			if f.Passed(at) {
				points = append(points, [2]string{f.Name(at), f.Summary(at)})
			}
		}
		return append(drawPoints(t, w, points), "", t.Muted.Render("next question: ")+t.Accent.Render(f.Name(next)))
	}
}

// drawAPI returns a drawer of the routes of an API.
func drawAPI(api *access.API) drawer {
	return func(t *theme.Theme, w int) []string {
		var lines []string
		for _, line := range preview.Routes(api) {
			lines = append(lines, widget.Wrapped(t, line.Tone, prose.PrintableStart(line.Text), w)...)
		}
		return lines
	}
}

// drawProjectPath returns a drawer of a path of the project.
func drawProjectPath(b *model.Backend, api *access.API, path *access.Path) drawer {
	return func(t *theme.Theme, w int) []string {
		access := matrix.Matrix{
			Path: path.Name, Access: path.Access, Groups: b.Groups, Terms: b.Terms(),
			CreateNote: b.CreateNote(path.Function),
		}
		lines := drawPath(t, w, "function "+phrase.Quote(path.Function), access)
		return append(lines, "", t.Muted.Render("API "+prose.Printable(api.Label)))
	}
}
