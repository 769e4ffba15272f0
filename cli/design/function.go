package design

import (
	"slices"

	"github.com/spf13/cobra"

	"gatewright/cli/command"
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
		Long: "Add a handler function. Its source is made from a template; --template '' makes none, for a source that is there already.\n" +
			"A function of the template crud gets the table that --table names, and all actions on it. The table is made where it\n" +
			"is missing, by default under the function's name with the partition key id:string.\n" +
			"Values of secrets are never taken: --secret gives names.",
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
			return write.change(streams, func(e *editing) error {
				e.said("added", model.Ref{Kind: model.KindFunction, Name: f.Name})
				if f.Template == model.CRUD {
					if err := e.needTable(f, keys); err != nil {
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
		Long: "Change a handler function: a flag that is given replaces the value, an empty value clears it, and what no flag names stays.\n" +
			"--env sets one variable and --unset-env removes one; --secret, --layer and --access replace the whole list.\n" +
			"The source of the function is yours and stays as it is. Values of secrets are never taken: --secret gives names.",
		Example: "  gatewright update function books --timeout 60 --env LOG=debug --unset-env TRACE\n" +
			"  gatewright update function report --schedule '' --access table/orders=read --access table/books=read,update",
		Args:              command.Arguments("the NAME of a function"),
		ValidArgsFunction: command.CompleteNames(streams, model.KindFunction),
		RunE: func(cmd *cobra.Command, args []string) error {
			if !anyGiven(cmd, append(functionFlagNames, "unset-env")...) {
				return nothingGiven(cmd)
			}
			if err := flags.check(cmd); err != nil {
				return err
			}
			return write.change(streams, func(e *editing) error {
				of := model.Ref{Kind: model.KindFunction, Name: args[0]}
				e.said("updated", of)
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
				if (f.Runtime != have.Runtime || f.Template != have.Template) && e.from.Layout == project.Native {
					e.note("the source of %s stays as it is", of)
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

// checkTable refuses to give a table to a function that has no use for it, and to
// leave one without that needs it: the model lets that be, for a table that goes.
func checkTable(cmd *cobra.Command, have, f *model.Function) error {
	of := model.Ref{Kind: model.KindFunction, Name: f.Name}
	switch {
	case f.Template == model.CRUD && f.Table == "" && (have.Template != model.CRUD || have.Table != ""):
		return &model.Problem{Of: of, Text: "a function of the template crud needs a table", Fix: "name it with --table TABLE, or take the template away with --template ''"}
	case cmd.Flags().Changed("table") && f.Table != "" && f.Table != have.Table && f.Template != model.CRUD:
		return command.Misuse("--table belongs to the template crud; let %s use a table with --access table/%s=read", of, model.Quote(f.Table))
	}
	return nil
}

// anyGiven reports whether the command line has any of the flags.
func anyGiven(cmd *cobra.Command, names ...string) bool {
	return slices.ContainsFunc(names, cmd.Flags().Changed)
}

// needFunction makes a function that the project lacks, if a template is given.
func (e *editing) needFunction(name string, template model.Template) error {
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
		if err := e.needTable(f, tableKeys{}); err != nil {
			return err
		}
	}
	if err := e.AddFunction(f); err != nil {
		return err
	}
	e.note("added function %s from the template %s", model.Quote(name), template.Title())
	return nil
}

// needTable gives a CRUD function its table and all actions on it, and makes the
// table where the project lacks it.
func (e *editing) needTable(f *model.Function, keys tableKeys) error {
	if f.Table == "" {
		// A table has three characters at least.
		if f.Table = f.Name; len(f.Name) < 3 {
			f.Table += "-table"
		}
	}
	resource := string(model.KindTable) + "/" + f.Table
	if !grants(f.Access, resource) {
		f.Access = append(f.Access, model.ResourceAccess{Resource: resource, Actions: model.EveryAction})
	}
	table := &model.Table{Name: f.Table, PartitionKey: keys.partition, SortKey: keys.sort}
	if have := e.Table(f.Table); have != nil {
		if keys.partition.Name != "" && (have.PartitionKey != keys.partition || have.SortKey != keys.sort) {
			return &model.Problem{
				Of: model.Ref{Kind: model.KindTable, Name: f.Table}, Text: "is there already, with " + describeKeys(have),
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

// grants reports whether a function may do something with a resource.
func grants(access []model.ResourceAccess, resource string) bool {
	return slices.ContainsFunc(access, func(a model.ResourceAccess) bool { return a.Resource == resource })
}

// completeVariables completes the name of a variable of the function that the
// first argument names.
func completeVariables(streams command.Streams) cobra.CompletionFunc {
	return command.CompleteOf(func(name string) []string {
		if f := command.ReadBackend(streams).Function(name); f != nil {
			return variableNames(f.Environment)
		}
		return nil
	})
}
