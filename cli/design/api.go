package design

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"gatewright/cli/command"
	"gatewright/cli/screen"
	"gatewright/flow"
	"gatewright/flow/document"
	"gatewright/internal/openapi"
	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/model/access"
	"gatewright/model/diff"
	"gatewright/model/edit"
	"gatewright/project/plan"
	"gatewright/project/read"
)

// apiFlags are the flags of commands that read an API from a file.
type apiFlags struct {
	from, template string
	documentFlags
}

func (f *apiFlags) add(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.from, "from", "",
		"the `FILE` to read: OpenAPI, or a cli-inputs.json; - is standard input")
	f.documentFlags.add(cmd)
	addTemplate(cmd, &f.template, "create-functions",
		"create missing functions from this `TEMPLATE`: "+phrase.Either(model.Templates))
	_ = cmd.MarkFlagFilename("from", "json", "yaml", "yml")
}

// addTemplate adds a flag that names a template.
func addTemplate(cmd *cobra.Command, value *string, name, usage string) {
	cmd.Flags().StringVar(value, name, "", usage)
	_ = cmd.RegisterFlagCompletionFunc(name, command.CompleteWords(command.Words(model.Templates)...))
}

// templateOf returns the template that a flag names; "" if the flag is not given.
func templateOf(flag, text string) (model.Template, error) {
	if text != "" && !slices.Contains(command.Words(model.Templates), text) {
		return "", command.Misuse("--%s takes %s, not %s", flag, phrase.Either(model.Templates), phrase.Quote(text))
	}
	return model.Template(text), nil
}

// declared is an API that a file declares: as cli-inputs.json does, or by a document.
type declared struct {
	label string
	// api and problems are what was read of a cli-inputs.json; document is nil then.
	api      *access.API
	problems []*read.Problem
	template model.Template
	document *openapi.Document
	group    string
	// function serves all paths of a document; "" if the flag is not given.
	function string
}

// read reads the API from the file that the flags name. It calls label, which returns the
// API's label, once the file is read; the document is nil for a cli-inputs.json.
func (f *apiFlags) read(
	label func(*openapi.Document) (string, error), function string, streams command.Streams,
) (*declared, error) {
	template, err := templateOf("create-functions", f.template)
	if err != nil {
		return nil, err
	}
	if err := f.documentFlags.check(); err != nil {
		return nil, err
	}
	name, data, err := command.ReadInput(f.from, streams)
	if err != nil {
		return nil, err
	}
	d := &declared{template: template, group: f.group, function: function}
	if d.document, err = document.Read(name, data); err != nil {
		return nil, err
	}
	if d.document == nil && function != "" {
		return nil, command.Misuse("--function is for an OpenAPI document: a cli-inputs.json names its functions, and with " +
			"--path leave out --from")
	}
	if d.label, err = label(d.document); err != nil || d.document != nil {
		return d, err
	}
	d.api, d.problems, err = plan.ReadAPI(name, d.label, data)
	return d, err
}

// in returns the API for a project, which the functions of a document are added to.
func (d *declared) in(e *editing) (*access.API, error) {
	if d.document != nil {
		return e.adopt(d, d.label)
	}
	e.problems = d.problems
	return d.api, nil
}

// fixedLabel returns a function that returns the label.
func fixedLabel(label string) func(*openapi.Document) (string, error) {
	return func(*openapi.Document) (string, error) { return label, nil }
}

