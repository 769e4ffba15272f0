package access

import (
	"gatewright/internal/text/prose"
	"gatewright/sandbox/traffic"
)

// served says which function serves a path, and how its calls went; nothing without a sandbox.
func (t *Tab) served(r *row) []prose.Line {
	o := t.board.Sandbox
	if r.Path == nil || !o.Runs() {
		return nil
	}
	var of *traffic.Counts
	if s := t.board.Snap; s != nil {
		of = o.Counts.Path(s.Name(), r.api.Label, r.Path.Name)
	}
	return append([]prose.Line{{}, {Text: "served by " + prose.PrintableStart(r.Path.Function)}}, t.board.PathLines(of)...)
}
