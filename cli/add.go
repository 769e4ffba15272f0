package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"gatewright/model"
	"gatewright/project"
	"gatewright/tui/flow"
)

func newAdd(streams Streams) *cobra.Command {
	cmd := grouping(&cobra.Command{Use: "add", Short: "Add something to the project"})
	cmd.AddCommand(newAddAPI(streams))
	return cmd
}

func newAddAPI(streams Streams) *cobra.Command {
	var (
		write          writeFlags
		screens        screenFlags
		from, template string
	)
	cmd := &cobra.Command{
		Use:   "api [NAME --from FILE]",
		Short: "Add a REST API: in the wizard, or from a cli-inputs.json",
		Long: "Without --from, in a terminal: design an API in the wizard. With it: add a REST API whose paths, functions and access a cli-inputs.json (or an older api-params.json) says.\n" +
			"Groups that it names and the project lacks are added in their order of appearance; functions that it names\n" +
			"and the project lacks are made with --create-functions.",
		Example: "  gatewright add api\n" +
			"  gatewright add api shop --from cli-inputs.json --create-functions express\n" +
			"  curl -s $URL | gatewright add api shop --from - --dry-run --diff",
		RunE: func(cmd *cobra.Command, args []string) error {
			if from == "" && len(args) == 0 && hasScreen(streams) {
				return screens.show(streams, &flow.Task{})
			}
			if err := arguments("a NAME for the API")(cmd, args); err != nil {
				return err
			}
			label := args[0]
			if from == "" {
				return misuse("add api needs --from FILE, a cli-inputs.json, or - for standard input; alone in a terminal it opens the wizard")
			}
			if template != "" && !slices.Contains(model.Templates, model.Template(template)) {
				return misuse("--create-functions takes express, crud or plain, not %s", model.Quote(template))
			}
			name, data, err := readInput(from, streams)
			if err != nil {
				return err
			}
			api, problems, err := project.ReadAPI(name, label, data)
			if err != nil {
				return err
			}
			var notes []string
			p, plan, err := edit(streams, func(p *project.Project, b *model.Backend) error {
				var err error
				notes, err = addAPI(p, b, api, model.Template(template))
				return err
			})
			if err != nil {
				return err
			}
			defer func() { _ = p.Close() }()
			plan.Notes = append(notes, plan.Notes...)
			return write.write(plan, "added api "+label+" with "+model.Count(len(api.Paths), "path"), problems, streams)
		},
	}
	cmd.Flags().StringVar(&from, "from", "", "the file to read; - is standard input")
	cmd.Flags().StringVar(&template, "create-functions", "", "make functions that are missing, from this template: express, crud or plain")
	screens.add(cmd)
	write.add(cmd)
	_ = cmd.RegisterFlagCompletionFunc("create-functions", cobra.FixedCompletions(templateNames(), cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

func templateNames() []string {
	var names []string
	for _, t := range model.Templates {
		names = append(names, string(t))
	}
	return names
}

// addAPI adds an API with the groups and, if a template is given, the functions
// that it names and the project lacks. It returns what it added beside the API.
func addAPI(p *project.Project, b *model.Backend, api *model.API, template model.Template) (notes []string, err error) {
	for _, group := range api.Groups() {
		switch {
		case slices.Contains(b.Groups, group):
		case p.Layout == project.Amplify:
			notes = append(notes, "the user pool has no group "+model.Quote(group)+"; add it with: amplify update auth")
		default:
			if err := b.AddReadGroup(group); err != nil {
				return nil, err
			}
			notes = append(notes, "added group "+model.Quote(group)+", last in the order of precedence")
		}
	}
	var missing []string
	for _, name := range api.Functions() {
		switch {
		case name == "" || b.Function(name) != nil:
		case template != "":
			made, err := addFunction(b, name, template)
			if err != nil {
				return nil, err
			}
			notes = append(notes, made...)
		case p.Layout == project.Amplify:
			notes = append(notes, "the project has no function "+model.Quote(name)+"; add it with: amplify add function")
		default:
			missing = append(missing, name)
		}
	}
	if len(missing) > 0 {
		return nil, fmt.Errorf("api %s names functions that the project lacks: %s; make them with --create-functions express, crud or plain",
			model.Quote(api.Label), quotedList(missing))
	}
	return notes, b.AddAPI(api)
}

// addFunction makes a function from a template, for a CRUD function with a table
// of its own.
func addFunction(b *model.Backend, name string, template model.Template) (notes []string, err error) {
	f := &model.Function{Name: name, Runtime: model.NodeJS, Template: template, Handler: model.NodeJS.Handler()}
	if template == model.CRUD {
		f.Table = name
		if len(name) < 3 {
			f.Table += "-table"
		}
		f.Access = []model.ResourceAccess{{Resource: string(model.KindTable) + "/" + f.Table, Actions: model.EveryAction}}
		if b.Table(f.Table) == nil {
			table := &model.Table{Name: f.Table, PartitionKey: model.Key{Name: "id", Type: model.StringKey}}
			if err := b.AddTable(table); err != nil {
				return nil, err
			}
			notes = append(notes, "added table "+model.Quote(f.Table)+" with the partition key id (string)")
		}
	}
	if err := b.AddFunction(f); err != nil {
		return nil, err
	}
	return append(notes, "added function "+model.Quote(name)+" from the template "+template.Title()), nil
}

// readInput reads a file that a person named, or standard input for "-", up to
// the size that a project's file may have.
func readInput(name string, streams Streams) (shown string, data []byte, err error) {
	if name == "-" {
		data, err = io.ReadAll(io.LimitReader(streams.In, project.MaxFile+1))
		if err != nil {
			return "", nil, fmt.Errorf("reading standard input: %w", err)
		}
		return "standard input", data, nil
	}
	path := name
	if !filepath.IsAbs(path) {
		path = filepath.Join(streams.Dir, path)
	}
	f, err := os.Open(path)
	if err != nil {
		return "", nil, inputError(name, err)
	}
	defer func() { _ = f.Close() }()
	data, err = io.ReadAll(io.LimitReader(f, project.MaxFile+1))
	if err != nil {
		return "", nil, inputError(name, err)
	}
	return filepath.ToSlash(name), data, nil
}

func inputError(name string, err error) error {
	var pathError *os.PathError
	if errors.As(err, &pathError) {
		err = pathError.Err
	}
	return &project.Problem{File: filepath.ToSlash(name), Text: "cannot be read: " + err.Error(), Fix: "check the name and its permissions"}
}

func quotedList(names []string) string {
	quoted := make([]string, len(names))
	for i, name := range names {
		quoted[i] = model.Quote(name)
	}
	return strings.Join(quoted, ", ")
}