func newAddAPI(streams command.Streams) *cobra.Command {
	var (
		write   editFlags
		screens screen.Flags
		file    apiFlags
		path    string
		types   mediaTypes
		first   pathFlags
	)
	cmd := &cobra.Command{
		Use:   "api [NAME (--from FILE | --path PATH --function FN)]",
		Short: "Add a REST API: step by step, or from a file",
		Long: `Add a REST API. Without arguments, in a terminal, the wizard asks for it step by step. --path adds
an API with that path; --from reads one from an OpenAPI document or a cli-inputs.json.

With --path, the other flags are those of add path. From a cli-inputs.json (or an older api-params.json) come paths,
functions and access. Missing groups are added in their order of appearance; --create-functions creates missing
functions.

` + documentHelp + `

--binary-media-types names the media types whose bodies are bytes and not text, such as images.`,
		Example: command.Examples("add api",
			"add api shop --path /books --function books --new-function plain",
			"add api shop --from openapi.yaml --dry-run",
			"add api shop --from cli-inputs.json --create-functions express",
			"add api shop --path /books --function books --new-function express --auth all --guest read",
			"curl -s $URL | gatewright add api shop --from - --dry-run --diff",
			"add api images --path /images --function images --open --binary-media-types 'image/*'"),
		RunE: func(cmd *cobra.Command, args []string) error {
			given := cmd.Flags().Changed
			hasPathFlags := slices.ContainsFunc(first.names(), given)
			if len(args) == 0 && !given("from") && !given("path") && !given(mediaTypesFlag) && !hasPathFlags {
				if screen.Available(streams) {
					return screens.Show(streams, &flow.Task{})
				}
				if err := screen.GitBash(streams); err != nil {
					return err
				}
			}
			if err := command.Arguments("a NAME for the API")(cmd, args); err != nil {
				return err
			}
			of := model.Ref{Kind: model.KindAPI, Name: args[0]}
			switch {
			case given("from") && (given("path") || hasPathFlags && !onlyFunction(given, first.names())):
				return command.Misuse("add api takes either --from FILE, or --path PATH --function FN")
			case given("path") && given("create-functions"):
				return command.Misuse("--create-functions needs --from FILE; with --path give --new-function TEMPLATE")
			case given("path"):
				return write.change(streams, func(e *editing) error {
					return first.addAPI(cmd, e, of, path, types.list())
				})
			case file.from == "":
				return command.Misuse("add api needs --from FILE (an OpenAPI document, a cli-inputs.json, or - for " +
					"standard input) or --path PATH --function FN; without arguments, in a terminal, it opens the wizard")
			}
			d, err := file.read(fixedLabel(of.Name), first.function, streams)
			if err != nil {
				return err
			}
			return write.change(streams, func(e *editing) error {
				if e.API(of.Name) != nil {
					return edit.AddAPI(e.Backend, &access.API{Label: of.Name})
				}
				api, err := d.in(e)
				if err != nil {
					return err
				}
				if given(mediaTypesFlag) {
					api.BinaryMediaTypes = types.list()
				}
				return e.addAPI(api, d.template)
			})
		},
	}
	file.add(cmd)
	types.add(cmd)
	cmd.Flags().StringVar(&path, "path", "", "the API's first `PATH`, such as /items or /book/{isbn}")
	first.add(cmd, streams)
	screens.Add(cmd, streams)
	write.Add(cmd)
	return cmd
}

// onlyFunction reports whether --function alone of the flags of a path is given.
func onlyFunction(given func(string) bool, names []string) bool {
	return !slices.ContainsFunc(names, func(name string) bool { return name != "function" && given(name) })
}

func newUpdateAPI(streams command.Streams) *cobra.Command {
	var (
		write editFlags
		file  apiFlags
		types mediaTypes
	)
	cmd := &cobra.Command{
		Use:   "api NAME [--from FILE]",
		Short: "Replace an API's paths from a file, or change its settings",
		Long: `Replace the paths of an API with those of a file, with their functions and access, or change its
settings: its binary media types, and which web pages may call it (CORS).

The file is a cli-inputs.json (or an older api-params.json) or an OpenAPI document, which then becomes the contract
of the API. Paths that the file does not have are removed and listed. So are binary media types, except in an
Amplify CLI project. 'gatewright apply' does the same, and adds a missing API. To change one path: gatewright update
path

--binary-media-types replaces the media types whose bodies are bytes and not text, such as images; '' removes all of
them. The flags that begin with --cors say which web pages of other origins may call the API; a list replaces the
previous list.`,
		Example: command.Examples("update api shop --from cli-inputs.json --dry-run --diff",
			"update api shop --binary-media-types image/png,application/pdf",
			"update api shop --cors-origin https://app.example"),
		Args:              command.Arguments("the NAME of an API"),
		ValidArgsFunction: command.CompleteNames(streams, model.KindAPI),
		RunE: func(cmd *cobra.Command, args []string) error {
			given, cors := cmd.Flags().Changed(mediaTypesFlag), fieldsGiven(cmd, &access.CORS{})
			switch {
			case cors && (given || cmd.Flags().Changed("from")):
				return command.Misuse("the flags --cors-... stand alone: give --from FILE or --binary-media-types TYPES " +
					"in another command")
			case cors:
				return write.change(streams, func(e *editing) error { return e.setCORS(cmd, args[0]) })
			case file.from == "" && cmd.Flags().Changed("create-functions"):
				return command.Misuse("--create-functions needs --from FILE")
			case file.from == "" && given && !cmd.Flags().Changed("from"):
				return write.change(streams, func(e *editing) error { return e.setMediaTypes(args[0], types.list()) })
			case file.from == "":
				return command.Misuse("update api needs --from FILE (an OpenAPI document, a cli-inputs.json, or - for standard "+
					"input), --binary-media-types TYPES or a flag --cors-...; to change one path run: gatewright "+
					"update path %s PATH",
					phrase.Quote(args[0]))
			}
			d, err := file.read(fixedLabel(args[0]), "", streams)
			if err != nil {
				return err
			}
			return write.change(streams, func(e *editing) error {
				if err := e.Known(model.Ref{Kind: model.KindAPI, Name: args[0]}); err != nil {
					return err
				}
				api, err := d.in(e)
				if err != nil {
					return err
				}
				if given {
					api.BinaryMediaTypes = types.list()
				} else {
					e.keepMediaTypes(api)
				}
				return e.replaceAPI(api, d.template)
			})
		},
	}
	file.add(cmd)
	types.add(cmd)
	addFieldFlags(cmd, &access.CORS{}, corsFlags(streams))
	write.Add(cmd)
	return cmd
}

