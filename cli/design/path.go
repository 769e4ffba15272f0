package design

import (
	"errors"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"gatewright/cli/command"
	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/model/access"
	"gatewright/model/edit"
)

// pathFlags are the flags of commands that make or change a path.
type pathFlags struct {
	function, template string
	access             accessFlags
}

// names returns the names of the flags for a new path.
func (f *pathFlags) names() []string {
	return append([]string{"function", "new-function"}, accessFlagNames...)
}

func (f *pathFlags) add(cmd *cobra.Command, streams command.Streams) {
	f.addFunction(cmd, streams)
	f.access.add(cmd, streams)
}

func (f *pathFlags) addFunction(cmd *cobra.Command, streams command.Streams) {
	cmd.Flags().StringVar(&f.function, "function", "", "the handler function `FN` that serves the path")
	_ = cmd.RegisterFlagCompletionFunc("function", command.CompleteValue(streams, model.KindFunction))
	addTemplate(cmd, &f.template, "new-function",
		"create a missing function from this `TEMPLATE`: "+phrase.Either(model.Templates))
}

const accessHelp = `Actions are create (POST), read (GET, HEAD), update (PUT, PATCH) and delete (DELETE). If a group
has its own entry, its members have only the actions of that entry.`

func newAddPath(streams command.Streams) *cobra.Command {
	var (
		write editFlags
		path  pathFlags
	)
	cmd := &cobra.Command{
		Use:   "path API PATH --function FN",
		Short: "Add a path to an API, with its handler and access",
		Long: `Add a path to an API. One handler function serves it and everything below it. Without --auth,
--guest and --group, anyone may call it.

` + accessHelp,
		Example: command.Examples("add path shop /books --function books --new-function express",
			"add path shop /news --function news --auth all --guest read",
			"add path shop /admin --function admin --group Admins=all"),
		Args:              command.Arguments("an API", "a PATH"),
		ValidArgsFunction: command.CompleteNames(streams, model.KindAPI),
		RunE: func(cmd *cobra.Command, args []string) error {
			added, template, err := path.path(cmd, args[1])
			if err != nil {
				return err
			}
			return write.change(streams, func(e *editing) error {
				e.describe("added", model.Ref{Kind: model.KindPath, API: args[0], Name: args[1]})
				if err := e.addMissingFunction(added.Function, template); err != nil {
					return err
				}
				e.noteAccess(added.Access)
				return e.advise(edit.AddPath(e.Backend, args[0], added), added)
			})
		},
	}
	path.add(cmd, streams)
	write.Add(cmd)
	return cmd
}

// path returns the new path, and the template of its function if that is missing.
func (f *pathFlags) path(cmd *cobra.Command, name string) (*access.Path, model.Template, error) {
	template, err := templateOf("new-function", f.template)
	if err != nil {
		return nil, "", err
	}
	if f.function == "" {
		return nil, "",
			command.Misuse("%s needs --function FN, the handler function that serves the path; --new-function express "+
				"creates it", cmd.CommandPath())
	}
	rules, err := f.access.access(cmd.Flags().Changed)
	return &access.Path{Name: name, Function: f.function, Access: rules}, template, err
}

// addAPI adds an API with binary media types and one path, which the flags describe.
func (f *pathFlags) addAPI(cmd *cobra.Command, e *editing, of model.Ref, name string, types []string) error {
	first, template, err := f.path(cmd, name)
	if err != nil {
		return err
	}
	e.done = "added " + of.String() + " with path " + phrase.Quote(name)
	// AddAPI accepts reserved paths, which an API from a file may have.
	if err := model.CheckName(model.KindPath, name); err != nil {
		return err
	}
	if err := e.addMissingFunction(first.Function, template); err != nil {
		return err
	}
	e.noteAccess(first.Access)
	return e.advise(edit.AddAPI(e.Backend,
		&access.API{Label: of.Name, BinaryMediaTypes: types, Paths: []*access.Path{first}}), first)
}

