package design

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"gatewright/cli/command"
	"gatewright/flow/resource"
	"gatewright/internal/text/phrase"
	"gatewright/model"
)

// environmentFlags are the flags of an environment.
func environmentFlags(streams command.Streams) []fieldFlag {
	functions := func(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
		var names []string
		for _, name := range command.ReadBackend(streams).Names(model.KindFunction) {
			names = append(names, name+".")
		}
		return command.Offered(names, typed), cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
	}
	return []fieldFlag{
		{"provider", "the `PROVIDER` that deploys it: local (default, this machine) or aws", nil},
		{"region", "its `REGION` (default: the project's)", command.CompleteWords(model.Regions...)},
		{"account", "its AWS `ACCOUNT`, 12 digits", nil},
		{"branch", "the git `BRANCH` whose builds deploy it (default: its name)", nil},
		{"guarded", "ask for its name before it changes", nil},
		{
			"apiResources", "how many resources an API may have: a `NUMBER`, if AWS raised it for the account (default " +
				"300)", nil,
		},
		{
			"apis", "include the API with this `LABEL`; can be repeated (default: all)",
			command.CompleteValue(streams, model.KindAPI),
		},
		{"parameters", "a parameter, as `NAME=VALUE`; can be repeated", nil},
		{"variables", "a function's variable, as `FN.NAME=VALUE`; can be repeated", functions},
		{
			"data", "its value instead of data.json's; `FIELD=VALUE` such as url=https://...; can be repeated", completeFields(model.KindData),
		},
		{
			"storage", "its value instead of storage.json's; `FIELD=VALUE`; can be repeated",
			completeFields(model.KindStorage),
		},
	}
}

// environmentChanges are the flags of update env alone.
type environmentChanges struct {
	allAPIs                         bool
	unsetParameters, unsetVariables []string
}

func (f *environmentChanges) add(cmd *cobra.Command, streams command.Streams) {
	cmd.Flags().BoolVar(&f.allAPIs, "all-apis", false, "include every API of the project")
	cmd.Flags().StringArrayVar(&f.unsetParameters, "unset-parameter", nil,
		"remove the parameter `NAME`; can be repeated")
	cmd.Flags().StringArrayVar(&f.unsetVariables, "unset-variable", nil,
		"remove a function's variable; `FN.NAME`, or FN for all; can be repeated")
	parameters := namesIn(streams, model.KindEnvironment, "parameters")
	_ = cmd.RegisterFlagCompletionFunc("parameter", completeAssignments(parameters))
	_ = cmd.RegisterFlagCompletionFunc("unset-parameter", command.CompleteOf(parameters))
	_ = cmd.RegisterFlagCompletionFunc("unset-variable", command.CompleteOf(ownVariablesOf(streams)))
}

// setEnvironment sets the values of the flags in an environment.
func setEnvironment(cmd *cobra.Command, env *model.Environment) error {
	if err := checkCleared("api", flagValues(cmd, "api")); err != nil {
		return err
	}
	if err := checkValues(cmd, "region", "account", "branch"); err != nil {
		return err
	}
	if err := setFields(cmd, env); err != nil {
		return err
	}
	if cmd.Flags().Changed("api") && env.APIs == nil {
		// nil would mean all of them.
		env.APIs = []string{}
	}
	for _, text := range flagValues(cmd, "variable") {
		if err := checkText("variable", text); err != nil {
			return err
		}
		fn, rest, ok := strings.Cut(text, ".")
		if !ok || fn == "" || setFunctionVariable(env, fn, rest) != nil {
			return command.Misuse("--variable takes FN.NAME=VALUE such as books.LOG=debug, not %s", phrase.Quote(text))
		}
	}
	if err := setOverrides(model.KindData, env, flagValues(cmd, "data")); err != nil {
		return err
	}
	return setOverrides(model.KindStorage, env, flagValues(cmd, "storage"))
}

// setFunctionVariable sets a variable of a function, as NAME=VALUE.
func setFunctionVariable(env *model.Environment, fn, text string) error {
	env.Variables = slices.Clone(env.Variables)
	for i := range env.Variables {
		if env.Variables[i].Function == fn {
			return resource.EntriesOf(&env.Variables[i].Values).Put(text)
		}
	}
	first := model.FunctionVariables{Function: fn}
	err := resource.EntriesOf(&first.Values).Put(text)
	env.Variables = append(env.Variables, first)
	return err
}

// set removes the values that the flags name, and includes all APIs if they say so.
func (f *environmentChanges) set(cmd *cobra.Command, env *model.Environment) error {
	if err := unsetVariables("unset-parameter", &env.Parameters, f.unsetParameters...); err != nil {
		return err
	}
	for _, text := range f.unsetVariables {
		fn, name, single := strings.Cut(text, ".")
		at := slices.IndexFunc(env.Variables, func(v model.FunctionVariables) bool { return v.Function == fn })
		if at < 0 {
			var have []string
			for _, v := range env.Variables {
				have = append(have, v.Function)
			}
			return noSuchValue("unset-variable", text, have)
		}
		var left []model.Variable
		if single {
			left = env.Variables[at].Values
			if err := unsetVariables("unset-variable", &left, name); err != nil {
				return err
			}
		}
		env.Variables = slices.Clone(env.Variables)
		if env.Variables[at].Values = left; left == nil {
			env.Variables = slices.Delete(env.Variables, at, at+1)
		}
	}
	if f.allAPIs && cmd.Flags().Changed("api") {
		return command.Misuse("--api and --all-apis contradict each other")
	}
	if f.allAPIs {
		env.APIs = nil
	}
	return nil
}
