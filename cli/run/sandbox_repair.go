package run

import (
	"fmt"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"gatewright/cli/command"
	"gatewright/internal/text/phrase"
	"gatewright/sandbox/state"
)

// repairReport is what sandbox repair did, as JSON.
type repairReport struct {
	Files []repairedFile `json:"files"`
}

type repairedFile struct {
	File   string          `json:"file"`
	Damage string          `json:"damage"`
	Aside  string          `json:"aside"`
	Tables []repairedTable `json:"tables"`
	// Users is nil for the file of the tables.
	Users *int `json:"users,omitempty"`
	// Whole is set if everything is kept: only the checksums were damaged, which are aside.
	Whole bool `json:"whole"`
}

type repairedTable struct {
	Table string `json:"table"`
	Kept  int    `json:"kept"`
	// Of is nil if it is not known how many items there were.
	Of *int `json:"of,omitempty"`
	// Stale is how many of them may have been changed or deleted since.
	Stale  int  `json:"stale"`
	Stream bool `json:"stream"`
}

func newSandboxRepair(streams command.Streams) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "repair",
		Short: "Save what is whole of damaged tables and users",
		Long: `Check the files of the sandbox's tables and users. A damaged file is replaced by a new one with
everything that is whole, and the report says how many items of each table that is.

The damaged file is kept in the folder damaged in the sandbox's data, and gatewright never removes it. Users who are
kept must sign in again. If only the checksums of a file are damaged, repair checks everything that can be checked
without them, and ends the warning. It refuses while the sandbox runs.`,
		Example: command.Examples("sandbox repair", "sandbox repair --json", "sandbox repair --json | jq ."),
		Args:    command.Arguments(),
		RunE: func(*cobra.Command, []string) error {
			return withState(streams, func(folder string) error {
				done, err := state.Repair(folder, time.Now())
				if err != nil {
					return err
				}
				report := newRepairReport(done)
				if asJSON {
					return command.PrintJSON(streams.Out, report)
				}
				return command.PrintText(streams.Out, report.text())
			})
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "report as JSON")
	return cmd
}

func newRepairReport(done []state.Repaired) repairReport {
	r := repairReport{Files: []repairedFile{}}
	for _, d := range done {
		f := repairedFile{File: d.File, Damage: d.Damage, Aside: d.Aside, Tables: []repairedTable{}, Whole: d.Whole}
		if d.OfUsers && !d.Whole {
			f.Users = &d.Users
		}
		for _, t := range d.Tables {
			kept := repairedTable{Table: t.Table, Kept: t.Items, Stale: t.Stale, Stream: t.Stream}
			if t.Of >= 0 {
				kept.Of = &t.Of
			}
			f.Tables = append(f.Tables, kept)
		}
		r.Files = append(r.Files, f)
	}
	return r
}

func (r repairReport) text() string {
	if len(r.Files) == 0 {
		return "nothing is damaged: tables and users are as they were written\n"
	}
	text := ""
	for _, f := range r.Files {
		name := filepath.Base(f.File)
		if f.Whole {
			text += name + ": " + f.Damage + "\n" +
				"  no damage was found, and all of it is kept\n" +
				"  the damaged checksums are kept as " + phrase.QuotePath(f.Aside) + "\n"
			continue
		}
		text += name + " was damaged: " + f.Damage + "\n"
		if f.Users != nil {
			text += fmt.Sprintf("  kept: users: %d; others may be missing, and everybody must sign in again\n", *f.Users)
		} else if len(f.Tables) == 0 {
			text += "  nothing could be kept\n"
		}
		for _, t := range f.Tables {
			text += "  kept: " + t.text() + "\n"
		}
		text += "  the damaged file is kept as " + phrase.QuotePath(f.Aside) + "\n"
	}
	return text
}

func (t repairedTable) text() string {
	text := fmt.Sprintf("items of table %s: %d; others may be missing", phrase.Quote(t.Table), t.Kept)
	if t.Of != nil {
		text = fmt.Sprintf("items of table %s: %d of %d", phrase.Quote(t.Table), t.Kept, *t.Of)
	}
	if t.Stale > 0 {
		text += fmt.Sprintf("; %d of these may have been changed or deleted since, and are back as they were", t.Stale)
	}
	if t.Stream {
		text += "; the records of its stream are lost"
	}
	return text
}
