package cli

import (
	"maps"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"gatewright/cli/command"
)

// typedFlags are the flags whose values no shell can know, with what they take; typedArguments
// are such commands.
var (
	typedFlags = map[string]string{
		"push --adopt-pool":               "the id of a user pool, which takes a request",
		"init --app-id":                   "an id that is new",
		"init --env":                      "a name that is new",
		"init --name":                     "a name that is new",
		"import amplify --app-id":         "an id that is new",
		"import amplify --name":           "a name that is new",
		"add table --ttl":                 "an attribute of items",
		"update table --ttl":              "an attribute of items",
		"add table --read-capacity":       "a number",
		"add table --write-capacity":      "a number",
		"update table --read-capacity":    "a number",
		"update table --write-capacity":   "a number",
		"add api --path":                  "a path that is new",
		"add env --api-resources":         "a number",
		"update api --cors-expose":        "a header that is new",
		"update api --cors-header":        "a header that is new",
		"update api --cors-max-age":       "a number",
		"update api --cors-origin":        "an origin that is new",
		"update env --api-resources":      "a number",
		"add function --env":              "a variable that is new",
		"add function --function-name":    "a name that is new",
		"add function --policy":           "a statement that is new",
		"update function --policy":        "a statement that is new",
		"add function --handler":          "an entry point of source that is new",
		"add function --memory":           "a number",
		"add function --partition-key":    "a key that is new",
		"add function --schedule":         "times",
		"add function --sort-key":         "a key that is new",
		"add function --timeout":          "a number",
		"add table --index":               "an index that is new",
		"add table --partition-key":       "a key that is new",
		"add table --sort-key":            "a key that is new",
		"add env --account":               "a number",
		"add env --branch":                "a branch of git, which other clones may have",
		"add env --parameter":             "a parameter that is new",
		"update function --function-name": "a name that is new",
		"update function --handler":       "an entry point of source, in any language",
		"update function --memory":        "a number",
		"update function --schedule":      "times",
		"update function --timeout":       "a number",
		"update table --index":            "an index that is new",
		"update table --partition-key":    "a key that is new",
		"update table --sort-key":         "a key that is new",
		"update env --account":            "a number",
		"update env --branch":             "a branch of git, which other clones may have",
		"update project --app-id":         "an id that is new",
		"update project --name":           "a name that is new",
		"update project --sandbox-port":   "a number",
		"prove --parameter":               "a parameter of a template that may be in AWS",
		"prove --stack":                   "a stack in AWS, which a shell would have to wait for",
		"sandbox --set":                   "a variable that is new",
		"table scan --limit":              "a number",
	}
	typedArguments = map[string]string{
		"init":             "nothing",
		"add api":          "a name that is new",
		"add function":     "a name that is new",
		"add table":        "a name that is new",
		"add env":          "a name that is new",
		"add group":        "a name that is new",
		"add output":       "a name that is new",
		"add test":         "a sentence",
		"apply":            "nothing",
		"validate":         "files, which the shell completes",
		"prove":            "a file, which the shell completes",
		"generate outputs": "nothing",
	}
)

func TestEveryArgumentIsCompletedOrCannotBe(t *testing.T) {
	t.Parallel()
	unused := maps.Clone(typedArguments)
	everyCommand(t, func(cmd *cobra.Command) {
		name := strings.TrimPrefix(cmd.CommandPath(), "gatewright ")
		_, arguments, _ := strings.Cut(cmd.Use, " ")
		if arguments != "" && cmd.ValidArgsFunction == nil && len(cmd.ValidArgs) == 0 && !cmd.HasSubCommands() {
			if _, typed := typedArguments[name]; !typed {
				t.Errorf("%s %s completes to nothing: give it a completion, or say in typedArguments what it takes", name, arguments)
			}
			delete(unused, name)
		}
	})
	for name := range unused {
		t.Errorf("%s is no command with arguments that lacks a completion", name)
	}
}

func TestEveryFlagWithAValueIsCompletedOrCannotBe(t *testing.T) {
	t.Parallel()
	unused := maps.Clone(typedFlags)
	everyCommand(t, func(cmd *cobra.Command) {
		cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
			name := strings.TrimPrefix(cmd.CommandPath(), "gatewright ") + " --" + f.Name
			_, completed := cmd.GetFlagCompletionFunc(f.Name)
			_, file := f.Annotations[cobra.BashCompFilenameExt]
			_, folder := f.Annotations[cobra.BashCompSubdirsInDir]
			if f.NoOptDefVal != "" || completed || file || folder {
				return
			}
			if _, typed := typedFlags[name]; !typed {
				t.Errorf("%s completes to nothing: give it a completion, or say in typedFlags what it takes", name)
			}
			delete(unused, name)
		})
	})
	for name := range unused {
		t.Errorf("%s is no flag that lacks a completion", name)
	}
}

// everyCommand calls check with each command of the tree.
func everyCommand(t *testing.T, check func(*cobra.Command)) {
	t.Helper()
	var walk func(*cobra.Command)
	walk = func(cmd *cobra.Command) {
		check(cmd)
		for _, child := range cmd.Commands() {
			walk(child)
		}
	}
	walk(NewRoot(command.Streams{Dir: t.TempDir()}))
}
