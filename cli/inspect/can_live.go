package inspect

import (
	"context"
	"errors"
	"slices"
	"strings"

	"gatewright/cli/cloud"
	"gatewright/cli/command"
	"gatewright/deploy/aws"
	"gatewright/deploy/people"
	"gatewright/internal/prove"
	"gatewright/internal/text/phrase"
	"gatewright/internal/text/prose"
	"gatewright/model"
	"gatewright/model/access"
	"gatewright/project"
	"gatewright/project/answer"
)

// liveAnswer is what `can --live` reports.
type liveAnswer struct {
	Environment string `json:"environment"`
	Account     string `json:"account"`
	Region      string `json:"region"`
	// Live is the decision of what is in force in AWS about the request to the API.
	API  string       `json:"api"`
	Live prove.Answer `json:"live"`
	// LastPush is the definition as deployed, WorkingTree the one on this machine, which is
	// absent if it decides everything likewise.
	LastPush    liveAgainst  `json:"lastPush"`
	WorkingTree *liveAgainst `json:"workingTree,omitempty"`

	request, pushed string
}

// liveAgainst is a definition that what is in force is compared with: its decision about the
// request, and all differences.
type liveAgainst struct {
	Allowed bool   `json:"allowed"`
	Reason  string `json:"reason"`
	Equal   bool   `json:"equal"`
	*prove.Report
}

// live answers by what is in force in AWS.
func (x *canCommand) live(p *project.Project, text, method, path string) error {
	env, err := command.EnvironmentOf(p, x.env.String())
	if err != nil {
		return err
	}
	if env.Provider != model.AWS || p.Foreign() {
		return command.Misuse("--live asks AWS, and gatewright does not deploy environment %s to AWS; leave out --live",
			phrase.Quote(env.Name))
	}
	ctx := context.Background()
	reached, err := cloud.Provider(x.streams).Reach(ctx, p, env)
	if err != nil {
		return err
	}
	then, now := reached.Backend(), p.Backend.For(env)
	in, err := reached.LiveAccess(ctx)
	if err != nil {
		return err
	}
	// A group may be in AWS alone, or in the definition alone.
	known, groups := *then, now.RoleOrder()
	for _, g := range in.Groups {
		groups = append(groups, g.Name)
	}
	known.Groups = then.RoleOrder()
	for _, name := range groups {
		if !slices.Contains(known.Groups, name) {
			known.Groups = append(known.Groups, name)
		}
	}
	who, err := command.ParseWho(text, &known)
	if err != nil {
		return err
	}
	from, err := x.liveCaller(ctx, reached, who, &known)
	if err != nil {
		return err
	}
	report := liveAnswer{
		Environment: env.Name, Account: reached.ID, Region: reached.Region, request: method + " " + phrase.QuotePath(path),
		pushed: x.streams.Clock().Moment(reached.Deployment.Deployed),
	}
	if report.LastPush, report.API, err = x.against(in, then, aws.LastPush, from, method, path); err != nil {
		return err
	}
	if report.Live, report.API, err = x.ask(in, then, report.API, from, method, path); err != nil {
		return err
	}
	if differences, complete := access.Compare(then.Gate(), now.Gate()); len(differences) > 0 || !complete {
		against, _, err := x.against(in, now, "the working tree", from, method, path)
		if err != nil {
			return err
		}
		report.WorkingTree = &against
	}
	if err := command.Print(x.streams.Out, x.json, report,
		func(width int) string { return report.text(width, x.streams.Colors(x.streams.Out)) }); err != nil {
		return err
	}
	switch {
	case !report.LastPush.Equal || !report.Live.Known:
		return command.ExitDiffers
	case !report.Live.Allowed:
		return command.ExitFailed
	}
	return nil
}

// liveCaller returns the caller; the groups of a user are those of the pool in AWS.
func (x *canCommand) liveCaller(
	ctx context.Context, reached *aws.Reached, who answer.Who, b *model.Backend,
) (*answer.Caller, error) {
	if who.User == "" {
		return answer.CallerOf(who, b), nil
	}
	u, err := people.InCloud(ctx, reached)
	if err != nil {
		return nil, err
	}
	user, err := u.Find(ctx, who.User)
	if err != nil {
		return nil, err
	}
	return answer.UserCaller(who, user.Groups, user.Enabled, user.Status != people.UserUnconfirmed, x.env.String()), nil
}

