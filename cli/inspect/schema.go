package inspect

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"gatewright/cli/command"
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
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "schema [NAME]",
		Short: "Print the JSON Schema of a kind of file, or list them",
		Long: "Print the JSON Schema of a kind of file of a project. Without NAME, list the schemas.\n" +
			"An editor uses the schema to complete and check the file while you type.",
		Example: "  gatewright schema\n  gatewright schema cli-inputs > cli-inputs.schema.json",
		Args:    command.Optional("a NAME"),
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return listSchemas(asJSON, streams)
			}
			text, err := schemas.Source(args[0])
			if err != nil {
				return command.Misuse("%s", err)
			}
			return command.PrintText(streams.Out, string(text))
		},
		ValidArgsFunction: cobra.FixedCompletions(schemas.Names(), cobra.ShellCompDirectiveNoFileComp),
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "list as JSON; a schema is always JSON")
	return cmd
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
