package people

import (
	"github.com/spf13/cobra"

	"gatewright/cli/command"
	"gatewright/deploy/people"
	"gatewright/sandbox/identity/userpool"
)

// tokensReport is a user's tokens as JSON. ExpiresIn is how long the id token and the access
// token are valid, in seconds.
type tokensReport struct {
	ID        string `json:"idToken"`
	Access    string `json:"accessToken"`
	Refresh   string `json:"refreshToken"`
	ExpiresIn int    `json:"expiresIn"`
}

// NewToken makes the command token.
func NewToken(streams command.Streams) *cobra.Command {
	x := newUserCommand(streams)
	var access, refresh bool
	cmd := &cobra.Command{
		Use:   "token USER",
		Short: "Print a user's token, for curl and tests",
		Long: `Print the id token of a user of the sandbox's pool, as if the user had signed in; no password is
needed. Anyone who has the token can act as the user: keep it out of files and logs.

The sandbox accepts it as Authorization: Bearer TOKEN, unless it runs with --require-signatures. AWS does not accept
it: requests to AWS are signed, as 'gatewright call --as' signs them.`,
		Example: command.Examples("token emma --access", "token emma --json | jq -r .refreshToken",
			`curl -H "Authorization: Bearer $(gatewright token emma)" $URL`),
		Args: command.Arguments("a USER"),
		RunE: func(_ *cobra.Command, args []string) error {
			if access && refresh || access && x.json || refresh && x.json {
				return command.Misuse("token takes only one of --access, --refresh and --json")
			}
			x.Refused = func(environment string) error { return people.NoTokens(environment, args[0]) }
			return x.With(nil, func() error {
				tokens, err := x.Users.Tokens(x.Context, args[0])
				if err != nil {
					return err
				}
				return printToken(streams, tokens, access, refresh, x.json)
			})
		},
	}
	x.flags(cmd)
	cmd.Flags().BoolVar(&access, "access", false, "print the access token")
	cmd.Flags().BoolVar(&refresh, "refresh", false, "print the refresh token")
	cmd.Flags().BoolVar(&x.json, "json", false, "print all three tokens as JSON")
	return cmd
}

func printToken(streams command.Streams, t userpool.Tokens, access, refresh, asJSON bool) error {
	switch {
	case asJSON:
		return command.PrintJSON(streams.Out, tokensReport(t))
	case access:
		return command.PrintText(streams.Out, t.Access+"\n")
	case refresh:
		return command.PrintText(streams.Out, t.Refresh+"\n")
	}
	return command.PrintText(streams.Out, t.ID+"\n")
}
