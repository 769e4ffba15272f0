package design

import (
	"slices"

	"github.com/spf13/cobra"

	"gatewright/cli/command"
	"gatewright/flow"
	"gatewright/model"
	"gatewright/project"
)

func newAddFunction(streams command.Streams) *cobra.Command {
	var (
		write editFlags
		flags functionFlags
	)
	cmd := &cobra.Command{
		Use:   "function NAME",
		Short: "Add a handler function, with its source",
		Long: "Add a handler function. Its source is made from a template; with --template '' none is written, for a source that exists.\n" +
			"A function with the template crud gets the table that --table names, and all actions on it. A missing table is created,\n" +
			"by default with the name of the function and the partition key id:string.\n" +
			"--secret takes the name of a secret; values of secrets are never read.",
		Example: "  gatewright add function books --template express\n" +
			"  gatewright add function orders --template crud --table orders --partition-key customer --sort-key at:number\n" +
			"  gatewright add function report --runtime python --timeout 60 --schedule 'rate(1 day)' --env LOG=info --secret MAIL_KEY --access table/orders=read",
		Args: command.Arguments("a NAME for the function"),
		RunE: func(cmd *cobra.Command, args []string) error {
			f := &model.Function{Name: args[0], Runtime: model.NodeJS}
			if err := flags.check(cmd); err != nil {
				return err
			}
			if err := flags.set(cmd, f); err != nil {
				return err
			}
			given := cmd.Flags().Changed
			if !given("template") {
				f.Template = model.Plain
				if f.Runtime == model.NodeJS {
					f.Template = model.Express
				}
			}
			if !given("handler") {
				f.Handler = f.Runtime.Handler()
			}
			keys, err := flags.keys(cmd, f)
			if err != nil {
				return err
			}
			return write.change(streams, func(e *edit) error {
				e.describe("added", model.Ref{Kind: model.KindFunction, Name: f.Name})
				if f.Template == model.CRUD {
					if err := e.giveTable(f, keys); err != nil {
						return err
					}
				}
				return e.AddFunction(f)
			})
		},
	}
	flags.add(cmd, streams)
	flags.addKeys(cmd)
	write.Add(cmd)
	return cmd
}

func newUpdateFunction(streams command.Streams) *cobra.Command {
	var (
		write editFlags
		flags functionFlags
		unset []string
	)
	cmd := &cobra.Command{
		Use:   "function NAME",
		Short: "Change a handler function",
		Long: "Change a handler function: a flag replaces a value, an empty one clears it, and values without a flag stay.\n" +
			"--env sets one variable and --unset-env removes one; --secret, --layer and --access replace the whole list.\n" +
			"The source of the function does not change. --secret takes the name of a secret; values of secrets are never read.",
		Example: "  gatewright update function books --timeout 60 --env LOG=debug --unset-env TRACE\n" +
			"  gatewright update function report --schedule '' --access table/orders=read --access table/books=read,update",
		Args:              command.Arguments("the NAME of a function"),
		ValidArgsFunction: command.CompleteNames(streams, model.KindFunction),
		RunE: func(cmd *cobra.Command, args []string) error {
			if !anyGiven(cmd, append(functionFlagNames, "unset-env")...) {
				return noChangeGiven(cmd)
			}
			if err := flags.check(cmd); err != nil {
				return err
			}
			return write.change(streams, func(e *edit) error {
				of := model.Ref{Kind: model.KindFunction, Name: args[0]}
				e.describe("updated", of)
				have := e.Function(of.Name)
				if have == nil {
					return e.UpdateFunction(&model.Function{Name: of.Name})
				}
				f := *have
				var err error
				for _, name := range unset {
					if f.Environment, err = unsetVariable("unset-env", f.Environment, name); err != nil {
						return err
					}
				}
				if err := flags.set(cmd, &f); err != nil {
					return err
				}
				if err := checkTable(cmd, have, &f); err != nil {
					return err
				}
				if f.Runtime != have.Runtime && f.Handler == have.Runtime.Handler() && !cmd.Flags().Changed("handler") {
					f.Handler = f.Runtime.Handler()
				}
				if (f.Runtime != have.Runtime || f.Template != have.Template) && e.project.Layout == project.Native {
					e.note("the source of %s does not change", of)
				}
				return e.UpdateFunction(&f)
			})
		},
	}
	flags.add(cmd, streams)
	cmd.Flags().StringArrayVar(&unset, "unset-env", nil, "remove the environment variable `NAME`; may be given several times")
	_ = cmd.RegisterFlagCompletionFunc("unset-env", completeVariables(streams))
	write.Add(cmd)
	return cmd
}

