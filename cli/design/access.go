package design

import (
	"errors"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"gatewright/cli/command"
	"gatewright/flow/resource"
	"gatewright/internal/text/phrase"
	"gatewright/internal/text/spelling"
	"gatewright/model"
	"gatewright/model/access"
)

// accessFlags are the flags that say who may do what under a path.
type accessFlags struct {
	open        bool
	auth, guest string
	groups      []string
	// These flags are only for a path that exists.
	noAuth, noGuest bool
	noGroups        []string
}

// accessFlagNames are the flags of a new path, accessUpdateFlagNames those of an existing
// one.
var (
	accessFlagNames       = []string{"open", "auth", "guest", "group"}
	accessUpdateFlagNames = []string{"open", "auth", "guest", "group", "no-auth", "no-guest", "no-group"}
)

func (f *accessFlags) add(cmd *cobra.Command, streams command.Streams) {
	cmd.Flags().BoolVar(&f.open, "open", false, "let anyone call it, signed in or not")
	cmd.Flags().StringVar(&f.auth, "auth", "",
		"the `ACTIONS` of signed-in users: create, read, update, delete or all, separated by commas")
	cmd.Flags().StringVar(&f.guest, "guest", "", "the `ACTIONS` of guests")
	cmd.Flags().StringArrayVar(&f.groups, "group", nil, "what a group may do, as `NAME=ACTIONS`; can be repeated")
	_ = cmd.RegisterFlagCompletionFunc("auth", command.CompleteList(resource.ActionWords()))
	_ = cmd.RegisterFlagCompletionFunc("guest", command.CompleteList(resource.ActionWords()))
	_ = cmd.RegisterFlagCompletionFunc("group", completeGroupActions(streams))
}

func (f *accessFlags) addChanges(cmd *cobra.Command, streams command.Streams) {
	f.add(cmd, streams)
	cmd.Flags().BoolVar(&f.noAuth, "no-auth", false, "remove the entry of signed-in users")
	cmd.Flags().BoolVar(&f.noGuest, "no-guest", false, "remove the entry of guests")
	cmd.Flags().StringArrayVar(&f.noGroups, "no-group", nil,
		"remove the entry of the group `NAME`; its members act as other signed-in users")
	_ = cmd.RegisterFlagCompletionFunc("no-group", command.CompleteValue(streams, model.KindGroup))
}

// parseActions parses the value of a flag that takes actions.
func parseActions(flag, text string) (access.Actions, error) {
	set, err := resource.ParseActions(text)
	if errors.Is(err, resource.ErrNoAction) {
		return 0, command.Misuse("--%s %v; to allow nothing, leave out the flag", flag, err)
	}
	return set, misuse(flag, err)
}

// misuse is an error of a value that begins with a verb, as one of its flag.
func misuse(flag string, err error) error {
	if err == nil {
		return nil
	}
	return command.Misuse("--%s %v", flag, err)
}

// grants returns the entries that the flags set, in the order of cli-inputs.json.
func (f *accessFlags) grants(given func(string) bool) ([]access.Grant, error) {
	var grants []access.Grant
	for _, user := range []struct {
		flag, text string
		kind       access.PrincipalKind
	}{{"auth", f.auth, access.Authenticated}, {"guest", f.guest, access.Guest}} {
		if !given(user.flag) {
			continue
		}
		actions, err := parseActions(user.flag, user.text)
		if err != nil {
			return nil, err
		}
		grants = append(grants, access.Grant{To: access.Principal{Kind: user.kind}, Actions: actions})
	}
	for _, text := range f.groups {
		// The name of a group may contain =.
		at := strings.LastIndexByte(text, '=')
		if at < 1 {
			return nil, command.Misuse("--group takes NAME=ACTIONS such as Admins=create,read, not %s", phrase.Quote(text))
		}
		actions, err := parseActions("group", text[at+1:])
		if err != nil {
			return nil, err
		}
		to := access.Principal{Kind: access.Group, Group: text[:at]}
		if slices.ContainsFunc(grants, func(g access.Grant) bool { return g.To == to }) {
			return nil, command.Misuse("--group names %s twice; give its actions once, separated by commas",
				phrase.Quote(to.Group))
		}
		grants = append(grants, access.Grant{To: to, Actions: actions})
	}
	return grants, nil
}

// access returns the access to a new path: open, unless a flag restricts it.
func (f *accessFlags) access(given func(string) bool) (access.Access, error) {
	return f.change(given, access.Access{Setting: access.Open})
}

// change returns an access changed by the flags. Guests get access only if the flags name
// them, never through an entry that had no effect before.
func (f *accessFlags) change(given func(string) bool, rules access.Access) (access.Access, error) {
	grants, err := f.grants(given)
	if err != nil {
		return rules, err
	}
	taken := f.noAuth || f.noGuest || len(f.noGroups) > 0
	switch {
	case f.open && (grants != nil || taken):
		return rules, command.Misuse("--open lets anyone call it; leave out the other access flags")
	case f.open:
		return access.Access{Setting: access.Open}, nil
	case given("auth") && f.noAuth:
		return rules, command.Misuse("--auth and --no-auth contradict each other")
	case given("guest") && f.noGuest:
		return rules, command.Misuse("--guest and --no-guest contradict each other")
	}
	rules = rules.Granted(grants...)
	if f.noAuth {
		rules = rules.Without(access.Principal{Kind: access.Authenticated})
	}
	if f.noGuest {
		rules = rules.Without(access.Principal{Kind: access.Guest})
	}
	for _, name := range f.noGroups {
		to := access.Principal{Kind: access.Group, Group: name}
		if _, named := rules.Grant(to); !named {
			return rules, noSuchValue("no-group", name, rules.Groups())
		}
		rules = rules.Without(to)
	}
	return rules, nil
}

// noSuchValue is the error of a flag that removes a value which does not exist.
func noSuchValue(flag, name string, have []string) error {
	problem := &model.Problem{
		Field: "--" + flag, Text: "there is no " + phrase.Quote(name) + " to remove",
		Cause: model.ErrUnknown,
	}
	if near := spelling.Nearest(name, have); near != "" {
		problem.Fix = "did you mean " + phrase.Quote(near) + "?"
	} else if len(have) > 0 {
		problem.Fix = "there is " + phrase.QuoteList(have)
	}
	return problem
}

// completeGroupActions completes NAME=ACTIONS for groups.
func completeGroupActions(streams command.Streams) cobra.CompletionFunc {
	return completeActions(func() []string { return command.ReadBackend(streams).Names(model.KindGroup) })
}

func completeActions(subjects func() []string) cobra.CompletionFunc {
	return func(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
		var words []string
		if at := strings.LastIndexByte(typed, '=') + 1; at > 0 {
			for _, actions := range command.NextWords(typed[at:], resource.ActionWords()) {
				words = append(words, typed[:at]+actions)
			}
		} else {
			for _, subject := range subjects() {
				words = append(words, subject+"=")
			}
		}
		return command.Offered(words, typed), cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
	}
}
