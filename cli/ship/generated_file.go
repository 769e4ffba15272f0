package ship

import (
	"bytes"
	"path/filepath"

	"github.com/spf13/cobra"

	"gatewright/cli/command"
	"gatewright/model"
	"gatewright/project"
	"gatewright/project/journal"
)

// generatedFlags are the flags of a command that generates one file from the definition.
type generatedFlags struct {
	out                                      string
	stdout, check, force, dryRun, diff, json bool
}

// ofAPI has a command take an API, check its flags, and run in the project.
func ofAPI(
	cmd *cobra.Command, streams command.Streams, conflicts func(given func(string) bool) error,
	run func(*project.Project, []string) error,
) {
	cmd.Args, cmd.ValidArgsFunction = command.Optional("an API"), command.CompleteNames(streams, model.KindAPI)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if err := conflicts(cmd.Flags().Changed); err != nil {
			return err
		}
		return command.WithProject(streams, func(p *project.Project) error { return run(p, args) })
	}
}

// add adds the flags. standard says which file is written without --out, and endings are those
// that its names may have.
func (g *generatedFlags) add(cmd *cobra.Command, standard string, endings ...string) {
	flags := cmd.Flags()
	flags.StringVar(&g.out, "out", "", "the `FILE` to write (default: "+standard+")")
	flags.BoolVar(&g.stdout, "stdout", false, "print the file, and write nothing")
	flags.BoolVar(&g.check, "check", false, "write nothing; exit with 3 if the file is stale")
	flags.BoolVar(&g.force, "force", false, "overwrite a file that this command did not write")
	flags.BoolVar(&g.dryRun, "dry-run", false, "write nothing; report what would be written")
	flags.BoolVar(&g.diff, "diff", false, "show the unified diff of the file")
	flags.BoolVar(&g.json, "json", false, "report as JSON")
	_ = cmd.MarkFlagFilename("out", endings...)
}

// conflicts returns an error for flags that exclude each other, or are empty.
func (g *generatedFlags) conflicts(given func(string) bool) error {
	if err := filled(given, map[string]string{"out": g.out}); err != nil {
		return err
	}
	return exclusive(given, []exclusion{
		{"stdout", "out check force dry-run diff json"},
		{"check", "dry-run diff force"},
	})
}

// generatedFile is a file that is generated from the definition of an API.
type generatedFile struct {
	targetFile
	*generatedFlags
	streams command.Streams
	text    []byte
	// mark is a text that is near the beginning of each file that the command wrote.
	mark string
	// headline names the file, what was done with it, and its source.
	headline func(did string) string
}

// fileState is what a report says of the file on disk.
type fileState struct {
	// UpToDate says that the file needs no change.
	UpToDate bool   `json:"upToDate"`
	Written  bool   `json:"written"`
	Diff     string `json:"diff,omitempty"`
}

// find finds the file, which has a standard name in the folder of the command. It must not be
// the contract of the API, or a part of the definition.
func (f *generatedFile) find(p *project.Project, label, standard string) error {
	f.name = f.out
	if f.name == "" {
		f.name = standard
	}
	f.path, f.another = command.Absolute(f.name, f.streams), "give another file with --out"
	f.name = filepath.ToSlash(f.name)
	if err := f.look(); err != nil {
		return err
	}
	if contract := filepath.Join(p.Root, filepath.FromSlash(p.ContractFile(label))); f.isAt(contract) {
		return f.problem("is the contract of the API, which this command reads", f.another)
	}
	for _, name := range p.DefinitionFiles() {
		if f.exists && f.isAt(filepath.Join(p.Root, filepath.FromSlash(name))) {
			return f.problem("is part of the project's definition", f.another)
		}
	}
	return nil
}

// settle writes the file, or with --check or --dry-run says what would be written. state is the
// part of the report that it fills in.
func (f *generatedFile) settle(report any, state *fileState) error {
	state.UpToDate = f.exists && (bytes.Equal(f.was, f.text) || linesOf(f.was) == linesOf(f.text))
	if f.check {
		return f.compare(report, state)
	}
	if !state.UpToDate {
		if err := f.refuse(); err != nil {
			return err
		}
		if f.diff {
			state.Diff = project.Diff(journal.Change{Path: f.name, Existed: f.exists, Old: f.was, New: f.text})
		}
		if !f.dryRun {
			if err := f.replace(f.text); err != nil {
				return err
			}
			state.Written = true
		}
	}
	if f.json {
		return command.PrintJSON(f.streams.Out, report)
	}
	did := "is up to date"
	switch {
	case state.Written:
		did = "is written"
	case !state.UpToDate:
		did = "would be written"
	}
	if state.Diff != "" {
		command.Say(f.streams.Err, "%s", f.headline(did))
		return command.PrintText(f.streams.Out, state.Diff)
	}
	return command.PrintText(f.streams.Out, command.Folded("", f.headline(did), command.WidthOf(f.streams.Out)))
}

// compare reports whether the file on disk is stale.
func (f *generatedFile) compare(report any, state *fileState) error {
	out, did := f.streams.Out, "is stale"
	switch {
	case state.UpToDate:
		did = "is up to date"
	case !f.exists:
		did = "does not exist"
	}
	say := func() error { return command.PrintText(out, command.Folded("", f.headline(did), command.WidthOf(out))) }
	if f.json {
		say = func() error { return command.PrintJSON(out, report) }
	}
	if err := say(); err != nil || state.UpToDate {
		return err
	}
	return command.ExitDiffers
}

// firstLines is how many bytes of a file have the mark of the command that wrote it.
const firstLines = 1024

// refuse returns why the file on disk must not be replaced; nil if it may be.
func (f *generatedFile) refuse() error {
	start := f.was[:min(len(f.was), firstLines)]
	if !f.exists || f.force || len(bytes.TrimSpace(start)) == 0 || bytes.Contains(start, []byte(f.mark)) {
		return nil
	}
	return f.problem("was not written by this command, and its content would be lost",
		f.another+", or --force to overwrite it")
}
