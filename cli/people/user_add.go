package people

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"gatewright/cli/command"
	"gatewright/deploy/people"
	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/project/answer"
)

// userAddCommand is one run of `user add`.
type userAddCommand struct {
	userCommand
	email, phone       string
	attributes, groups []string
	password           passwordFlags

	// user is what the flags say.
	user people.New
}

func newUserAdd(streams command.Streams) *cobra.Command {
	x := &userAddCommand{userCommand: *newUserCommand(streams)}
	cmd := &cobra.Command{
		Use:   "add NAME",
		Short: "Add a user, confirmed and with a password",
		Long: `Add a user, confirmed and with a permanent password. The command asks for the password; without a
terminal it makes one and prints it once. With --temporary the user must choose another password at the first
sign-in.

` + passwordHelp + `

Email addresses and phone numbers count as verified, unless you give --attribute email_verified=false. If a step
fails, no user is added.`,
		Example: command.Examples("user add emma --email emma@example.com --group Editors",
			"user add emma --email emma@example.com --temporary",
			"pass show jane | gatewright user add jane --password-stdin",
			`printf '%s' "$PASSWORD" | gatewright user add jane@example.com --password-stdin --attribute given_name=Jane`),
		Args: command.Arguments("the NAME of a user"), ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(_ *cobra.Command, args []string) error { return x.run(args[0]) },
	}
	x.flagsOfChange(cmd)
	flags := cmd.Flags()
	flags.StringVar(&x.email, "email", "", "the user's `EMAIL`")
	flags.StringVar(&x.phone, "phone", "", "the user's phone `NUMBER`, such as +441632960123")
	flags.StringArrayVar(&x.attributes, "attribute", nil, "another attribute, as `NAME=VALUE`; can be repeated")
	flags.StringArrayVar(&x.groups, "group", nil, "a `GROUP` to add the user to; can be repeated")
	x.password.add(cmd)
	_ = cmd.RegisterFlagCompletionFunc("group", command.CompleteValue(streams, model.KindGroup))
	for _, name := range []string{"email", "phone"} {
		_ = cmd.RegisterFlagCompletionFunc(name, cobra.NoFileCompletions)
	}
	_ = cmd.RegisterFlagCompletionFunc("attribute", completeAttributes)
	return cmd
}

// completeAttributes completes the names of the standard attributes.
func completeAttributes(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
	var words []string
	for _, name := range model.StandardAttributes {
		if name != "sub" {
			words = append(words, name+"=")
		}
	}
	return command.Offered(words, typed), cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
}

func (x *userAddCommand) run(name string) error {
	if err := people.CheckName(name); err != nil {
		if strings.ContainsFunc(name, unicode.IsSpace) {
			return command.Misuse("%v; give a full name with --attribute name=TEXT", err)
		}
		return command.Misuse("%v", err)
	}
	x.user.Name = name
	x.changes("add", name)
	return x.With(func() (err error) {
		if x.user.Attributes, err = x.givenAttributes(name); err != nil {
			return err
		}
		x.user.Temporary = x.password.temporary
		if err := x.checkRequired(); err != nil {
			return err
		}
		if x.user.Groups, err = x.parseGroups(x.groups); err != nil {
			return err
		}
		err = x.password.read(x.Streams, name, x.Users.Pool.Definition)
		x.user.Password = x.password.text
		return err
	}, func() error {
		if err := x.Users.CheckServed(x.user.Groups); err != nil {
			return err
		}
		if _, err := x.Users.Add(x.Context, x.user); err != nil {
			return err
		}
		text := "added user " + phrase.Quote(name)
		if len(x.user.Groups) > 0 {
			text += ", in " + phrase.QuoteList(x.user.Groups)
		}
		if err := x.Done(text + "\n"); err != nil {
			return err
		}
		return x.password.print(x.Streams)
	})
}

// parseGroups parses lists of groups. The error names a group that the pool does not have.
func (x *userCommand) parseGroups(names []string) ([]string, error) {
	b := &model.Backend{Groups: x.Users.Groups}
	var groups []string
	for _, text := range names {
		some, err := answer.ParseGroups(text, b)
		if err != nil {
			return nil, command.QuestionError(err)
		}
		for _, group := range some {
			if !slices.Contains(groups, group) {
				groups = append(groups, group)
			}
		}
	}
	return groups, nil
}

// givenAttributes returns the attributes of the command line.
func (x *userAddCommand) givenAttributes(name string) ([]people.Attribute, error) {
	var all []people.Attribute
	has := func(name string) bool {
		return slices.ContainsFunc(all, func(a people.Attribute) bool { return a.Name == name })
	}
	put := func(flag, name, value string) error {
		if !utf8.ValidString(name + value) {
			return command.Misuse("--%s takes text in UTF-8, not %s", flag, phrase.Quote(name+"="+value))
		}
		if has(name) {
			return command.Misuse("--%s gives the attribute %s twice; give it once", flag, phrase.Quote(name))
		}
		all = append(all, people.Attribute{Name: name, Value: value})
		return nil
	}
	// The name may be the address itself.
	email, phone := x.Users.Addresses(name, x.email, x.phone)
	for _, text := range x.attributes {
		attribute, value, ok := strings.Cut(text, "=")
		if !ok || attribute == "" {
			return nil, command.Misuse("--attribute takes NAME=VALUE such as given_name=Emma, not %s", phrase.Quote(text))
		}
		if err := put("attribute", attribute, value); err != nil {
			return nil, err
		}
	}
	for _, address := range []struct{ flag, given, value, name string }{
		{"email", x.email, email, "email"}, {"phone", x.phone, phone, "phone_number"},
	} {
		if address.value != "" && (address.given != "" || !has(address.name)) {
			if err := put(address.flag, address.name, address.value); err != nil {
				return nil, err
			}
		}
		all = people.Verified(all, address.name)
	}
	return all, nil
}

// checkRequired returns an error if an attribute is missing that the pool requires at a
// sign-up.
func (x *userAddCommand) checkRequired() error {
	missing := x.Users.Missing(x.user)
	if missing == nil {
		return nil
	}
	return &model.Problem{
		Of: people.Ref(x.user.Name), Text: "lacks attributes that the pool requires: " + phrase.QuoteList(missing),
		Fix: "give them with --email, --phone or --attribute NAME=VALUE",
	}
}