// checkTable refuses a table for a function that is not made from the template crud, and
// such a function without a table. The model accepts the latter, because a table can be
// removed.
func checkTable(cmd *cobra.Command, have, f *model.Function) error {
	of := model.Ref{Kind: model.KindFunction, Name: f.Name}
	switch {
	case f.Template == model.CRUD && f.Table == "" && (have.Template != model.CRUD || have.Table != ""):
		return &model.Problem{Of: of, Text: "a function with the template crud needs a table", Fix: "name it with --table TABLE, or remove the template with --template ''"}
	case cmd.Flags().Changed("table") && f.Table != "" && f.Table != have.Table && f.Template != model.CRUD:
		return command.Misuse("--table needs the template crud; to let %s use a table give --access table/%s=read", of, model.Quote(f.Table))
	}
	return nil
}

// anyGiven reports whether any of the flags is given.
func anyGiven(cmd *cobra.Command, names ...string) bool {
	return slices.ContainsFunc(names, cmd.Flags().Changed)
}

// addMissingFunction adds a function that the project does not have, if a template is given.
func (e *edit) addMissingFunction(name string, template model.Template) error {
	switch {
	case e.Function(name) != nil:
		return nil
	case template == "" && e.AmplifyCLI:
		e.note("the project has no function %s; add it with: amplify add function", model.Quote(name))
		return nil
	case template == "":
		return nil
	}
	f := &model.Function{Name: name, Runtime: model.NodeJS, Template: template, Handler: model.NodeJS.Handler()}
	if template == model.CRUD {
		if err := e.giveTable(f, tableKeys{}); err != nil {
			return err
		}
	}
	if err := e.AddFunction(f); err != nil {
		return err
	}
	e.note("added function %s from the template %s", model.Quote(name), template.Title())
	return nil
}

// giveTable gives a CRUD function its table and all actions on it. A table that the
// project does not have is added.
func (e *edit) giveTable(f *model.Function, keys tableKeys) error {
	if f.Table == "" {
		f.Table = flow.SuggestTableName(f.Name)
	}
	resource := string(model.KindTable) + "/" + f.Table
	if !grants(f.Access, resource) {
		f.Access = append(f.Access, model.ResourceAccess{Resource: resource, Actions: model.EveryAction})
	}
	table := &model.Table{Name: f.Table, PartitionKey: keys.partition, SortKey: keys.sort}
	if have := e.Table(f.Table); have != nil {
		if keys.partition.Name != "" && (have.PartitionKey != keys.partition || have.SortKey != keys.sort) {
			return &model.Problem{
				Of: model.Ref{Kind: model.KindTable, Name: f.Table}, Text: "exists already, with " + describeKeys(have),
				Fix: "leave out --partition-key and --sort-key, or name another table",
			}
		}
		return nil
	}
	if table.PartitionKey.Name == "" {
		table.PartitionKey = model.Key{Name: "id", Type: model.StringKey}
	}
	if err := e.AddTable(table); err != nil {
		return err
	}
	e.note("added table %s with %s", model.Quote(f.Table), describeKeys(table))
	return nil
}

// grants reports whether an access list has an entry for a resource.
func grants(access []model.ResourceAccess, resource string) bool {
	return slices.ContainsFunc(access, func(a model.ResourceAccess) bool { return a.Resource == resource })
}

// completeVariables completes the names of the variables of a function, which the first
// argument names.
func completeVariables(streams command.Streams) cobra.CompletionFunc {
	return command.CompleteOf(func(name string) []string {
		if f := command.ReadBackend(streams).Function(name); f != nil {
			return variableNames(f.Environment)
		}
		return nil
	})
}
