package command

import (
	"errors"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"gatewright/model"
	"gatewright/project/answer"
	"gatewright/sandbox/call"
	"gatewright/sandbox/http1"
)

// Target checks the arguments METHOD and PATH of a request, and is the path and
// the query of the latter, both as they stand in a URL.
func Target(method, text string) (path, query string, err error) {
	if !http1.IsToken(method) {
		return "", "", Misuse("%s is not a method; give one of %s", model.Quote(method), strings.Join(model.Methods, ", "))
	}
	if path, query, err = call.Target(text); err != nil {
		return "", "", Misuse("%s", err)
	}
	return path, query, nil
}

// CompleteTarget completes the arguments METHOD and PATH with the methods there are
// and the paths of an API, or of all where api is "".
func CompleteTarget(streams Streams, api string, args []string, typed string) ([]string, cobra.ShellCompDirective) {
	var words []string
	switch len(args) {
	case 0:
		words = model.Methods
		typed = strings.ToUpper(typed)
	case 1:
		backend := ReadBackend(streams)
		for _, a := range backend.APIs {
			if api == "" || api == a.Label {
				words = append(words, namesOf(backend, model.KindPath, a.Label)...)
			}
		}
		slices.Sort(words)
		words = slices.Compact(words)
	}
	return Offered(words, typed), cobra.ShellCompDirectiveNoFileComp
}

// WhoHelp says in the help of a command what WHO can be.
const WhoHelp = "WHO is guest, group:NAME for a member of a group, or a user of the environment's pool: its name, address or sub. user:NAME is\n" +
	"a user whose name is one of these words.\n"

// ParseWho reads WHO; what names nobody is misuse.
func ParseWho(text string, b *model.Backend) (answer.Who, error) {
	who, err := answer.ParseWho(text, b)
	return who, QuestionError(err)
}

// QuestionError is an error of a question: one that is not clear is misuse.
func QuestionError(err error) error {
	var unclear answer.Unclear
	if errors.As(err, &unclear) {
		return Misuse("%s", string(unclear))
	}
	return err
}

// CompleteWho completes guests, groups and other words; users are not looked at.
func CompleteWho(streams Streams, typed string, words ...string) ([]string, cobra.ShellCompDirective) {
	for _, group := range ReadBackend(streams).Groups {
		words = append(words, answer.GroupPrefix+group)
	}
	return Offered(words, typed), cobra.ShellCompDirectiveNoFileComp
}
