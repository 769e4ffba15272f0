package cli

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"gatewright/model"
	"gatewright/sandbox/call"
	"gatewright/sandbox/http1"
)

// targetOf checks the arguments METHOD and PATH of a request, and is the path and
// the query of the latter, both as they stand in a URL.
func targetOf(method, text string) (path, query string, err error) {
	if !http1.IsToken(method) {
		return "", "", misuse("%s is not a method; give one of %s", model.Quote(method), strings.Join(model.Methods, ", "))
	}
	if path, query, err = call.Target(text); err != nil {
		return "", "", misuse("%s", err)
	}
	return path, query, nil
}

// completeTarget completes the arguments METHOD and PATH with the methods there are
// and the paths of an API, or of all where api is "".
func completeTarget(streams Streams, api string, args []string, typed string) ([]string, cobra.ShellCompDirective) {
	var words []string
	switch len(args) {
	case 0:
		words = model.Methods
		typed = strings.ToUpper(typed)
	case 1:
		backend := look(streams)
		for _, a := range backend.APIs {
			if api == "" || api == a.Label {
				words = append(words, namesOf(backend, model.KindPath, a.Label)...)
			}
		}
		slices.Sort(words)
		words = slices.Compact(words)
	}
	return offered(words, typed), cobra.ShellCompDirectiveNoFileComp
}
