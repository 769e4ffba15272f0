package inspect

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"gatewright/cli/command"
	"gatewright/internal/text/phrase"
	"gatewright/project/plan"
	"gatewright/schemas"
)

// listedSchema is an entry of the list of schemas.
type listedSchema struct {
	Name  string `json:"name"`
	ID    string `json:"id"`
	Title string `json:"title"`
}

// NewSchema makes the command schema.
func NewSchema(streams command.Streams) *cobra.Command {
	var write command.WriteFlags
	var copies bool
	cmd := &cobra.Command{
		Use:   "schema [NAME]",
		Short: "Print a file's JSON Schema, or set up your editor",
		Long: `Print the JSON Schema of a kind of project file, or list all schemas. An editor uses a schema to
complete and check the file while you type; --write sets up VS Code.

The $schema of a file, such as urn:gatewright:2024-02:auth, names its schema and is not an address, so an editor
needs to know where the schema is. --write adds the schemas to json.schemas in .vscode/settings.json, and keeps your
other settings and comments. Commit that file, and it works in every clone, if the folder that you open is the
project's.

For other editors, --write copies every schema to .gatewright/schemas, which git ignores: run it once in each clone.
After an update of gatewright, run it again.`,
		Example: command.Examples("schema", "schema cli-inputs > cli-inputs.schema.json", "schema --write"),
		Args:    command.Optional("a NAME"),
		RunE: func(_ *cobra.Command, args []string) error {
			switch {
			case copies && len(args) > 0:
				return command.Misuse("--write writes all schemas; leave out %s", phrase.Quote(args[0]))
			case copies:
				return writeSchemas(write, streams)
			case write.DryRun || write.Diff:
				return command.Misuse("--dry-run and --diff need --write")
			case len(args) == 0:
				return listSchemas(write.JSON, streams)
			}
			text, err := schemas.Source(args[0])
			if err != nil {
				return command.Misuse("%s", err)
			}
			return command.PrintText(streams.Out, string(text))
		},
		ValidArgsFunction: cobra.FixedCompletions(schemas.Names(), cobra.ShellCompDirectiveNoFileComp),
	}
	write.Add(cmd)
	cmd.Flags().BoolVar(&copies, "write", false, "write all schemas and VS Code's settings")
	cmd.Flags().Lookup("json").Usage = "list or report as JSON; a schema is always JSON"
	return cmd
}

// writeSchemas writes the schemas for editors. A project with errors is not refused.
func writeSchemas(write command.WriteFlags, streams command.Streams) error {
	p, err := command.OpenProject(streams)
	if err != nil {
		return err
	}
	defer func() { _ = p.Close() }()
	plan, err := plan.Schemas(p)
	if err != nil {
		return err
	}
	return write.Write(plan, "editors have the schemas of the project's files", nil, streams)
}

func listSchemas(asJSON bool, streams command.Streams) error {
	list := []listedSchema{}
	for _, name := range schemas.Names() {
		text, err := schemas.Source(name)
		if err != nil {
			return err
		}
		var head struct {
			Title string `json:"title"`
		}
		if err := json.Unmarshal(text, &head); err != nil {
			return fmt.Errorf("reading the schema %s: %w", name, err)
		}
		list = append(list, listedSchema{name, schemas.ID(name), head.Title})
	}
	if asJSON {
		return command.PrintJSON(streams.Out, list)
	}
	var b strings.Builder
	var rows [][]string
	for _, s := range list {
		rows = append(rows, []string{s.Name, s.Title})
	}
	command.WriteColumns(&b, "", command.WidthOf(streams.Out), rows)
	return command.PrintText(streams.Out, b.String())
}
