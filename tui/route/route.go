// Package route has the routes of the pages, so that one page can open another without
// importing it.
package route

import "gatewright/flow"

// Dashboard is the dashboard. Environment is the one that it shows at first; "" is the
// one chosen on this machine, else the first.
type Dashboard struct{ Environment string }

// Title is the page's name.
func (Dashboard) Title() string { return "dashboard" }

// Welcome is the first page in a folder without a project.
type Welcome struct{}

// Title is the page's name.
func (Welcome) Title() string { return "welcome" }

// Console is the test console. An empty API, Path or Environment is the first one, an
// empty Method is GET.
type Console struct {
	API, Path, Method, Environment string
	// Test starts in the mode of the API Gateway console's test.
	Test bool
	// Filled is a request that the form begins with; the zero value is none.
	Filled Filled
}

// Filled is a request as it was sent, in texts only, so that a route stays comparable. The
// Console's API, Method and Environment say the rest; its Path may be empty, because Target
// leads to it. Headers that hold credentials are left out of the form.
type Filled struct {
	// Target is the URL's path without the stage, with its query: /books/1?limit=3. An empty
	// one fills in nothing.
	Target string
	// Headers are lines such as "X-Trace: 1", with a line break between them.
	Headers string
	Body    string
	// As is who signs, as the flag --as of call takes it: guest, authenticated, group:NAME,
	// user:NAME; "" for nobody.
	As string
}

// Title is the page's name.
func (Console) Title() string { return "console" }

// Wizard is the wizard for a task.
type Wizard struct {
	Task  flow.Task
	Start Start
}

// Start says which answers the wizard starts with.
type Start uint8

// The wizard starts with the usual answers, with those of the draft, or with those of
// the sample.
const (
	Fresh Start = iota
	FromDraft
	FromSample
)

// Title is the page's name.
func (w Wizard) Title() string {
	switch {
	case w.Task.Path != "":
		return "change a path"
	case w.Task.API != "":
		return "add a path"
	}
	return "new API"
}

// Course is the list of lessons. Lesson is the ID of one to open at once; "" for none.
type Course struct{ Lesson string }

// Title is the page's name.
func (Course) Title() string { return "the course" }