// addMissing adds the groups that an API names and the project does not have. With a
// template it adds the functions too.
func (e *editing) addMissing(api *access.API, template model.Template) error {
	for _, group := range api.Groups() {
		switch {
		case slices.Contains(e.Groups, group):
		case !e.Defines(model.KindGroup):
			e.noteGroup(group)
		default:
			if err := edit.AddReadGroup(e.Backend, group); err != nil {
				return err
			}
			e.note("added group %s, last in precedence", phrase.Quote(group))
		}
	}
	var missing []string
	for _, name := range api.Functions() {
		switch {
		case name == "" || e.Function(name) != nil:
		case template == "" && e.Defines(model.KindFunction):
			missing = append(missing, name)
		default:
			if err := e.addMissingFunction(name, template); err != nil {
				return err
			}
		}
	}
	if len(missing) > 0 {
		return fmt.Errorf("%s uses functions that the project does not have: %s; create them with --create-functions %s",
			model.Ref{Kind: model.KindAPI, Name: api.Label}, phrase.QuoteList(missing), phrase.Either(model.Templates))
	}
	return nil
}

// addAPI adds an API that was read from a file, and what it needs.
func (e *editing) addAPI(api *access.API, template model.Template) error {
	e.done = "added " + model.Ref{Kind: model.KindAPI, Name: api.Label}.String() + " with " +
		phrase.Count(len(api.Paths), "path")
	if err := e.addMissing(api, template); err != nil {
		return err
	}
	return edit.AddAPI(e.Backend, api)
}

// replaceAPI replaces an existing API, and reports which paths that changes.
func (e *editing) replaceAPI(api *access.API, template model.Template) error {
	of := model.Ref{Kind: model.KindAPI, Name: api.Label}
	if err := e.Known(of); err != nil {
		return err
	}
	if err := e.addMissing(api, template); err != nil {
		return err
	}
	if err := edit.UpdateAPI(e.Backend, api); err != nil {
		return err
	}
	added, changed, removed := comparePaths(e.project.Backend.API(api.Label), e.API(api.Label))
	var parts []string
	for _, part := range []struct {
		n    int
		verb string
	}{{len(added), "added"}, {len(changed), "changed"}, {len(removed), "removed"}} {
		if part.n > 0 {
			parts = append(parts, phrase.Count(part.n, "path")+" "+part.verb)
		}
	}
	if change := diff.BinaryMediaTypeChange(e.project.Backend.API(api.Label), e.API(api.Label)); change != "" {
		parts = append(parts, "it "+change)
	}
	parts = append(parts, diff.CORSChanges(e.project.Backend.API(api.Label), e.API(api.Label))...)
	e.done, e.already = "updated "+of.String(), of.String()+" is as declared"
	if parts != nil {
		e.done += ": " + strings.Join(parts, ", ")
	}
	for _, name := range removed {
		e.note("removed path %s", name)
	}
	return nil
}

// comparePaths lists the names of an API's added, changed and removed paths. Edits share
// the paths that they do not change, so pointers are compared.
func comparePaths(was, now *access.API) (added, changed, removed []string) {
	before := make(map[string]*access.Path, len(was.Paths))
	for _, p := range was.Paths {
		before[p.Name] = p
	}
	for _, p := range now.Paths {
		switch before[p.Name] {
		case nil:
			added = append(added, phrase.Quote(p.Name))
		case p:
		default:
			changed = append(changed, phrase.Quote(p.Name))
		}
		delete(before, p.Name)
	}
	for _, p := range was.Paths {
		if before[p.Name] != nil {
			removed = append(removed, phrase.Quote(p.Name))
		}
	}
	return added, changed, removed
}
