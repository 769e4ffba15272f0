package design

import (
	"github.com/spf13/cobra"

	"gatewright/cli/command"
	"gatewright/flow/resource"
	"gatewright/internal/text/phrase"
	"gatewright/model"
)

// functionFlags are the flags of a handler function.
type functionFlags struct {
	runtime, template, handler, functionName, schedule string
	timeout, memory                                    command.Number
	environment, secrets, layers, access               []string
	table, partitionKey, sortKey                       string
}

// functionFlagNames are the flags of both add and update.
var functionFlagNames = []string{
	"runtime", "template", "handler", "function-name", "timeout", "memory", "env", "secret", "schedule", "layer", "access",
	"table",
}

func (f *functionFlags) add(cmd *cobra.Command, streams command.Streams) {
	flags := cmd.Flags()
	flags.StringVar(&f.runtime, "runtime", "", "the `RUNTIME` that runs it: nodejs (default), python or go")
	flags.StringVar(&f.template, "template", "",
		"the `TEMPLATE` of its source: express (default for nodejs), crud, plain (default for other runtimes), "+
			"express-typescript or plain-typescript")
	flags.StringVar(&f.handler, "handler", "", "its `ENTRY` point (default: the one of the runtime's templates)")
	flags.StringVar(&f.functionName, "function-name", "",
		"the `NAME` of the deployed function (default: the resource name)")
	flags.Var(&f.timeout, "timeout", "its time limit in `SECONDS`: 1 to 900 (default 25)")
	flags.Var(&f.memory, "memory", "its memory in `MB`: 128 to 10240 (default 128)")
	flags.StringArrayVar(&f.environment, "env", nil,
		"an environment variable, as `NAME=VALUE`; may be given several times")
	flags.StringArrayVar(&f.secrets, "secret", nil, "the `NAME` of a secret that it gets; may be given several times")
	flags.StringVar(&f.schedule, "schedule", "",
		"the `TIMES` at which it is invoked: rate(5 minutes) or cron(0 12 * * ? *)")
	flags.StringArrayVar(&f.layers, "layer", nil, "the `ARN` of a layer, at most 5; may be given several times")
	flags.StringArrayVar(&f.access, "access", nil,
		"what it may do with a resource, as `RESOURCE=ACTIONS` such as table/items=create,read; may be given several times")
	flags.StringVar(&f.table, "table", "", "the `TABLE` of a function with the template crud")
	_ = cmd.RegisterFlagCompletionFunc("runtime", command.CompleteWords(command.Words(model.Runtimes)...))
	_ = cmd.RegisterFlagCompletionFunc("template", command.CompleteWords(command.Words(model.Templates)...))
	_ = cmd.RegisterFlagCompletionFunc("table", command.CompleteValue(streams, model.KindTable))
	_ = cmd.RegisterFlagCompletionFunc("access", completeResourceActions(streams))
	_ = cmd.RegisterFlagCompletionFunc("layer",
		completeUsed(streams, func(f *model.Function) []string { return f.Layers }))
	_ = cmd.RegisterFlagCompletionFunc("secret",
		completeUsed(streams, func(f *model.Function) []string { return f.Secrets }))
}

// addKeys adds the flags for the keys of a table that is created with the function.
func (f *functionFlags) addKeys(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.partitionKey, "partition-key", "",
		"the partition key of the table, as `NAME:TYPE` (default id:string)")
	cmd.Flags().StringVar(&f.sortKey, "sort-key", "", "the sort key of the table, as `NAME:TYPE`")
}

// check refuses values that cannot be right. The error does not repeat the value of a
// secret.
func (f *functionFlags) check(cmd *cobra.Command) error {
	for _, name := range f.secrets {
		if err := resource.CheckSecret(name); err != nil {
			return misuse("secret", err)
		}
	}
	for _, list := range []struct {
		flag   string
		values []string
	}{{"secret", f.secrets}, {"layer", f.layers}, {"access", f.access}} {
		if err := checkCleared(list.flag, list.values); err != nil {
			return err
		}
		for _, value := range list.values {
			if err := checkText(list.flag, value); err != nil {
				return err
			}
		}
	}
	if cmd.Flags().Changed("table") && cmd.Flags().Changed("template") && model.Template(f.template) != model.CRUD &&
		f.table != "" {
		return command.Misuse("--table needs the template crud; to let another function use a table give --access "+
			"table/%s=read", phrase.Quote(f.table))
	}
	return nil
}

// set sets the values of the flags in a function.
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
		fn.Secrets = listValue(f.secrets)
	}
	if given("layer") {
		fn.Layers = listValue(f.layers)
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
	for _, text := range listValue(f.access) {
		access, err := parseResourceAccess(text)
		if err != nil {
			return err
		}
		if resource.Grants(fn.Access, access.Resource) {
			return command.Misuse("--access names %s twice; give its actions once, separated by commas",
				phrase.Quote(access.Resource))
		}
		fn.Access = append(fn.Access, access)
	}
	return nil
}

func parseResourceAccess(text string) (model.ResourceAccess, error) {
	access, err := resource.ParseAccess(text)
	return access, misuse("access", err)
}

// keys returns the keys that the flags give for the table of a CRUD function.
func (f *functionFlags) keys(cmd *cobra.Command, fn *model.Function) (resource.Keys, error) {
	keys := resource.Keys{}
	if fn.Template != model.CRUD {
		for _, flag := range []string{"table", "partition-key", "sort-key"} {
			if cmd.Flags().Changed(flag) {
				return keys, command.Misuse("--%s needs --template crud", flag)
			}
		}
		return keys, nil
	}
	if f.sortKey != "" && f.partitionKey == "" {
		return keys, command.Misuse("--sort-key needs --partition-key too")
	}
	var err error
	if f.partitionKey != "" {
		if keys.Partition, err = parseKey("partition-key", f.partitionKey); err != nil {
			return keys, err
		}
	}
	if f.sortKey != "" {
		keys.Sort, err = parseKey("sort-key", f.sortKey)
	}
	return keys, err
}

// completeResourceActions completes RESOURCE=ACTIONS for the resources of the project.
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
