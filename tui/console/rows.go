package console

import (
	"errors"

	"gatewright/model"
	"gatewright/request"
	"gatewright/sandbox"
)

// refresh makes the rows anew; the cursor stays on its row.
func (p *Page) refresh() {
	var had request.Row
	if p.at < len(p.rows) {
		had = p.rows[p.at]
	}
	p.form = p.form.Copy()
	p.rows = p.form.Rows()
	p.at = max(0, min(p.at, len(p.rows)-1))
	for i, r := range p.rows {
		if r == had {
			p.at = i
		}
	}
}

// destination says where requests go.
func destination(w *request.World, e *request.Environment) string {
	switch {
	case errors.Is(w.Down, sandbox.ErrNotRunning):
		return noSandbox
	case w.Down != nil:
		return w.Down.Error()
	case e == nil:
		return "sandbox at " + w.Address + "; the project has no environment"
	case e.Closed != "":
		return "environment " + model.Quote(e.Name) + ": " + e.Closed
	case e.Tree:
		return model.Quote(e.Name) + " from the working tree, at " + w.Address
	}
	return model.Quote(e.Name) + " as it was pushed, at " + w.Address
}
