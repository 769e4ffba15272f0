package plan

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"

	"gatewright/project/journal"
	"gatewright/project/read"
)

// SetContract adds to a plan that an API gets a contract, which may be the one that it has.
func (p *Plan) SetContract(label string, text []byte) error {
	name := p.project.ContractFile(label)
	if len(text) > read.MaxFile {
		return &read.Problem{
			File: name, Text: fmt.Sprintf("would have %d bytes", len(text)), Fix: read.TooLargeFix,
			Cause: read.ErrTooLarge,
		}
	}
	was, err := p.project.Contract(label)
	if err != nil || bytes.Equal(was, text) {
		return err
	}
	p.Changes = append(p.Changes, journal.Change{Path: name, Existed: was != nil, Old: was, New: text})
	slices.SortFunc(p.Changes, func(a, b journal.Change) int { return cmp.Compare(a.Path, b.Path) })
	return nil
}

// contracts plans that contracts go with their APIs: they are deleted with them, and in a
// project of the Amplify CLI, where they are in a folder of their own, moved.
func (pl *planner) contracts() error {
	var moved []journal.Change
	for _, p := range pl.apiPairs() {
		gone, moves := p.now == nil, p.old != nil && p.now != nil && p.from != p.to && pl.Amplify != nil
		if !gone && !moves {
			continue
		}
		text, err := pl.Contract(p.from)
		switch {
		case err != nil:
			return err
		case text == nil:
			continue
		case moves:
			moved = append(moved, journal.Change{Path: pl.ContractFile(p.to), New: text})
		}
		pl.put(journal.Change{Path: pl.ContractFile(p.from), Existed: true, Old: text, Delete: true})
	}
	// All deletions come before the new files, since two APIs may swap their names.
	for _, c := range moved {
		if err := pl.refuseExisting(c.Path); err != nil {
			return err
		}
		pl.put(c)
	}
	return nil
}