// against compares what is in force with a definition. api is the one that the request goes to;
// "" if the definition has no path for it.
func (x *canCommand) against(
	in *prove.Deployment, b *model.Backend, words string, from *answer.Caller, method, path string,
) (a liveAgainst, api string, err error) {
	a.Report = aws.CompareAccess(in, b, words, x.api)
	a.Equal = a.Report.Equal()
	apis := b.APIs
	if x.api != "" {
		if apis = nil; b.API(x.api) != nil {
			apis = []*access.API{b.API(x.api)}
		}
	}
	if len(apis) == 0 {
		a.Reason = "there is no API"
		return a, "", nil
	}
	q := answer.Question{
		Backend: b, APIs: apis, Method: method, Path: path, Chosen: x.api != "",
		Environment: x.env.String(), Caller: from,
	}
	answered, err := q.Answer()
	if err != nil {
		return a, "", command.QuestionError(err)
	}
	a.Allowed, a.Reason = answered.Allowed, answered.Reason
	return a, answered.API, nil
}

// ask asks what is in force about the request: to the API that serves it by the definition, or
// to each in turn until one serves it.
func (x *canCommand) ask(
	in *prove.Deployment, b *model.Backend, api string, from *answer.Caller, method, path string,
) (a prove.Answer, to string, err error) {
	caller := access.Caller{Stranger: from.Unsigned, SignedIn: from.SignedIn, Groups: from.Member}
	apis := []string{api}
	if api == "" {
		apis = nil
		for _, one := range b.APIs {
			if x.api == "" || x.api == one.Label {
				apis = append(apis, one.Label)
			}
		}
	}
	if len(apis) == 0 {
		return a, "", errors.New("the last push of the environment has no API " + phrase.Quote(x.api))
	}
	for _, to = range apis {
		if a, err = prove.Ask(in, b, to, caller, method, path); err != nil || a.Served {
			break
		}
	}
	if !a.Served && err == nil && x.api == "" && api == "" {
		to = ""
	}
	if from.Locked != "" && a.Served && a.Allowed {
		a.Allowed, a.Why = false, "the user "+phrase.Quote(from.User)+" "+from.Locked
	}
	return a, to, err
}

// text returns the answer for people.
func (r liveAnswer) text(width int, paint command.Palette) string {
	var b strings.Builder
	sentence := "no: " + r.Live.As + " may not send " + r.request + " in AWS: " + r.Live.Why
	switch {
	case !r.Live.Known:
		sentence = "not known: whether " + r.Live.As + " may send " + r.request + " in AWS; " + r.Live.Why
	case r.Live.Allowed:
		sentence = "yes: " + r.Live.As + " may send " + r.request + " in AWS: " + r.Live.Why
	}
	b.WriteString(command.Folded("", sentence, width))
	api := phrase.Quote(r.API)
	if r.API == "" {
		api = "none has the path"
	}
	command.WriteColumns(&b, "  ", width, [][]string{
		{"api", api},
		{"account", r.Account + ", " + phrase.QuotePath(r.Region)},
		{"acts as", r.Live.As},
		{"last push", prose.YesNo(r.LastPush.Allowed) + ": " + r.LastPush.Reason},
	})
	r.LastPush.write(&b, "in AWS, unlike the last push, "+r.pushed, width, paint)
	if r.WorkingTree != nil {
		r.WorkingTree.write(&b, "in AWS, unlike the working tree, before its push", width, paint)
	}
	for _, note := range r.LastPush.Notices {
		b.WriteString(command.Folded("", "note: "+note, width))
	}
	if r.LastPush.Equal {
		b.WriteString(command.Folded("",
			"AWS decides as the last push says: "+inThousands(r.LastPush.Decisions)+" decisions", width))
	}
	return b.String()
}

// write writes what differs from a definition.
func (a liveAgainst) write(b *strings.Builder, title string, width int, paint command.Palette) {
	if a.Equal {
		return
	}
	b.WriteString(command.Folded("", title, width))
	command.WriteDifferences(b, a.Differences, a.Doors, a.Undecided, width, paint)
}
