package deploy

import (
	"context"

	"gatewright/model"
	"gatewright/project"
	"gatewright/project/journal"
)

// writeClientFile writes the project's client configuration file from the record.
func writeClientFile(ctx context.Context, p *project.Project, record project.Record, tell func(Event)) error {
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
		kind := Created
		switch {
		case c.Delete:
			kind = Deleted
		case c.Existed:
			kind = Updated
		}
		tell(Event{Kind: kind, Text: "client configuration file " + model.QuotePath(c.Path)})
	}
	for _, note := range plan.Notes {
		tell(Event{Kind: Noted, Text: note})
	}
	return nil
}
