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
		Short: "Print the JSON Schema of a kind of file, or list them",
		Long: "Print the JSON Schema of a kind of file of a project. Without NAME, list the schemas.\n" +
			"An editor uses the schema to complete and check the file while you type.\n\n" +
			"The $schema of a file, such as " + schemas.ID("auth") + ", names its schema and is no address,\n" +
			"so an editor has to be told where the schema is. With --write, VS Code is: the schemas become\n" +
			"entries of json.schemas in " + plan.EditorSettings + ", where other settings and comments stay as they are.\n" +
			"Commit that file, and it works in every clone, if the folder of the project is the one that is\n" +
			"opened. For other editors, every schema is copied to " + plan.SchemaFolder +
			", which git ignores: there, each\n" +
			"clone runs this once. After an update of gatewright, run it again.",
		Example: "  gatewright schema\n  gatewright schema cli-inputs > cli-inputs.schema.json\n  gatewright schema --write",
		Args:    command.Optional("a NAME"),
		RunE: func(_ *cobra.Command, args []string) error {
			switch {
			case copies && len(args) > 0:
				return command.Misuse("--write writes all schemas: leave %s out", phrase.Quote(args[0]))
			case copies:
				return writeSchemas(write, streams)
			case write.DryRun || write.Diff:
				return command.Misuse("--dry-run and --diff are for --write: add it")
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
	cmd.Flags().BoolVar(&copies, "write", false, "write the schemas and the settings of VS Code into the project")
	cmd.Flags().Lookup("json").Usage = "list, or report, as JSON; a schema is always JSON"
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
