// Package route names the pages: whoever wants to go to one needs its route, and
// nothing else of it.
package route

import "gatewright/flow"

// Dashboard is the dashboard. Environment is the one that it begins with; "" is the
// one chosen on this machine, else the first.
type Dashboard struct{ Environment string }

// Title is the page's name.
func (Dashboard) Title() string { return "dashboard" }

// Welcome is the first screen where there is no project.
type Welcome struct{}

// Title is the page's name.
func (Welcome) Title() string { return "welcome" }

// Console is the test console. What is "" is the first there is, and GET.
type Console struct {
	API, Path, Method, Environment string
	// Test begins with the test of the gateway's console.
	Test bool
}

// Title is the page's name.
func (Console) Title() string { return "console" }

// Wizard is the wizard for a task.
type Wizard struct {
	Task  flow.Task
	Start Start
}

// Start is which answers the wizard begins with.
type Start uint8

// The usual ones, those of the draft, those of the sample.
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

// Course is the list of lessons. Lesson is the one to open at once; "" is none.
type Course struct{ Lesson string }

// Title is the page's name.
func (Course) Title() string { return "the course" }
