package design

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"gatewright/cli/command"
	"gatewright/internal/text/phrase"
	"gatewright/model"
)

// environmentFlags are the flags of an environment.
type environmentFlags struct {
	provider, region, account, branch          string
	guarded, allAPIs                           bool
	apis, parameters, variables, data, storage []string
	unsetParameters, unsetVariables            []string
}

// environmentFlagNames are the flags of both add and update, environmentUpdateFlagNames
// those of update alone.
var (
	environmentFlagNames = []string{
		"provider", "region", "account", "branch", "guarded", "api", "parameter",
		"variable", "data", "storage",
	}
	environmentUpdateFlagNames = []string{"all-apis", "unset-parameter", "unset-variable"}
)

func (f *environmentFlags) add(cmd *cobra.Command, streams command.Streams) {
	flags := cmd.Flags()
	flags.StringVar(&f.provider, "provider", "", "the `PROVIDER` that deploys it: local (default, this machine) or aws")
	flags.StringVar(&f.region, "region", "", "its `REGION` (default: the project's)")
	flags.StringVar(&f.account, "account", "", "its AWS `ACCOUNT`, 12 digits")
	flags.StringVar(&f.branch, "branch", "",
		"the git `BRANCH` whose builds deploy it (default: the name of the environment)")
	flags.BoolVar(&f.guarded, "guarded", false, "ask for its name before it changes")
	flags.StringArrayVar(&f.apis, "api", nil,
		"the `LABEL` of an API that it includes; may be given several times (default: all)")
	flags.StringArrayVar(&f.parameters, "parameter", nil, "a parameter, as `NAME=VALUE`; may be given several times")
	flags.StringArrayVar(&f.variables, "variable", nil,
		"an environment variable of a function in it, as `FN.NAME=VALUE`; may be given several times")
	flags.StringArrayVar(&f.data, "data", nil,
		"a value that replaces one of data.json here, as `FIELD=VALUE` such as url=https://...; may be given several times")
	flags.StringArrayVar(&f.storage, "storage", nil,
		"a value that replaces one of storage.json here, as `FIELD=VALUE`; may be given several times")
	_ = cmd.RegisterFlagCompletionFunc("provider", command.CompleteWords(command.Words(model.Providers)...))
	_ = cmd.RegisterFlagCompletionFunc("api", command.CompleteValue(streams, model.KindAPI))
	_ = cmd.RegisterFlagCompletionFunc("variable",
		func(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
			var names []string
			for _, name := range command.ReadBackend(streams).Names(model.KindFunction) {
				names = append(names, name+".")
			}
			return command.Offered(names, typed), cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
		})
	_ = cmd.RegisterFlagCompletionFunc("region", command.CompleteWords(model.Regions...))
	for _, kind := range []model.Kind{model.KindData, model.KindStorage} {
		_ = cmd.RegisterFlagCompletionFunc(string(kind), completeFields(kind))
	}
}

func (f *environmentFlags) addChanges(cmd *cobra.Command, streams command.Streams) {
	cmd.Flags().BoolVar(&f.allAPIs, "all-apis", false, "include every API of the project")
	cmd.Flags().StringArrayVar(&f.unsetParameters, "unset-parameter", nil,
		"remove the parameter `NAME`; may be given several times")
	cmd.Flags().StringArrayVar(&f.unsetVariables, "unset-variable", nil,
		"remove a variable, as `FN.NAME`, or all variables of a function, as FN; may be given several times")
	_ = cmd.RegisterFlagCompletionFunc("parameter", completeAssignments(parametersOf(streams)))
	_ = cmd.RegisterFlagCompletionFunc("unset-parameter", command.CompleteOf(parametersOf(streams)))
	_ = cmd.RegisterFlagCompletionFunc("unset-variable", command.CompleteOf(ownVariablesOf(streams)))
}

// set sets the values of the flags in an environment.
func (f *environmentFlags) set(cmd *cobra.Command, env *model.Environment) error {
	given := cmd.Flags().Changed
	if f.allAPIs && given("api") {
		return command.Misuse("--api and --all-apis contradict each other")
	}
	if err := checkCleared("api", f.apis); err != nil {
		return err
	}
	if given("provider") {
		env.Provider = model.Provider(f.provider)
	}
	if err := setTexts(given, []textFlag{
		{"region", f.region, &env.Region}, {"account", f.account, &env.Account}, {"branch", f.branch, &env.Branch},
	}); err != nil {
		return err
	}
	if given("guarded") {
		env.Guarded = f.guarded
	}
	if f.allAPIs {
		env.APIs = nil
	}
	if given("api") {
		// nil would mean all of them.
		env.APIs = append([]string{}, listValue(f.apis)...)
	}
	for _, text := range f.parameters {
		v, err := parseVariable("parameter", text)
		if err != nil {
			return err
		}
		env.Parameters = setVariable(env.Parameters, v)
	}
	for _, text := range f.variables {
		if err := checkText("variable", text); err != nil {
			return err
		}
		fn, rest, ok := strings.Cut(text, ".")
		v, err := parseVariable("variable", rest)
		if !ok || fn == "" || err != nil {
			return command.Misuse("--variable takes FN.NAME=VALUE such as books.LOG=debug, not %s", phrase.Quote(text))
		}
		env.Variables = setFunctionVariable(env.Variables, fn, v)
	}
	if err := setOverrides(model.KindData, env, f.data); err != nil {
		return err
	}
	return setOverrides(model.KindStorage, env, f.storage)
}

// setFunctionVariable returns a copy of the list with a variable of a function set.
func setFunctionVariable(list []model.FunctionVariables, fn string, v model.Variable) []model.FunctionVariables {
	next := slices.Clone(list)
	for i := range next {
		if next[i].Function == fn {
			next[i].Values = setVariable(next[i].Values, v)
			return next
		}
	}
	return append(next, model.FunctionVariables{Function: fn, Values: []model.Variable{v}})
}

// unset removes the values that the flags name.
func (f *environmentFlags) unset(env *model.Environment) error {
	var err error
	for _, name := range f.unsetParameters {
		if env.Parameters, err = unsetVariable("unset-parameter", env.Parameters, name); err != nil {
			return err
		}
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
			if left, err = unsetVariable("unset-variable", env.Variables[at].Values, name); err != nil {
				return err
			}
		}
		env.Variables = slices.Clone(env.Variables)
		if env.Variables[at].Values = left; left == nil {
			env.Variables = slices.Delete(env.Variables, at, at+1)
		}
	}
	return nil
}
