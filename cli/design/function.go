package design

import (
	"slices"

	"github.com/spf13/cobra"

	"gatewright/cli/command"
	"gatewright/flow/resource"
	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/model/edit"
)

func newAddFunction(streams command.Streams) *cobra.Command {
	var write editFlags
	cmd := &cobra.Command{
		Use:   "function NAME",
		Short: "Add a handler function, with source from a template",
		Long: `Add a handler function, with source made from a template. With --template '' no source is written,
for source that exists already.

A function with the template crud gets the table that --table names, and may do everything with its items. A missing
table is created, by default with the name of the function and the partition key id:string. --secret takes the name
of a secret; gatewright never reads its value.`,
		Example: command.Examples("add function books --template express",
			"add function orders --template crud --table orders",
			"add function report --runtime python --schedule 'rate(1 day)'",
			"add function report --runtime python --timeout 60 --secret MAIL_KEY --access table/orders=read"),
		Args: command.Arguments("a NAME for the function"),
		RunE: func(cmd *cobra.Command, args []string) error {
			f := &model.Function{Name: args[0], Runtime: model.NodeJS.Newest()}
			if err := checkFunction(cmd); err != nil {
				return err
			}
			if err := setFields(cmd, f); err != nil {
				return err
			}
			given := cmd.Flags().Changed
			f.Runtime = f.Runtime.Newest()
			if !given("template") {
				f.Template = model.Plain
			}
			if !given("handler") {
				f.Handler = f.Runtime.Handler()
			}
			keys, err := tableKeys(cmd, f)
			if err != nil {
				return err
			}
			return write.change(streams, func(e *editing) error {
				e.describe("added", model.Ref{Kind: model.KindFunction, Name: f.Name})
				return e.addFunction(f, keys)
			})
		},
	}
	addFieldFlags(cmd, &model.Function{}, functionFlags(streams))
	addTableKeys(cmd)
	write.Add(cmd)
	return cmd
}

func newUpdateFunction(streams command.Streams) *cobra.Command {
	var (
		write editFlags
		unset []string
	)
	cmd := &cobra.Command{
		Use:   "function NAME",
		Short: "Change a handler function's settings",
		Long: `Change a handler function. A flag replaces a value, an empty value clears it, and what has no flag
stays. The source of the function does not change.

--env sets one variable and --unset-env removes one; --secret, --layer, --access and --policy replace the whole
list. --secret takes the name of a secret; gatewright never reads its value.`,
		Example: command.Examples("update function books --timeout 60 --memory 512",
			"update function books --env LOG=debug --unset-env TRACE",
			"update function report --schedule '' --access table/orders=read"),
		Args:              command.Arguments("the NAME of a function"),
		ValidArgsFunction: command.CompleteNames(streams, model.KindFunction),
		RunE: func(cmd *cobra.Command, args []string) error {
			if !fieldsGiven(cmd, &model.Function{}) && !anyGiven(cmd, "unset-env") {
				return noChangeGiven(cmd)
			}
			if err := checkFunction(cmd); err != nil {
				return err
			}
			return write.change(streams, func(e *editing) error {
				of := model.Ref{Kind: model.KindFunction, Name: args[0]}
				e.describe("updated", of)
				have := e.Function(of.Name)
				if have == nil {
					return edit.UpdateFunction(e.Backend, &model.Function{Name: of.Name})
				}
				f := *have
				if err := unsetVariables("unset-env", &f.Environment, unset...); err != nil {
					return err
				}
				if err := setFields(cmd, &f); err != nil {
					return err
				}
				if err := checkTable(cmd, have, &f); err != nil {
					return err
				}
				notes, err := resource.UpdateFunction(e.Backend, &f, cmd.Flags().Changed("handler"))
				e.notes = append(e.notes, notes...)
				return err
			})
		},
	}
	addFieldFlags(cmd, &model.Function{}, functionFlags(streams))
	cmd.Flags().StringArrayVar(&unset, "unset-env", nil, "remove the variable `NAME`; can be repeated")
	variables := namesIn(streams, model.KindFunction, "environment")
	_ = cmd.RegisterFlagCompletionFunc("env", completeAssignments(variables))
	_ = cmd.RegisterFlagCompletionFunc("unset-env", command.CompleteOf(variables))
	write.Add(cmd)
	return cmd
}

// checkTable refuses a table for a function that is not made from the template crud.
func checkTable(cmd *cobra.Command, have, f *model.Function) error {
	if cmd.Flags().Changed("table") && f.Table != "" && f.Table != have.Table && f.Template != model.CRUD {
		of := model.Ref{Kind: model.KindFunction, Name: f.Name}
		return command.Misuse("--table needs the template crud; to let %s use a table give --access table/%s=read", of,
			phrase.Quote(f.Table))
	}
	return nil
}

// anyGiven reports whether any of the flags is given.
func anyGiven(cmd *cobra.Command, names ...string) bool {
	return slices.ContainsFunc(names, cmd.Flags().Changed)
}

// addMissingFunction adds a function that the project does not have, if a template is given.
func (e *editing) addMissingFunction(name string, template model.Template) error {
	switch {
	case e.Function(name) != nil:
		return nil
	case template == "" && !e.Defines(model.KindFunction):
		e.note("the project has no function %s; add it with: %s", phrase.Quote(name),
			e.Command("gatewright add function NAME"))
		return nil
	case template == "":
		return nil
	}
	f := &model.Function{Name: name, Runtime: model.NodeJS.Newest(), Template: template, Handler: model.NodeJS.Handler()}
	if err := e.addFunction(f, resource.Keys{}); err != nil {
		return err
	}
	e.note("added function %s from the template %s", phrase.Quote(name), template.Title())
	return nil
}

// addFunction adds a function, with its table.
func (e *editing) addFunction(f *model.Function, keys resource.Keys) error {
	notes, err := resource.AddFunction(e.Backend, f, keys)
	e.notes = append(e.notes, notes...)
	return err
}
