package design

import (
	"slices"

	"github.com/spf13/cobra"

	"gatewright/cli/command"
	"gatewright/flow/resource"
	"gatewright/model"
	"gatewright/model/field"
)

// completeAssignments completes NAME=VALUE with the names that the thing has which the first
// argument names.
func completeAssignments(names func(string) []string) cobra.CompletionFunc {
	return func(_ *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
		var words []string
		if len(args) > 0 {
			for _, name := range names(args[0]) {
				words = append(words, name+"=")
			}
		}
		return command.Offered(words, typed), cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
	}
}

// namesIn returns the names of the entries in a list of a table, a function or an environment.
func namesIn(streams command.Streams, kind model.Kind, list string) func(string) []string {
	return func(name string) []string {
		var thing field.Object
		b := command.ReadBackend(streams)
		switch t, f, e := b.Table(name), b.Function(name), b.Environment(name); {
		case kind == model.KindTable && t != nil:
			thing = t
		case kind == model.KindFunction && f != nil:
			thing = f
		case kind == model.KindEnvironment && e != nil:
			thing = e
		default:
			return nil
		}
		return resource.EntriesOf(field.Of(thing, list).Value).Names()
	}
}

// ownVariablesOf returns the variables that an environment has itself, as FN.NAME, and the
// functions that have some.
func ownVariablesOf(streams command.Streams) func(string) []string {
	return func(name string) []string {
		e := command.ReadBackend(streams).Environment(name)
		if e == nil {
			return nil
		}
		var names []string
		for _, f := range e.Variables {
			names = append(names, f.Function)
			for _, v := range f.Values {
				names = append(names, f.Function+"."+v.Name)
			}
		}
		return names
	}
}

// completeUsed completes a value with those that functions of the project have already.
func completeUsed(streams command.Streams, name string) cobra.CompletionFunc {
	return func(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
		var used []string
		for _, f := range command.ReadBackend(streams).Functions {
			used = append(used, resource.Lines(field.Of(f, name).Value)...)
		}
		slices.Sort(used)
		return command.Offered(slices.Compact(used), typed), cobra.ShellCompDirectiveNoFileComp
	}
}
