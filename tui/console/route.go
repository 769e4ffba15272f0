// Package console is the page of the test console: a request to an API that the
// sandbox serves, and all that is known of the answer beside it. What needs no
// terminal, filling in, sending, telling and keeping, is package request.
package console

// Route is the test console. What is "" is the first there is, and GET.
type Route struct {
	API, Path, Method, Environment string
	// Test begins with the test of the gateway's console.
	Test bool
}

// Title is the page's name.
func (Route) Title() string { return "console" }

// Options are what the console needs of its caller.
type Options struct {
	// Dir is in the project.
	Dir string
	// ReadOnly is why nothing may change: only GET, HEAD and OPTIONS are sent, and
	// nothing is kept. "" where anything may be sent.
	ReadOnly string
}
