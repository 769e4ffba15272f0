package run

import (
	"context"
	"os"

	"github.com/spf13/cobra"

	"gatewright/cli/command"
	"gatewright/internal/file"
	"gatewright/internal/text/phrase"
	"gatewright/project"
	"gatewright/project/read"
	"gatewright/sandbox/live"
	"gatewright/sandbox/state"
)

func newSandboxReset(streams command.Streams) *cobra.Command {
	return &cobra.Command{
		Use:   "reset",
		Short: "Remove the sandbox's data: tables, users, logs, builds",
		Long: `Remove the data of the project's sandbox: items of tables, users, the keys of their tokens, logs,
and built functions. It does not ask first; save a copy with: gatewright sandbox export FILE

Definitions, sources, secrets and deployments stay. It refuses while the sandbox runs.`,
		Example: command.Examples("sandbox export before.tar.gz", "sandbox reset",
			"sandbox export before.tar.gz && gatewright sandbox reset"),
		Args: command.Arguments(),
		RunE: func(*cobra.Command, []string) error {
			return withState(streams, func(folder string) error {
				if err := state.Reset(folder); err != nil {
					return err
				}
				return command.PrintText(streams.Out, "the sandbox's data is removed\n")
			})
		},
	}
}

func newSandboxExport(streams command.Streams) *cobra.Command {
	return &cobra.Command{
		Use:   "export FILE",
		Short: "Save the sandbox's data in one file",
		Long: `Save the data of the project's sandbox in one file (tar, gzip): items of tables, users, logs. - is
standard output. It refuses while the sandbox runs.

The file has verifiers of passwords, but no values of secrets and no keys of tokens: users must sign in again where
it is imported. An existing file is replaced.`,
		Example: command.Examples("sandbox export sandbox.tar.gz", "sandbox export - > sandbox.tar.gz",
			"sandbox export - | ssh build gatewright sandbox import -"),
		Args: command.Arguments("a FILE"), ValidArgsFunction: archiveNames,
		RunE: func(_ *cobra.Command, args []string) error {
			return withState(streams, func(folder string) error {
				export := func() error { return exportTo(folder, command.Absolute(args[0], streams)) }
				if args[0] == "-" {
					export = func() error { return state.Export(folder, streams.Out) }
				}
				if err := export(); err != nil {
					return err
				}
				command.SayWarnings(streams.Err, state.Warnings(folder))
				if args[0] == "-" {
					return nil
				}
				return command.PrintText(streams.Out, "the sandbox's data is exported to "+phrase.QuotePath(args[0])+"\n")
			})
		},
	}
}

// exportTo writes an export; if that fails, the file is not changed.
func exportTo(folder, name string) error {
	begun := false
	err := file.Replace(name, file.Private, func(f *os.File) error {
		begun = true
		return state.Export(folder, f)
	})
	if err != nil && !begun {
		return read.CannotWrite(name, err)
	}
	return err
}

func newSandboxImport(streams command.Streams) *cobra.Command {
	var size string
	cmd := &cobra.Command{
		Use:   "import FILE",
		Short: "Replace the sandbox's data with an export",
		Long: `Replace the data of the project's sandbox with an export. If the file is damaged, nothing changes.
- is standard input. It refuses while the sandbox runs.

The file may unpack to 1 GB or to 100 times its own size, whichever is more; --max-size allows more.`,
		Example: command.Examples("sandbox import sandbox.tar.gz",
			"sandbox import large.tar.gz --max-size 10GB", "sandbox import - < sandbox.tar.gz"),
		Args: command.Arguments("a FILE"), ValidArgsFunction: archiveNames,
		RunE: func(_ *cobra.Command, args []string) error {
			return withState(streams, func(folder string) error {
				from, limits := streams.In, state.ImportLimits{}
				if size != "" {
					var err error
					if limits.Most, err = state.ParseSize(size); err != nil {
						return command.Misuse("--max-size: %s", err)
					}
				}
				if args[0] != "-" {
					f, err := os.Open(command.Absolute(args[0], streams))
					if err != nil {
						return read.CannotRead(args[0], err)
					}
					defer func() { _ = f.Close() }()
					if info, err := f.Stat(); err == nil {
						limits.Archive = info.Size()
					}
					from = f
				}
				if err := state.Import(folder, from, limits); err != nil {
					return err
				}
				command.SayWarnings(streams.Err, state.Warnings(folder))
				return command.PrintText(streams.Out, "the sandbox's data is imported\n")
			})
		},
	}
	cmd.Flags().StringVar(&size, "max-size", "", "how much it may unpack to: a `SIZE` such as 10GB")
	_ = cmd.RegisterFlagCompletionFunc("max-size", cobra.NoFileCompletions)
	return cmd
}

// archiveNames completes the names of .gz files.
func archiveNames(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return []string{"gz"}, cobra.ShellCompDirectiveFilterFileExt
}

// withState calls do with the state folder of the project's sandbox.
func withState(streams command.Streams, do func(state string) error) error {
	root, _, err := project.Find(streams.Dir)
	if err != nil {
		return err
	}
	state, err := live.MakeState(root)
	if err != nil {
		return err
	}
	return command.InTurn(context.Background(), streams, func() error { return do(state) })
}
