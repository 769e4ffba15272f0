package cli

import (
	"errors"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"gatewright/model"
)

// flagError is the misuse of a flag that a command does not have, or of a value
// that a flag cannot have.
func flagError(cmd *cobra.Command, err error) error {
	// A command that does not exist cannot have the flag either.
	if words := cmd.Flags().Args(); cmd.HasSubCommands() && len(words) > 0 {
		return runGroup(cmd, words)
	}
	text := err.Error()
	if name, unknown := strings.CutPrefix(text, "unknown flag: --"); unknown {
		if near := model.Nearest(name, flagNames(cmd)); near != "" {
			return misuse("%s; did you mean --%s?", text, near)
		}
	}
	var parsing *strconv.NumError
	if errors.As(err, &parsing) && parsing.Func == "ParseBool" {
		text = strings.ReplaceAll(text, parsing.Error(), "give true or false")
	}
	return misuse("%s; see: %s --help", text, cmd.CommandPath())
}

// flagNames are the names of a command's flags, as its help has them: those that
// are hidden, or not for it, are not there.
func flagNames(cmd *cobra.Command) []string {
	var names []string
	for line := range strings.Lines(cmd.Flags().FlagUsages()) {
		for _, word := range strings.Fields(line) {
			if name, isFlag := strings.CutPrefix(word, "--"); isFlag {
				name, _, _ = strings.Cut(name, "[")
				names = append(names, name)
				break
			}
		}
	}
	return names
}
