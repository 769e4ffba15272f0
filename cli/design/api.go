package design

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"gatewright/cli/command"
	"gatewright/cli/screen"
	"gatewright/flow"
	"gatewright/model"
	"gatewright/project"
)

// apiFlags are the flags of the commands that read an API from a file.
type apiFlags struct{ from, template string }

func (f *apiFlags) add(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.from, "from", "", "the `FILE` to read, a cli-inputs.json; - is standard input")
	addTemplate(cmd, &f.template, "create-functions", "make functions that are missing, from this `TEMPLATE`: express, crud or plain")
	_ = cmd.MarkFlagFilename("from", "json")
}

// addTemplate adds a flag that names a template.
func addTemplate(cmd *cobra.Command, value *string, name, usage string) {
	cmd.Flags().StringVar(value, name, "", usage)
	_ = cmd.RegisterFlagCompletionFunc(name, command.CompleteWords(command.Words(model.Templates)...))
}

// templateOf is the template that a flag names; "" where it is not given.
func templateOf(flag, text string) (model.Template, error) {
	if text != "" && !slices.Contains(command.Words(model.Templates), text) {
		return "", command.Misuse("--%s takes express, crud or plain, not %s", flag, model.Quote(text))
	}
	return model.Template(text), nil
}

// read reads the API that the flags name, under the label that label gives once
// the file is there.
func (f *apiFlags) read(label func() (string, error), streams command.Streams) (*model.API, []*project.Problem, model.Template, error) {
	template, err := templateOf("create-functions", f.template)
	if err != nil {
		return nil, nil, "", err
	}
	name, data, err := command.ReadInput(f.from, streams)
	if err != nil {
		return nil, nil, "", err
	}
	called, err := label()
	if err != nil {
		return nil, nil, "", err
	}
	api, problems, err := project.ReadAPI(name, called, data)
	return api, problems, template, err
}

// labelled is a label that is known from the start.
func labelled(label string) func() (string, error) {
	return func() (string, error) { return label, nil }
}

func newAddAPI(streams command.Streams) *cobra.Command {
	var (
		write   editFlags
		screens screen.Flags
		file    apiFlags
		path    string
		first   pathFlags
	)
	cmd := &cobra.Command{
		Use:   "api [NAME (--from FILE | --path PATH --function FN)]",
		Short: "Add a REST API: in the wizard, from a file, or with a first path",
		Long: "Alone, in a terminal: design an API in the wizard.\n" +
			"With --from: add a REST API whose paths, functions and access a cli-inputs.json (or an older api-params.json) says.\n" +
			"Groups that it names and the project lacks are added in their order of appearance; functions that it names\n" +
			"and the project lacks are made with --create-functions.\n" +
			"With --path: add a REST API with that path, as add path does.",
		Example: "  gatewright add api\n" +
			"  gatewright add api shop --from cli-inputs.json --create-functions express\n" +
			"  curl -s $URL | gatewright add api shop --from - --dry-run --diff\n" +
			"  gatewright add api shop --path /books --function books --new-function express --auth all --guest read",
		RunE: func(cmd *cobra.Command, args []string) error {
			given := cmd.Flags().Changed
			pathly := slices.ContainsFunc(first.names(), given)
			if len(args) == 0 && !given("from") && !given("path") && !pathly && screen.Available(streams) {
				return screens.Show(streams, &flow.Task{})
			}
			if err := command.Arguments("a NAME for the API")(cmd, args); err != nil {
				return err
			}
			of := model.Ref{Kind: model.KindAPI, Name: args[0]}
			switch {
			case given("from") && (given("path") || pathly):
				return command.Misuse("add api takes --from FILE or --path PATH with its flags, not both")
			case given("path") && given("create-functions"):
				return command.Misuse("--create-functions goes with --from; with --path give --new-function")
			case given("path"):
				return write.change(streams, func(e *editing) error {
					return first.addAPI(cmd, e, of, path)
				})
			case file.from == "":
				return command.Misuse("add api needs --from FILE, a cli-inputs.json or - for standard input, or --path PATH; alone in a terminal it opens the wizard")
			}
			api, problems, template, err := file.read(labelled(of.Name), streams)
			if err != nil {
				return err
			}
			return write.change(streams, func(e *editing) error {
				e.problems = problems
				return e.addAPI(api, template)
			})
		},
	}
	file.add(cmd)
	cmd.Flags().StringVar(&path, "path", "", "the API's first `PATH`, such as /items or /book/{isbn}")
	first.add(cmd, streams)
	screens.Add(cmd)
	write.Add(cmd)
	return cmd
}

