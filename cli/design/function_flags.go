package design

import (
	"github.com/spf13/cobra"

	"gatewright/cli/command"
	"gatewright/flow/resource"
	"gatewright/internal/text/phrase"
	"gatewright/model"
)

// functionFlags are the flags of a handler function.
func functionFlags(streams command.Streams) []fieldFlag {
	return []fieldFlag{
		{
			"runtime", "the `RUNTIME`: nodejs24.x (default), python3.14, provided.al2023 (Go) or an older one; " +
				"for a new function nodejs/python/go: the newest", nil,
		},
		{"architecture", "the `PROCESSOR` in the cloud: x86_64 (default) or arm64", nil},
		{
			"template", "the `TEMPLATE` of its source: plain (default), express, crud, express-typescript or " +
				"plain-typescript", nil,
		},
		{"handler", "its `ENTRY` point (default: the templates' own)", nil},
		{"functionName", "the `NAME` of the deployed function (default: the resource name)", nil},
		{"timeout", "its time limit in `SECONDS`: 1 to 900 (default 25)", nil},
		{"memory", "its memory in `MB`: 128 to 10240 (default 128)", nil},
		{"environment", "an environment variable, as `NAME=VALUE`; can be repeated", nil},
		{"secrets", "the `NAME` of a secret that it gets; can be repeated", completeUsed(streams, "secrets")},
		{"schedule", "`WHEN` it is invoked: rate(5 minutes) or cron(0 12 * * ? *)", nil},
		{"layers", "the `ARN` of a layer; up to 5; can be repeated", completeUsed(streams, "layers")},
		{
			"access", "what it may do with a resource; `RESOURCE=ACTIONS` such as table/items=create,read; can be " +
				"repeated", completeResourceActions(streams),
		},
		{"policies", "a `STATEMENT` for its role, such as 'ses:SendEmail on *', or JSON; can be repeated", nil},
		{"table", "the `TABLE` of a function with the template crud", command.CompleteValue(streams, model.KindTable)},
	}
}

// addTableKeys adds the flags for the keys of a table that is created with a function.
func addTableKeys(cmd *cobra.Command) {
	cmd.Flags().String("partition-key", "", "the partition key, as `NAME:TYPE` (default id:string)")
	cmd.Flags().String("sort-key", "", "the table's sort key, as `NAME:TYPE`")
}

// checkFunction refuses values of flags that cannot be right. The error does not repeat the value of
// a secret.
func checkFunction(cmd *cobra.Command) error {
	for _, name := range flagValues(cmd, "secret") {
		if err := resource.CheckSecret(name); err != nil {
			return misuse("secret", err)
		}
	}
	table, template := cmd.Flag("table"), cmd.Flag("template")
	err := checkValues(cmd, "secret", "layer", "access", "policy", "handler", "function-name", "schedule", "table")
	if err == nil && table.Value.String() != "" && template.Changed && template.Value.String() != string(model.CRUD) {
		return command.Misuse("--table needs the template crud; to let another function use a table give --access "+
			"table/%s=read", phrase.Quote(table.Value.String()))
	}
	return err
}

// tableKeys returns the keys that the flags give for the table of a CRUD function.
func tableKeys(cmd *cobra.Command, fn *model.Function) (resource.Keys, error) {
	keys := resource.Keys{}
	if fn.Template != model.CRUD {
		for _, flag := range []string{"table", "partition-key", "sort-key"} {
			if cmd.Flags().Changed(flag) {
				return keys, command.Misuse("--%s needs --template crud", flag)
			}
		}
		return keys, nil
	}
	partition, sort := cmd.Flag("partition-key").Value.String(), cmd.Flag("sort-key").Value.String()
	if sort != "" && partition == "" {
		return keys, command.Misuse("--sort-key needs --partition-key NAME:TYPE too")
	}
	var err error
	if partition != "" {
		if keys.Partition, err = parseKey("partition-key", partition); err != nil {
			return keys, err
		}
	}
	if sort != "" {
		keys.Sort, err = parseKey("sort-key", sort)
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
		return append(resources, "pool", "mail")
	})
}
