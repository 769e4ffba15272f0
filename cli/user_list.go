package cli

import (
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"gatewright/model"
	"gatewright/project/answer"
)

// The states of a user, as the pool names them.
const unconfirmed = "UNCONFIRMED"

// pooled is a user as the pool lists it. Times are in seconds since 1970.
type pooled struct {
	Username             string
	Attributes           []userAttribute
	UserAttributes       []userAttribute
	UserCreateDate       float64
	UserLastModifiedDate float64
	Enabled              bool
	UserStatus           string
	UserMFASettingList   []string
	PreferredMfaSetting  string
}

// attributes are the attributes by name.
func (u pooled) attributes() map[string]string {
	values := make(map[string]string)
	for _, a := range slices.Concat(u.Attributes, u.UserAttributes) {
		values[a.Name] = a.Value
	}
	return values
}

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

// report is a user with the groups given.
func (x *usersCommand) report(u pooled, groups []string) userReport {
	r := userReport{
		Name: u.Username, Status: u.UserStatus, Enabled: u.Enabled, Attributes: u.attributes(), Groups: listed(groups),
		ActsAs: answer.PrincipalWord(x.pool.Principal(groups)), MFAMethods: listed(u.UserMFASettingList), PreferredMFA: u.PreferredMfaSetting,
		Created: timeOf(u.UserCreateDate), Modified: timeOf(u.UserLastModifiedDate),
	}
	return r
}

// timeOf is a time of the wire, to the second.
func timeOf(seconds float64) time.Time { return time.Unix(int64(seconds), 0).UTC() }

// shownName is the name that people know a user by: an address where the name is
// nothing but the sub.
func shownName(name string, attributes map[string]string) string {
	if attributes["sub"] != name {
		return name
	}
	for _, alias := range []string{"email", "phone_number"} {
		if value := attributes[alias]; value != "" {
			return value
		}
	}
	return name
}

// state is the status for people.
func (r userReport) state() string {
	words := map[string]string{
		"CONFIRMED": "confirmed", unconfirmed: "not confirmed", "FORCE_CHANGE_PASSWORD": "temporary password", "RESET_REQUIRED": "password to be reset",
	}[r.Status]
	if words == "" {
		words = model.Quote(r.Status)
	}
	if !r.Enabled {
		words += ", disabled"
	}
	return words
}

