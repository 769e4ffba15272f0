package outputs

import (
	"context"

	"gatewright/deploy/contract"
	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/project"
	"gatewright/project/journal"
	"gatewright/project/plan"
)

// WriteClientFile writes the project's client configuration file from the record.
func WriteClientFile(ctx context.Context, p *project.Project, record project.Record, tell func(contract.Event)) error {
	// If another command writes the project's files meanwhile, the file is planned again.
	var planned *plan.Plan
	err := journal.WhenFree(ctx, func() (err error) {
		if planned, err = plan.ClientFileOfRecord(p, record); err == nil {
			err = planned.Commit()
		}
		return err
	}, model.ErrExists)
	if err != nil {
		return err
	}
	for _, c := range planned.Changes {
		kind := contract.Created
		switch {
		case c.Delete:
			kind = contract.Deleted
		case c.Existed:
			kind = contract.Updated
		}
		tell(contract.Event{Kind: kind, Text: "client configuration file " + phrase.QuotePath(c.Path)})
	}
	for _, note := range planned.Notes {
		tell(contract.Event{Kind: contract.Noted, Text: note})
	}
	return nil
}
