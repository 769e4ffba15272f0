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
		Short: "Print a token of a user, for curl and tests",
		Long: "Print the id token of a user of the sandbox's pool, as if the user had signed in; no password is needed. " +
			"The sandbox accepts it\n" +
			"as Authorization: Bearer TOKEN, unless it runs with --require-signatures. The cloud does not: there requests are " +
			"signed, as\n" +
			"gatewright call --as signs them.\n" +
			"Anyone who has the token can act as the user: keep it out of files and logs.",
		Example: "  curl -H \"Authorization: Bearer $(gatewright token emma)\" " +
			"http://127.0.0.1:4280/API/ENVIRONMENT/books\n" +
			"  gatewright token emma --access\n  gatewright token emma --json | jq -r .refreshToken",
		Args: command.Arguments("a USER"),
		RunE: func(_ *cobra.Command, args []string) error {
			if access && refresh || access && x.json || refresh && x.json {
				return command.Misuse("token takes one of --access, --refresh and --json")
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