func newUpdatePath(streams command.Streams) *cobra.Command {
	var (
		write editFlags
		path  pathFlags
	)
	cmd := &cobra.Command{
		Use:   "path API PATH",
		Short: "Change a path's handler function or access",
		Long: `Change the handler function or the access of a path; what has no flag stays. --auth, --guest and
--group set who may do what; --no-auth, --no-guest and --no-group remove an entry; --open lets anyone call the path.

` + accessHelp,
		Example: command.Examples("update path shop /books --group Editors=create,update",
			"update path shop /books --auth read --no-guest", "update path shop /books --function catalogue"),
		Args:              command.Arguments("an API", "a PATH"),
		ValidArgsFunction: command.CompleteNames(streams, model.KindAPI, model.KindPath),
		RunE: func(cmd *cobra.Command, args []string) error {
			given := cmd.Flags().Changed
			template, err := templateOf("new-function", path.template)
			switch {
			case err != nil:
				return err
			case given("function") && path.function == "":
				return command.Misuse("--function is empty; give --function FN, the handler function that serves the path")
			case given("new-function") && !given("function"):
				return command.Misuse("--new-function needs --function FN, the function's name")
			case !given("function") && !slices.ContainsFunc(accessUpdateFlagNames, given):
				return noChangeGiven(cmd)
			}
			return write.change(streams, func(e *editing) error {
				of := model.Ref{Kind: model.KindPath, API: args[0], Name: args[1]}
				e.describe("updated", of)
				have, err := e.path(of)
				if err != nil {
					return err
				}
				changed := *have
				if changed.Access, err = path.access.change(given, have.Access); err != nil {
					return err
				}
				if given("function") {
					changed.Function = path.function
					if err := e.addMissingFunction(path.function, template); err != nil {
						return err
					}
				}
				if slices.ContainsFunc(accessUpdateFlagNames, given) {
					e.noteAccess(changed.Access)
				}
				return e.advise(edit.UpdatePath(e.Backend, args[0], args[1], &changed), &changed)
			})
		},
	}
	path.addFunction(cmd, streams)
	path.access.addChanges(cmd, streams)
	write.Add(cmd)
	return cmd
}

// path finds a path. If it does not exist, the error is the model's.
func (e *editing) path(of model.Ref) (*access.Path, error) {
	if api := e.API(of.API); api != nil {
		if p := api.Path(of.Name); p != nil {
			return p, nil
		}
	}
	trial := *e.Backend
	return nil, edit.UpdatePath(&trial, of.API, of.Name, &access.Path{})
}

// noteAccess notes what guests with access still need, and which groups the user pool of
// an Amplify CLI project does not have. In other projects an unknown group is an error.
func (e *editing) noteAccess(rules access.Access) {
	if rules.Setting == access.Protected && !e.Auth.GuestsEnabled() {
		e.note("guests get no identity while unauthenticated_identities_enabled is false; enable it with: %s",
			e.Adding(model.KindAuth))
	}
	for _, group := range rules.Groups() {
		if !e.Defines(model.KindGroup) && !slices.Contains(e.Groups, group) {
			e.noteGroup(group)
		}
	}
}

func (e *editing) noteGroup(group string) {
	e.note("the user pool has no group %s; %s", phrase.Quote(group), e.AddingGroup(group))
}

// advise adds to an error about an unknown function or group of a path how to create it.
func (e *editing) advise(err error, p *access.Path) error {
	var problem *model.Problem
	if !errors.As(err, &problem) || strings.HasPrefix(problem.Fix, "did you mean") {
		return err
	}
	switch problem.Field {
	case string(model.KindFunction):
		return advise(err, model.ErrUnknown,
			"create it with --new-function "+phrase.Either(model.Templates)+", or name another")
	case string(model.KindGroup):
		for _, group := range p.Access.Groups() {
			if !slices.Contains(e.Groups, group) && model.CheckName(model.KindGroup, group) == nil {
				return advise(err, model.ErrUnknown, e.AddingGroup(group))
			}
		}
	}
	return err
}
