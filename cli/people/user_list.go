package people

import (
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"gatewright/cli/command"
	"gatewright/deploy/people"
	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/project/answer"
)

// userReport is a user as JSON. ActsAs is authenticated or group:NAME.
type userReport struct {
	Name       string            `json:"name"`
	Status     string            `json:"status"`
	Enabled    bool              `json:"enabled"`
	Attributes map[string]string `json:"attributes"`
	// Groups are in the pool's order.
	Groups       []string  `json:"groups"`
	ActsAs       string    `json:"actsAs"`
	MFAMethods   []string  `json:"mfaMethods"`
	PreferredMFA string    `json:"preferredMfa"`
	Created      time.Time `json:"created"`
	Modified     time.Time `json:"modified"`
}

// report returns a user with its groups as JSON.
func (x *userCommand) report(u people.User, groups []string) userReport {
	return userReport{
		Name: u.Username, Status: u.UserStatus, Enabled: u.Enabled, Attributes: u.Values(), Groups: command.Listed(groups),
		ActsAs: answer.PrincipalWord(x.Users.Pool.Principal(groups)), MFAMethods: command.Listed(u.UserMFASettingList),
		PreferredMFA: u.PreferredMfaSetting,
		Created:      timeOf(u.UserCreateDate), Modified: timeOf(u.UserLastModifiedDate),
	}
}

// timeOf converts a time in Cognito's JSON, to the second.
func timeOf(seconds float64) time.Time { return time.Unix(int64(seconds), 0).UTC() }

// state returns the status in words.
func (r userReport) state() string { return people.StateWords(r.Status, r.Enabled) }

func newUserList(streams command.Streams) *cobra.Command {
	x := newUserCommand(streams)
	var group string
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List the users, with their groups",
		Example: command.Examples("user list", "user list --group Editors --env qa",
			"user list --json | jq -r '.users[].attributes.email'"),
		Args: command.Arguments(), ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if cmd.Flags().Changed("group") && group == "" {
				return command.Misuse("--group is empty; give --group GROUP")
			}
			return x.With(func() error {
				if group == "" {
					return nil
				}
				return answer.KnownGroup(&model.Backend{}, x.Users.Groups, group)
			}, func() error {
				if group != "" {
					if err := x.Users.CheckServed([]string{group}); err != nil {
						return err
					}
				}
				return x.list(group)
			})
		},
	}
	x.flags(cmd)
	cmd.Flags().StringVar(&group, "group", "", "only the members of the `GROUP`")
	cmd.Flags().BoolVar(&x.json, "json", false, "report as JSON")
	_ = cmd.RegisterFlagCompletionFunc("group", command.CompleteValue(streams, model.KindGroup))
	return cmd
}

func (x *userCommand) list(group string) error {
	groups, err := x.Users.Memberships(x.Context)
	if err != nil {
		return err
	}
	reports := []userReport{}
	err = x.List(group, func(page []people.User) bool {
		for _, u := range page {
			reports = append(reports, x.report(u, groups[u.Username]))
		}
		return true
	})
	if err != nil {
		return err
	}
	slices.SortStableFunc(reports, func(a, b userReport) int {
		return strings.Compare(people.ShownName(a.Name, a.Attributes), people.ShownName(b.Name, b.Attributes))
	})
	if x.json {
		return command.PrintJSON(x.Streams.Out, struct {
			Environment string       `json:"environment"`
			Users       []userReport `json:"users"`
		}{x.Users.Pool.Environment, reports})
	}
	var b strings.Builder
	if len(reports) == 0 && group != "" {
		b.WriteString("no user is in " + phrase.Quote(group) + "; add one with: gatewright user groups NAME --add " +
			model.ShellWord(group) + x.EnvironmentWords() + "\n")
	} else if len(reports) == 0 {
		b.WriteString("no user; add one with: gatewright user add NAME" + x.EnvironmentWords() + "\n")
	} else {
		rows := [][]string{{"User", "Status", "Email", "Groups"}}
		for _, r := range reports {
			email := "-"
			if address := r.Attributes["email"]; address != "" {
				email = phrase.Quote(address)
			}
			groups := "-"
			if len(r.Groups) > 0 {
				groups = phrase.QuoteList(r.Groups)
			}
			rows = append(rows, []string{phrase.Quote(people.ShownName(r.Name, r.Attributes)), r.state(), email, groups})
		}
		command.WriteTable(&b, "", command.WidthOf(x.Streams.Out), rows)
	}
	return command.PrintText(x.Streams.Out, b.String())
}

func newUserShow(streams command.Streams) *cobra.Command {
	x := newUserCommand(streams)
	cmd := &cobra.Command{
		Use:     "show NAME",
		Short:   "Show a user: status, attributes, groups, second factor",
		Example: command.Examples("user show emma", "user show emma@example.com --env qa", "user show emma --json"),
		Args:    command.Arguments("the NAME of a user"),
		RunE: func(_ *cobra.Command, args []string) error {
			return x.With(nil, func() error { return x.show(args[0]) })
		},
	}
	x.flags(cmd)
	cmd.Flags().BoolVar(&x.json, "json", false, "report as JSON")
	return cmd
}

func (x *userCommand) show(name string) error {
	user, err := x.Find(name)
	if err != nil {
		return err
	}
	var answer people.User
	if err := x.Users.AskOn(x.Context, user.Name, name, "AdminGetUser", map[string]any{}, &answer); err != nil {
		return err
	}
	r := x.report(answer, user.Groups)
	if x.json {
		return command.PrintJSON(x.Streams.Out, r)
	}
	rows := [][]string{{"user", phrase.Quote(r.Name)}, {"status", r.state()}}
	for _, attribute := range slices.Sorted(maps.Keys(r.Attributes)) {
		rows = append(rows, []string{phrase.Quote(attribute), phrase.Quote(r.Attributes[attribute])})
	}
	factor := "no second factor"
	if len(r.MFAMethods) > 0 {
		factor = phrase.QuoteList(r.MFAMethods)
		if r.PreferredMFA != "" && len(r.MFAMethods) > 1 {
			factor += ", first " + phrase.Quote(r.PreferredMFA)
		}
	}
	rows = append(rows, []string{"groups", people.MembershipWords(x.Users.Pool, r.Groups)}, []string{"MFA", factor},
		[]string{"created", x.Streams.Clock().Moment(r.Created)}, []string{"changed", x.Streams.Clock().Moment(r.Modified)})
	var b strings.Builder
	command.WriteColumns(&b, "", command.WidthOf(x.Streams.Out), rows)
	return command.PrintText(x.Streams.Out, b.String())
}
