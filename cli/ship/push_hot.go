package ship

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"gatewright/cli/cloud"
	"gatewright/cli/command"
	"gatewright/deploy/contract"
	"gatewright/internal/clock"
	"gatewright/internal/text/phrase"
	"gatewright/model"
)

// hotReport is what `push --hot` reports.
type hotReport struct {
	Environment string `json:"environment"`
	Stack       string `json:"stack"`
	Account     string `json:"account"`
	Region      string `json:"region"`
	DryRun      bool   `json:"dryRun"`
	// Functions are those whose code changes, Same those whose code is the same.
	Functions []hotFunction `json:"functions"`
	Same      []string      `json:"same"`
	// Waiting says what takes a push.
	Waiting []string `json:"waiting"`
	// Took is how long it took, in milliseconds; 0 if nothing is changed.
	Took int64 `json:"took"`
}

type hotFunction struct {
	Name     string `json:"name"`
	Deployed string `json:"deployed"`
	// Size is that of the archive, in bytes.
	Size int64 `json:"size"`
}

// hot gives functions the code of their sources, and changes nothing else.
func (x *cloudPush) hot() error {
	end := command.Interruptible(x.streams)
	defer end.Done()
	began := time.Now()
	show := cloud.NewView(x.streams, x.json)
	defer show.End()
	hot, err := cloud.Provider(x.streams).PrepareHot(end.Context,
		contract.Target{Project: x.project, Environment: x.env, Now: began}, show.Add)
	if err != nil {
		return cloud.Interrupted(err)
	}
	report := hotReport{
		Environment: x.env.Name, Stack: hot.Stack, Account: hot.Account, Region: hot.Region, DryRun: x.dryRun,
		Functions: []hotFunction{}, Same: command.Listed(hot.Same), Waiting: command.Listed(hot.Waiting),
	}
	for _, f := range hot.Functions {
		report.Functions = append(report.Functions, hotFunction{f.Name, f.Deployed, f.Size})
	}
	if !x.dryRun && len(hot.Functions) > 0 {
		if err := hot.Apply(end.Context, show.Add); err != nil {
			err = cloud.Interrupted(err)
			if errors.Is(err, command.ExitInterrupted) {
				command.Say(x.streams.Err, "some functions may have their new code; run the command again to continue")
			}
			return err
		}
		report.Took = time.Since(began).Milliseconds()
	}
	show.End()
	return command.Print(x.streams.Out, x.json, report, report.text)
}

// text says what was changed, and what waits for a push.
func (r hotReport) text(int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "environment %s, account %s, %s: code alone\n", phrase.Quote(r.Environment), r.Account, r.Region)
	did := "has its new code"
	if r.DryRun {
		did = "would get its new code"
	}
	for _, f := range r.Functions {
		fmt.Fprintf(&b, "  function %s %s\n", phrase.Quote(f.Name), did)
	}
	switch {
	case len(r.Functions) == 0 && len(r.Same) == 0:
		b.WriteString("no function is deployed whose code can change without a push\n")
	case len(r.Functions) == 0:
		b.WriteString("the code of every function is the deployed one; nothing is changed\n")
	case len(r.Same) > 0:
		fmt.Fprintf(&b, "  %s: the code is the deployed one\n", phrase.QuoteList(r.Same))
	}
	if r.Took > 0 {
		fmt.Fprintf(&b, "in %s; the next push brings the stack in line\n", clock.Took(time.Duration(r.Took)*time.Millisecond))
	}
	for _, line := range r.Waiting {
		b.WriteString("waits for a push: " + line + "\n")
	}
	return b.String()
}

// checkHot refuses flags that say something else than code alone.
func (x *pushCommand) checkHot(e *model.Environment, watch bool) error {
	switch {
	case e.Provider != model.AWS:
		return command.Misuse("environment %s is deployed to this machine, where a push ends at once; --hot is for AWS",
			phrase.Quote(e.Name))
	case watch || x.diff || x.adopts() || len(x.allowDestroy) > 0:
		return command.Misuse("--hot changes only the code of functions; leave out --watch, --diff, --adopt and " +
			"--allow-destroy")
	}
	return nil
}
