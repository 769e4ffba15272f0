package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"gatewright/model"
)

// guardFlag is the flag of every command that may change a guarded environment:
// its name, typed by somebody who means it.
type guardFlag struct{ names []string }

func (g *guardFlag) add(cmd *cobra.Command) {
	cmd.Flags().StringArrayVar(&g.names, "confirm", nil, "the `NAME` of a guarded environment, which says that it is meant")
	// The name is to be typed and not completed.
	_ = cmd.RegisterFlagCompletionFunc("confirm", cobra.NoFileCompletions)
}

// allow lets a command go on with an environment: one that is not guarded (or
// nil), one that --confirm names, or one whose name somebody types when asked.
// what says what the command does to it, such as "remove it". Without a terminal
// nothing is asked, and the flag is missing.
func (g *guardFlag) allow(streams Streams, env *model.Environment, what string) error {
	if env == nil || !env.Guarded || slices.Contains(g.names, env.Name) {
		return nil
	}
	name := model.Quote(env.Name)
	if len(g.names) > 0 {
		return misuse("environment %s is guarded, and --confirm says %s; to %s give --confirm %s", name, model.QuoteList(g.names), what, name)
	}
	if !attended(streams) {
		return misuse("environment %s is guarded; to %s give --confirm %s", name, what, name)
	}
	typed, err := ask(streams, fmt.Sprintf("environment %s is guarded, and this would %s\ntype %s to go on: ", name, what, name))
	if err != nil {
		return err
	}
	if strings.TrimSpace(typed) != env.Name {
		return fmt.Errorf("environment %s is guarded and its name was not typed; nothing is done", name)
	}
	return nil
}
