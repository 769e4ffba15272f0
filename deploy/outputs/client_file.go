package outputs

import (
	"context"

	"gatewright/deploy/contract"
	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/project"
	"gatewright/project/journal"
)

// WriteClientFile writes the project's client configuration file from the record.
func WriteClientFile(ctx context.Context, p *project.Project, record project.Record, tell func(contract.Event)) error {
	// If another command writes the project's files meanwhile, the file is planned again.
	var plan *project.Plan
	err := journal.WhenFree(ctx, func() (err error) {
		if plan, err = p.PlanClientFileOfRecord(record); err == nil {
			err = plan.Commit()
		}
		return err
	}, model.ErrExists)
	if err != nil {
		return err
	}
	for _, c := range plan.Changes {
		kind := contract.Created
		switch {
		case c.Delete:
			kind = contract.Deleted
		case c.Existed:
			kind = contract.Updated
		}
		tell(contract.Event{Kind: kind, Text: "client configuration file " + phrase.QuotePath(c.Path)})
	}
	for _, note := range plan.Notes {
		tell(contract.Event{Kind: contract.Noted, Text: note})
	}
	return nil
}
