package design

import (
	"strings"

	"github.com/spf13/cobra"

	"gatewright/cli/command"
	"gatewright/model"
)

// functionFlags are the flags of a handler function.
type functionFlags struct {
	runtime, template, handler, functionName, schedule string
	timeout, memory                                    command.Number
	environment, secrets, layers, access               []string
	table, partitionKey, sortKey                       string
}

// functionFlagNames are the flags that add and update share.
var functionFlagNames = []string{
	"runtime", "template", "handler", "function-name", "timeout", "memory", "env", "secret", "schedule", "layer", "access", "table",
}

func (f *functionFlags) add(cmd *cobra.Command, streams command.Streams) {
	flags := cmd.Flags()
	flags.StringVar(&f.runtime, "runtime", "", "the `RUNTIME` that executes it: nodejs (default), python or go")
	flags.StringVar(&f.template, "template", "", "the `TEMPLATE` that its source is made from: express (default for nodejs), crud or plain (default for others)")
	flags.StringVar(&f.handler, "handler", "", "its `ENTRY` point (default: that of the runtime's templates)")
	flags.StringVar(&f.functionName, "function-name", "", "the `NAME` of the deployed function (default: the resource name)")
	flags.Var(&f.timeout, "timeout", "how long it may take, in `SECONDS`: 1 to 900 (default 25)")
	flags.Var(&f.memory, "memory", "its memory in `MB`: 128 to 10240 (default 128)")
	flags.StringArrayVar(&f.environment, "env", nil, "an environment variable, as `NAME=VALUE`; may be given several times")
	flags.StringArrayVar(&f.secrets, "secret", nil, "the `NAME` of a secret that it gets; may be given several times")
	flags.StringVar(&f.schedule, "schedule", "", "the `TIMES` at which it is invoked by itself: rate(5 minutes) or cron(0 12 * * ? *)")
	flags.StringArrayVar(&f.layers, "layer", nil, "the `ARN` of a layer, at most 5; may be given several times")
	flags.StringArrayVar(&f.access, "access", nil, "what it may do with a resource, as `RESOURCE=ACTIONS` such as table/items=create,read; may be given several times")
	flags.StringVar(&f.table, "table", "", "the `TABLE` of a function of the template crud")
	_ = cmd.RegisterFlagCompletionFunc("runtime", command.CompleteWords(command.Words(model.Runtimes)...))
	_ = cmd.RegisterFlagCompletionFunc("template", command.CompleteWords(command.Words(model.Templates)...))
	_ = cmd.RegisterFlagCompletionFunc("table", command.CompleteValue(streams, model.KindTable))
	_ = cmd.RegisterFlagCompletionFunc("access", completeResourceActions(streams))
}

// addKeys adds the flags of the keys of a table that is made with the function.
func (f *functionFlags) addKeys(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.partitionKey, "partition-key", "", "the partition key of the table, as `NAME:TYPE` (default id:string)")
	cmd.Flags().StringVar(&f.sortKey, "sort-key", "", "the sort key of the table, as `NAME:TYPE`")
}

// check refuses flags that cannot be meant. The value of a secret is not
// repeated.
func (f *functionFlags) check(cmd *cobra.Command) error {
	for _, name := range f.secrets {
		if strings.ContainsRune(name, '=') {
			return command.Misuse("--secret takes the name of a secret and never its value: values do not belong into files or command lines")
		}
	}
	for _, list := range []struct {
		flag   string
		values []string
	}{{"secret", f.secrets}, {"layer", f.layers}, {"access", f.access}} {
		if err := clearedAlone(list.flag, list.values); err != nil {
			return err
		}
		for _, value := range list.values {
			if err := checkText(list.flag, value); err != nil {
				return err
			}
		}
	}
	if cmd.Flags().Changed("table") && cmd.Flags().Changed("template") && model.Template(f.template) != model.CRUD && f.table != "" {
		return command.Misuse("--table belongs to the template crud; let another function use a table with --access table/%s=read", model.Quote(f.table))
	}
	return nil
}

// set brings what the flags say into a function.
func (f *functionFlags) set(cmd *cobra.Command, fn *model.Function) error {
	given := cmd.Flags().Changed
	if given("runtime") {
		fn.Runtime = model.Runtime(f.runtime)
	}
	if given("template") {
		fn.Template = model.Template(f.template)
	}
	if err := setTexts(given, []textFlag{
		{"handler", f.handler, &fn.Handler},
		{"function-name", f.functionName, &fn.FunctionName},
		{"schedule", f.schedule, &fn.Schedule},
		{"table", f.table, &fn.Table},
	}); err != nil {
		return err
	}
	if given("timeout") {
		fn.Timeout = int(f.timeout)
	}
	if given("memory") {
		fn.Memory = int(f.memory)
	}
	if given("secret") {
		fn.Secrets = listOf(f.secrets)
	}
	if given("layer") {
		fn.Layers = listOf(f.layers)
	}
	for _, text := range f.environment {
		v, err := parseVariable("env", text)
		if err != nil {
			return err
		}
		fn.Environment = setVariable(fn.Environment, v)
	}
	if !given("access") {
		return nil
	}
	fn.Access = nil
	for _, text := range listOf(f.access) {
		access, err := parseResourceAccess(text)
		if err != nil {
			return err
		}
		if grants(fn.Access, access.Resource) {
			return command.Misuse("--access names %s twice; give its actions once, with commas between them", model.Quote(access.Resource))
		}
		fn.Access = append(fn.Access, access)
	}
	return nil
}

func parseResourceAccess(text string) (model.ResourceAccess, error) {
	resource, words, ok := strings.Cut(text, "=")
	if !ok || resource == "" {
		return model.ResourceAccess{}, command.Misuse("--access takes RESOURCE=ACTIONS such as table/items=create,read, not %s", model.Quote(text))
	}
	actions, err := parseActions("access", words)
	return model.ResourceAccess{Resource: resource, Actions: actions}, err
}

// tableKeys are the keys of a table; a key without a name is not given.
type tableKeys struct{ partition, sort model.Key }

// keys are those of the table that a CRUD function gets.
func (f *functionFlags) keys(cmd *cobra.Command, fn *model.Function) (tableKeys, error) {
	keys := tableKeys{}
	if fn.Template != model.CRUD {
		for _, flag := range []string{"table", "partition-key", "sort-key"} {
			if cmd.Flags().Changed(flag) {
				return keys, command.Misuse("--%s belongs to a function with --template crud", flag)
			}
		}
		return keys, nil
	}
	if f.sortKey != "" && f.partitionKey == "" {
		return keys, command.Misuse("--sort-key needs --partition-key beside it")
	}
	var err error
	if f.partitionKey != "" {
		if keys.partition, err = parseKey("partition-key", f.partitionKey); err != nil {
			return keys, err
		}
	}
	if f.sortKey != "" {
		keys.sort, err = parseKey("sort-key", f.sortKey)
	}
	return keys, err
}

// completeResourceActions completes RESOURCE=ACTIONS of what a function may use.
func completeResourceActions(streams command.Streams) cobra.CompletionFunc {
	return completeActions(func() []string {
		var resources []string
		backend := command.ReadBackend(streams)
		for _, kind := range []model.Kind{model.KindTable, model.KindAPI, model.KindFunction} {
			for _, name := range backend.Names(kind) {
				resources = append(resources, string(kind)+"/"+name)
			}
		}
		return resources
	})
}
