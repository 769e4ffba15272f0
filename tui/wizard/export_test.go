package wizard

import (
	"gatewright/flow"
	"gatewright/model"
)

// Written reports whether the wizard has written its files.
func (p *Page) Written() bool { return p.done != nil }

// Reviewing reports whether the review is shown.
func (p *Page) Reviewing() bool { return p.done == nil && p.step.Kind == flow.Review }

// Answers are the answers so far.
func (p *Page) Answers() flow.Answers { return p.flow.Answers() }

// Base is the backend that the wizard began with.
func (p *Page) Base() *model.Backend { return p.project.Backend }

// BrokenCommand is brokenCommand for the tests.
func BrokenCommand(command string, w int) []string { return brokenCommand(command, w) }

// Flow is what has the answers.
func (p *Page) Flow() *flow.Flow { return p.flow }

// Visit shows a step.
func (p *Page) Visit(at flow.ID) { p.visit(at) }