func newUserList(streams Streams) *cobra.Command {
	x := newUsersCommand(streams)
	var group string
	cmd := &cobra.Command{
		Use:     "list",
		Short:   "List the users, with their groups",
		Example: "  gatewright user list\n  gatewright user list --group Editors --json | jq -r '.users[].attributes.email'",
		Args:    arguments(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if cmd.Flags().Changed("group") && group == "" {
				return misuse("--group names a group")
			}
			return x.with(func() error {
				if group == "" {
					return nil
				}
				return answer.KnownGroup(&model.Backend{}, x.groups, group)
			}, func() error {
				if group != "" {
					if err := x.serves([]string{group}); err != nil {
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
	_ = cmd.RegisterFlagCompletionFunc("group", completeValue(streams, model.KindGroup))
	return cmd
}

// mostAtOnce is the most that the pool lists at once.
const mostAtOnce = 60

// pages asks for a list page by page until use says that it is enough. The pool
// calls the way to the next page by the name of token.
func (x *userSession) pages(operation, token string, input map[string]any, use func([]pooled) (more bool)) error {
	input["Limit"] = mostAtOnce
	for {
		var page struct {
			Users                      []pooled
			PaginationToken, NextToken string
		}
		if err := x.ask(operation, input, &page); err != nil {
			return err
		}
		next := page.PaginationToken + page.NextToken
		if !use(page.Users) || next == "" {
			return nil
		}
		input[token] = next
	}
}

// all lists users page by page: everybody, or with a group its members.
func (x *userSession) all(group string, use func([]pooled) bool) error {
	if group != "" {
		return x.pages("ListUsersInGroup", "NextToken", map[string]any{"GroupName": group}, use)
	}
	return x.pages("ListUsers", "PaginationToken", map[string]any{}, use)
}

// names are what a user may be looked for by, with what each is found by: name or
// address. They are of so many users as a name is compared with.
func (x *userSession) names() (map[string]string, error) {
	const most = 480
	names := make(map[string]string)
	count := 0
	err := x.all("", func(page []pooled) bool {
		for _, u := range page {
			attributes := u.attributes()
			shown := shownName(u.Username, attributes)
			names[shown] = shown
			if email := attributes["email"]; email != "" && names[email] == "" {
				names[email] = shown
			}
		}
		count += len(page)
		return count < most
	})
	return names, err
}

// memberships are the groups of users by their names, in the pool's order.
func (x *usersCommand) memberships() (map[string][]string, error) {
	groups := make(map[string][]string)
	for _, group := range x.groups {
		err := x.all(group, func(page []pooled) bool {
			for _, u := range page {
				groups[u.Username] = append(groups[u.Username], group)
			}
			return true
		})
		if err != nil {
			return nil, err
		}
	}
	return groups, nil
}

func (x *usersCommand) list(group string) error {
	groups, err := x.memberships()
	if err != nil {
		return err
	}
	reports := []userReport{}
	err = x.all(group, func(page []pooled) bool {
		for _, u := range page {
			reports = append(reports, x.report(u, groups[u.Username]))
		}
		return true
	})
	if err != nil {
		return err
	}
	slices.SortStableFunc(reports, func(a, b userReport) int {
		return strings.Compare(shownName(a.Name, a.Attributes), shownName(b.Name, b.Attributes))
	})
	if x.json {
		return printJSON(x.streams.Out, struct {
			Environment string       `json:"environment"`
			Users       []userReport `json:"users"`
		}{x.pool.Environment, reports})
	}
	var b strings.Builder
	if len(reports) == 0 && group != "" {
		b.WriteString("no user is in " + model.Quote(group) + "; add one with: gatewright user groups NAME --add " + model.ShellWord(group) + x.envWords() + "\n")
	} else if len(reports) == 0 {
		b.WriteString("no user; add one with: gatewright user add NAME" + x.envWords() + "\n")
	} else {
		rows := [][]string{{"User", "Status", "Email", "Groups"}}
		for _, r := range reports {
			email := "-"
			if address := r.Attributes["email"]; address != "" {
				email = model.Quote(address)
			}
			groups := "-"
			if len(r.Groups) > 0 {
				groups = model.QuoteList(r.Groups)
			}
			rows = append(rows, []string{model.Quote(shownName(r.Name, r.Attributes)), r.state(), email, groups})
		}
		table(&b, "", widthOf(x.streams.Out), rows)
	}
	return printText(x.streams.Out, b.String())
}

func newUserShow(streams Streams) *cobra.Command {
	x := newUsersCommand(streams)
	cmd := &cobra.Command{
		Use:     "show NAME",
		Short:   "Show a user: status, attributes, groups, second factor",
		Example: "  gatewright user show emma\n  gatewright user show emma@example.com --env qa --json",
		Args:    arguments("the NAME of a user"),
		RunE: func(_ *cobra.Command, args []string) error {
			return x.with(nil, func() error { return x.show(args[0]) })
		},
	}
	x.flags(cmd)
	cmd.Flags().BoolVar(&x.json, "json", false, "report as JSON")
	return cmd
}

func (x *usersCommand) show(name string) error {
	user, err := x.find(name)
	if err != nil {
		return err
	}
	var answer pooled
	if err := x.on(user.Name, name, "AdminGetUser", map[string]any{}, &answer); err != nil {
		return err
	}
	r := x.report(answer, user.Groups)
	if x.json {
		return printJSON(x.streams.Out, r)
	}
	rows := [][]string{{"user", model.Quote(r.Name)}, {"status", r.state()}}
	for _, attribute := range slices.Sorted(maps.Keys(r.Attributes)) {
		rows = append(rows, []string{model.Quote(attribute), model.Quote(r.Attributes[attribute])})
	}
	factor := "no second factor"
	if len(r.MFAMethods) > 0 {
		factor = model.QuoteList(r.MFAMethods)
		if r.PreferredMFA != "" && len(r.MFAMethods) > 1 {
			factor += ", first " + model.Quote(r.PreferredMFA)
		}
	}
	rows = append(rows, []string{"groups", x.membership(r.Groups)}, []string{"MFA", factor},
		[]string{"created", moment(r.Created)}, []string{"changed", moment(r.Modified)})
	var b strings.Builder
	columns(&b, "", widthOf(x.streams.Out), rows)
	return printText(x.streams.Out, b.String())
}

// membership says groups and whom their member acts as.
func (x *usersCommand) membership(groups []string) string {
	principal := x.pool.Principal(groups)
	switch len(groups) {
	case 0:
		return "none; acts as " + principal.String()
	case 1:
		return model.QuoteList(groups) + "; acts as " + principal.String()
	}
	return model.QuoteList(groups) + "; acts as " + principal.String() + ", the first of them"
}
