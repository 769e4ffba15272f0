package command

import (
	"errors"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/model/access"
	"gatewright/project/answer"
	"gatewright/sandbox/call"
	"gatewright/sandbox/http1"
)

// Target checks the arguments METHOD and PATH of a request, and returns the path and the
// query of PATH, escaped as in a URL.
func Target(method, text string) (path, query string, err error) {
	if !http1.IsToken(method) {
		return "", "", Misuse("%s is not a method; give one of %s", phrase.Quote(method), strings.Join(access.Methods, ", "))
	}
	if path, query, err = call.Target(text); err != nil {
		return "", "", Misuse("%s", err)
	}
	return path, query, nil
}

// CompleteTarget completes the arguments METHOD and PATH with the methods, and with the
// paths of an API, or of all APIs if api is "".
func CompleteTarget(streams Streams, api string, args []string, typed string) ([]string, cobra.ShellCompDirective) {
	var words []string
	switch len(args) {
	case 0:
		words = access.Methods
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

// WhoHelp describes the argument WHO in the help of a command.
const WhoHelp = `WHO is guest; authenticated, a signed-in user in no group; group:NAME, a member of a group; or a
user of the environment's pool, by name, email address or sub. Write user:NAME if the name of a user
reads like one of the other forms.`

// ParseWho parses WHO. A text that names nobody is misuse.
func ParseWho(text string, b *model.Backend) (answer.Who, error) {
	who, err := answer.ParseWho(text, b)
	return who, QuestionError(err)
}

// QuestionError returns the error of a question; misuse if the question is not clear.
func QuestionError(err error) error {
	var unclear answer.Unclear
	if errors.As(err, &unclear) {
		return Misuse("%s", string(unclear))
	}
	return err
}
