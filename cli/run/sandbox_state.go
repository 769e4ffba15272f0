package run

import (
	"os"

	"github.com/spf13/cobra"

	"gatewright/atomicfile"
	"gatewright/cli/command"
	"gatewright/deploy"
	"gatewright/project"
	"gatewright/sandbox"
)

func newSandboxReset(streams command.Streams) *cobra.Command {
	return &cobra.Command{
		Use:   "reset",
		Short: "Remove all that the sandbox keeps: tables, users, logs, builds",
		Long: "Remove all that the sandbox of the project keeps: the items of tables, users, the keys of their tokens, logs, and what it built\n" +
			"for functions. Definitions, sources, secrets and what was pushed stay. It asks nothing; keep a copy with: gatewright sandbox\n" +
			"export FILE. While a sandbox runs it does nothing, and says so.",
		Example: "  gatewright sandbox export before.tar.gz && gatewright sandbox reset",
		Args:    command.Arguments(),
		RunE: func(*cobra.Command, []string) error {
			return withState(streams, func(state string) error {
				if err := sandbox.Reset(state); err != nil {
					return err
				}
				return command.PrintText(streams.Out, "the sandbox is as new\n")
			})
		},
	}
}

func newSandboxExport(streams command.Streams) *cobra.Command {
	return &cobra.Command{
		Use:   "export FILE",
		Short: "Write all that the sandbox keeps into one file",
		Long: "Write all that the sandbox of the project keeps into one file (tar, gzip): the items of tables, users, logs. Of their passwords it\n" +
			"has verifiers; values of secrets and the keys of tokens are not in it, so that who is signed in signs in again elsewhere.\n" +
			"- is standard output. A file that is there is replaced. While a sandbox runs it does nothing, and says so.",
		Example: "  gatewright sandbox export sandbox.tar.gz\n  gatewright sandbox export - | ssh build gatewright sandbox import -",
		Args:    command.Arguments("a FILE"), ValidArgsFunction: archiveNames,
		RunE: func(_ *cobra.Command, args []string) error {
			return withState(streams, func(state string) error {
				if args[0] == "-" {
					return sandbox.Export(state, streams.Out)
				}
				if err := exportTo(state, command.Absolute(args[0], streams)); err != nil {
					return err
				}
				return command.PrintText(streams.Out, "the sandbox is exported to "+project.QuotePath(args[0])+"\n")
			})
		},
	}
}

// exportTo writes an export, whole or not at all.
func exportTo(state, name string) error {
	begun := false
	err := atomicfile.Replace(name, atomicfile.Private, func(f *os.File) error {
		begun = true
		return sandbox.Export(state, f)
	})
	if err != nil && !begun {
		return project.CannotWrite(name, err)
	}
	return err
}

func newSandboxImport(streams command.Streams) *cobra.Command {
	return &cobra.Command{
		Use:   "import FILE",
		Short: "Put what export wrote in the place of all that the sandbox keeps",
		Long: "Put what `gatewright sandbox export` wrote in the place of all that the sandbox of the project keeps: all of it, or nothing\n" +
			"where the file is broken. - is standard input. While a sandbox runs it does nothing, and says so.",
		Example: "  gatewright sandbox import sandbox.tar.gz",
		Args:    command.Arguments("a FILE"), ValidArgsFunction: archiveNames,
		RunE: func(_ *cobra.Command, args []string) error {
			return withState(streams, func(state string) error {
				from := streams.In
				if args[0] != "-" {
					f, err := os.Open(command.Absolute(args[0], streams))
					if err != nil {
						return project.CannotRead(args[0], err)
					}
					defer func() { _ = f.Close() }()
					from = f
				}
				if err := sandbox.Import(state, from); err != nil {
					return err
				}
				return command.PrintText(streams.Out, "the sandbox is as it was exported\n")
			})
		},
	}
}

// archiveNames lets the shell offer the names of files.
func archiveNames(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return []string{"gz"}, cobra.ShellCompDirectiveFilterFileExt
}

// withState does something with the sandbox's state of the project that the
// command runs in.
func withState(streams command.Streams, do func(state string) error) error {
	root, _, err := project.Find(streams.Dir)
	if err != nil {
		return err
	}
	state, err := deploy.MakeSandboxState(root)
	if err != nil {
		return err
	}
	return do(state)
}
