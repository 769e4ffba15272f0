package people

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"gatewright/cli/command"
	"gatewright/cli/users"
	"gatewright/deploy"
	"gatewright/model"
	"gatewright/project/answer"
)

// userAddCommand is one run of `user add`.
type userAddCommand struct {
	userCommand
	email, phone       string
	attributes, groups []string
	password           passwordFlags

	// memberOf are the groups of the user, given the attributes.
	memberOf []string
	given    []deploy.Attribute
	created  struct {
		User struct{ Username string }
	}
}

func newUserAdd(streams command.Streams) *cobra.Command {
	x := &userAddCommand{userCommand: *newUserCommand(streams)}
	cmd := &cobra.Command{
		Use:   "add NAME",
		Short: "Add a user, confirmed and with a password",
		Long: "Add a user, confirmed and with a permanent password; with --temporary the user must choose another at the first sign-in.\n" +
			passwordHelp +
			"Addresses count as verified, unless you give --attribute email_verified=false. If a step fails, no user is added.",
		Example: "  gatewright user add emma --email emma@example.com --group Editors\n" +
			"  printf '%s' \"$PASSWORD\" | gatewright user add jane@example.com --password-stdin --attribute given_name=Jane",
		Args: command.Arguments("the NAME of a user"),
		RunE: func(_ *cobra.Command, args []string) error { return x.run(args[0]) },
	}
	x.flags(cmd)
	flags := cmd.Flags()
	flags.StringVar(&x.email, "email", "", "the user's `EMAIL`")
	flags.StringVar(&x.phone, "phone", "", "the user's phone `NUMBER`, such as +441632960123")
	flags.StringArrayVar(&x.attributes, "attribute", nil, "another attribute, as `NAME=VALUE`; may be given several times")
	flags.StringArrayVar(&x.groups, "group", nil, "a `GROUP` to add the user to; may be given several times")
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
	if name == "" || !utf8.ValidString(name) {
		return command.Misuse("the name of a user must be text in UTF-8, not %s", model.Quote(name))
	}
	if strings.ContainsFunc(name, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }) {
		return command.Misuse("the name of a user cannot have spaces or control characters: %s; give a full name with --attribute name=TEXT", model.Quote(name))
	}
	return x.With(func() (err error) {
		if x.given, err = x.givenAttributes(name); err != nil {
			return err
		}
		if err := x.checkRequired(name); err != nil {
			return err
		}
		if x.memberOf, err = x.parseGroups(x.groups); err != nil {
			return err
		}
		return x.password.read(x.Streams, name, x.Pool.Definition)
	}, func() error {
		if err := x.checkServed(x.memberOf); err != nil {
			return err
		}
		if err := x.make(name); err != nil {
			return err
		}
		text := "added user " + model.Quote(name)
		if len(x.memberOf) > 0 {
			text += ", in " + model.QuoteList(x.memberOf)
		}
		if err := command.PrintText(x.Streams.Out, text+"\n"); err != nil {
			return err
		}
		return x.password.print(x.Streams)
	})
}

// parseGroups parses lists of groups. The error names a group that the pool does not have.
func (x *userCommand) parseGroups(names []string) ([]string, error) {
	b := &model.Backend{Groups: x.Groups}
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
func (x *userAddCommand) givenAttributes(name string) ([]deploy.Attribute, error) {
	var all []deploy.Attribute
	has := func(name string) bool {
		return slices.ContainsFunc(all, func(a deploy.Attribute) bool { return a.Name == name })
	}
	put := func(flag, name, value string) error {
		if !utf8.ValidString(name + value) {
			return command.Misuse("--%s takes text in UTF-8, not %s", flag, model.Quote(name+"="+value))
		}
		if has(name) {
			return command.Misuse("--%s gives the attribute %s twice; give it once", flag, model.Quote(name))
		}
		all = append(all, deploy.Attribute{Name: name, Value: value})
		return nil
	}
	email, phone := x.email, x.phone
	if d := x.Pool.Definition; d != nil && !slices.Contains(d.UsernameAttributes, "username") {
		// The name is the address itself.
		if email == "" && slices.Contains(d.UsernameAttributes, "email") && strings.Contains(name, "@") {
			email = name
		}
		if phone == "" && slices.Contains(d.UsernameAttributes, "phone_number") && strings.HasPrefix(name, "+") {
			phone = name
		}
	}
	for _, text := range x.attributes {
		attribute, value, ok := strings.Cut(text, "=")
		if !ok || attribute == "" {
			return nil, command.Misuse("--attribute takes NAME=VALUE such as given_name=Emma, not %s", model.Quote(text))
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
		if verified := address.name + "_verified"; has(address.name) && !has(verified) {
			all = append(all, deploy.Attribute{Name: verified, Value: "true"})
		}
	}
	return all, nil
}

// checkRequired returns an error if an attribute is missing that the pool requires at a
// sign-up. A user with a temporary password gives it at the first sign-in instead.
func (x *userAddCommand) checkRequired(name string) error {
	if x.Pool.Definition == nil || x.password.temporary {
		return nil
	}
	var missing []string
	for _, required := range x.Pool.Definition.StandardRequiredAttributes {
		if required != "sub" && !slices.ContainsFunc(x.given, func(a deploy.Attribute) bool { return a.Name == required }) {
			missing = append(missing, required)
		}
	}
	if missing == nil {
		return nil
	}
	return &model.Problem{
		Of: users.Ref(name), Text: "lacks attributes that the pool requires: " + model.QuoteList(missing),
		Fix: "give them with --email, --phone or --attribute NAME=VALUE",
	}
}

// make adds the user with password and groups. If a step fails, it removes the user again.
func (x *userAddCommand) make(name string) error {
	err := x.AskOn(name, name, "AdminCreateUser", map[string]any{
		"UserAttributes": command.Listed(x.given), "TemporaryPassword": x.password.text, "MessageAction": "SUPPRESS",
	}, &x.created)
	if err != nil {
		return err
	}
	err = x.complete(name)
	if err == nil {
		err = x.Context.Err()
	}
	if err == nil {
		return nil
	}
	// The user is removed after an interrupt, too.
	x.Context = context.WithoutCancel(x.Context)
	if undo := x.AskOn(x.created.User.Username, name, "AdminDeleteUser", map[string]any{}, nil); undo != nil {
		return fmt.Errorf("%w; and the incomplete user cannot be removed: %w", err, undo)
	}
	return err
}

// complete sets the password and the groups of the user that was made.
func (x *userAddCommand) complete(name string) error {
	user := x.created.User.Username
	if !x.password.temporary {
		if err := x.AskOn(user, name, "AdminSetUserPassword", map[string]any{"Password": x.password.text, "Permanent": true}, nil); err != nil {
			return err
		}
	}
	for _, group := range x.memberOf {
		if err := x.AskOn(user, name, "AdminAddUserToGroup", map[string]any{"GroupName": group}, nil); err != nil {
			return err
		}
	}
	return nil
}