func newUpdateAPI(streams command.Streams) *cobra.Command {
	var (
		write editFlags
		file  apiFlags
	)
	cmd := &cobra.Command{
		Use:   "api NAME --from FILE",
		Short: "Make an API have exactly the paths of a file",
		Long: "Make an API have exactly the paths, functions and access that a cli-inputs.json (or an older api-params.json) says.\n" +
			"Paths that the file does not have are removed, and named. apply does the same, and adds an API that is missing;\n" +
			"single paths are changed with: gatewright update path",
		Example:           "  gatewright update api shop --from cli-inputs.json --dry-run --diff",
		Args:              command.Arguments("the NAME of an API"),
		ValidArgsFunction: command.CompleteNames(streams, model.KindAPI),
		RunE: func(_ *cobra.Command, args []string) error {
			if file.from == "" {
				return command.Misuse("update api needs --from FILE, a cli-inputs.json or - for standard input; for one path try: gatewright update path %s PATH", model.Quote(args[0]))
			}
			api, problems, template, err := file.read(labelled(args[0]), streams)
			if err != nil {
				return err
			}
			return write.change(streams, func(e *editing) error {
				e.problems = problems
				return e.replaceAPI(api, template)
			})
		},
	}
	file.add(cmd)
	write.Add(cmd)
	return cmd
}

// need adds the groups and, if a template is given, the functions that an API
// names and the project lacks, and says so.
func (e *editing) need(api *model.API, template model.Template) error {
	for _, group := range api.Groups() {
		switch {
		case slices.Contains(e.Groups, group):
		case e.AmplifyCLI:
			e.noteGroup(group)
		default:
			if err := e.AddReadGroup(group); err != nil {
				return err
			}
			e.note("added group %s, last in the order of precedence", model.Quote(group))
		}
	}
	var missing []string
	for _, name := range api.Functions() {
		switch {
		case name == "" || e.Function(name) != nil:
		case template == "" && !e.AmplifyCLI:
			missing = append(missing, name)
		default:
			if err := e.needFunction(name, template); err != nil {
				return err
			}
		}
	}
	if len(missing) > 0 {
		return fmt.Errorf("the API %s names functions that the project lacks: %s; make them with --create-functions express, crud or plain",
			model.Quote(api.Label), model.QuoteList(missing))
	}
	return nil
}

// addAPI adds an API that a file says, with what it names and the project lacks.
func (e *editing) addAPI(api *model.API, template model.Template) error {
	e.done = "added " + model.Ref{Kind: model.KindAPI, Name: api.Label}.String() + " with " + model.Count(len(api.Paths), "path")
	if err := e.need(api, template); err != nil {
		return err
	}
	return e.AddAPI(api)
}

// replaceAPI makes an API that is there have the paths of another, and says what
// that does to them.
func (e *editing) replaceAPI(api *model.API, template model.Template) error {
	of := model.Ref{Kind: model.KindAPI, Name: api.Label}
	if err := e.Known(of); err != nil {
		return err
	}
	if err := e.need(api, template); err != nil {
		return err
	}
	if err := e.UpdateAPI(api); err != nil {
		return err
	}
	added, changed, removed := comparePaths(e.from.Backend.API(api.Label), e.API(api.Label))
	var parts []string
	for _, part := range []struct {
		n    int
		verb string
	}{{len(added), "added"}, {len(changed), "changed"}, {len(removed), "removed"}} {
		if part.n > 0 {
			parts = append(parts, model.Count(part.n, "path")+" "+part.verb)
		}
	}
	e.done, e.same = "updated "+of.String(), of.String()+" is as declared"
	if parts != nil {
		e.done += ": " + strings.Join(parts, ", ")
	}
	for _, name := range removed {
		e.note("removed path %s", name)
	}
	return nil
}

// comparePaths lists what happened to the paths of an API by their names. Edits
// share what they do not touch, so paths are told apart by pointer.
func comparePaths(was, now *model.API) (added, changed, removed []string) {
	before := make(map[string]*model.Path, len(was.Paths))
	for _, p := range was.Paths {
		before[p.Name] = p
	}
	for _, p := range now.Paths {
		switch before[p.Name] {
		case nil:
			added = append(added, model.Quote(p.Name))
		case p:
		default:
			changed = append(changed, model.Quote(p.Name))
		}
		delete(before, p.Name)
	}
	for _, p := range was.Paths {
		if before[p.Name] != nil {
			removed = append(removed, model.Quote(p.Name))
		}
	}
	return added, changed, removed
}
