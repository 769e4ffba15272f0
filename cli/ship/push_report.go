package ship

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"gatewright/cli/command"
	"gatewright/deploy/contract"
	"gatewright/deploy/index"
	"gatewright/deploy/local"
	"gatewright/deploy/outputs"
	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/project"
	"gatewright/project/plan"
	"gatewright/render"
)

// pushReport is what `push` and `pipeline-deploy` report.
type pushReport struct {
	Environment string `json:"environment"`
	Stack       string `json:"stack"`
	Branch      string `json:"branch"`
	// Provider, Account and Region say where it is pushed to, if that is a cloud; Updates is
	// how many updates of the stack that takes.
	Provider string `json:"provider,omitempty"`
	Account  string `json:"account,omitempty"`
	Region   string `json:"region,omitempty"`
	Updates  int    `json:"updates,omitempty"`
	// Losses are the tables and pools that lose their data.
	Losses []lossReport `json:"losses"`
	// Adopted are what the push takes over from the account.
	Adopted []adoptedReport `json:"adopted"`
	DryRun  bool            `json:"dryRun"`
	// Changed says that there is something to push, Pushed is the time of the push.
	Changed bool             `json:"changed"`
	Pushed  *time.Time       `json:"pushed,omitempty"`
	Changes []statusResource `json:"changes"`
	// Access is who may do more or less after the push than before it.
	Access []accessChange `json:"access"`
	// Resources are the resources that are made, changed or removed, or would be.
	Resources []pushedResource `json:"resources"`
	APIs      []pushedAPI      `json:"apis"`
	// UserPoolEndpoint and IdentityPoolEndpoint are omitted without pools on this machine.
	UserPoolEndpoint     string     `json:"userPoolEndpoint,omitempty"`
	IdentityPoolEndpoint string     `json:"identityPoolEndpoint,omitempty"`
	ClientFile           pushedFile `json:"clientFile"`
	Warnings             []string   `json:"warnings"`
	Notes                []string   `json:"notes"`

	// diff says that the report has the diffs of files.
	diff bool
	// status is what the push changes.
	status statusReport
}

// lossReport is a table or pool that loses its data, or leaves it behind.
type lossReport struct {
	Name    string `json:"name"`
	Text    string `json:"text"`
	Kept    bool   `json:"kept"`
	Allowed bool   `json:"allowed"`
}

// adoptedReport is something that is in the account already and is taken over.
type adoptedReport struct {
	Name string `json:"name"`
	ID   string `json:"id"`
	Text string `json:"text"`
}

type pushedResource struct {
	Change  string   `json:"change"`
	Name    string   `json:"name"`
	Reasons []string `json:"reasons"`
}

// kind returns the kind of a resource: the first one or two words of its name.
func (r pushedResource) kind() string {
	for _, kind := range []string{"API resource", "handler function", "log group", "user pool", "data API"} {
		if strings.HasPrefix(r.Name, kind) {
			return kind
		}
	}
	kind, _, _ := strings.Cut(r.Name, " ")
	return kind
}

type pushedAPI struct {
	API      string   `json:"api"`
	ID       string   `json:"id"`
	Endpoint string   `json:"endpoint"`
	Paths    []string `json:"paths"`
}

// pushedFile is the client configuration file after the push.
type pushedFile struct {
	Path string `json:"path"`
	// Written says that the file was written, or would be.
	Written bool   `json:"written"`
	Diff    string `json:"diff,omitempty"`
}

// newPushReport begins the report of a push with what differs.
func newPushReport(p *project.Project, env *model.Environment, changes statusReport) *pushReport {
	return &pushReport{
		Environment: env.Name, Stack: index.StackOf(p.Backend, env), Branch: env.BranchName(), Changed: changes.Changed,
		Changes: command.Listed(changes.Resources), Access: command.Listed(changes.Access), Losses: []lossReport{},
		Adopted: []adoptedReport{}, Resources: []pushedResource{}, APIs: []pushedAPI{}, Warnings: []string{},
		Notes:      []string{},
		ClientFile: pushedFile{Path: render.ClientFileName(p.Backend.Project.Dialect)},
	}
}

// add adds an event of the provider.
func (r *pushReport) add(e contract.Event) {
	switch {
	case e.Kind == contract.Warned:
		r.Warnings = append(r.Warnings, e.String())
	case e.Kind == contract.Noted:
		r.Notes = append(r.Notes, e.String())
	case e.Of.Kind == "":
		r.ClientFile.Written = true
	default:
		r.Resources = append(r.Resources, pushedResource{e.Kind.String(), e.Text, command.Listed(e.Reasons)})
	}
}

// pushed adds the record of the deployment.
func (r *pushReport) pushed(p *project.Project, record project.Record) {
	r.Stack, r.Pushed = record.Stack, &record.Deployed
	r.endpoints(p, record)
}

// endpoints adds the URLs of the paths of each API, and of the pools.
func (r *pushReport) endpoints(p *project.Project, record project.Record) {
	r.UserPoolEndpoint, r.IdentityPoolEndpoint = outputs.PoolEndpoints(record)
	for _, e := range record.APIs {
		one := pushedAPI{API: e.API, ID: e.ID, Endpoint: e.URL, Paths: []string{}}
		if api := p.Backend.API(e.API); api != nil {
			for _, path := range api.Paths {
				one.Paths = append(one.Paths, e.URL+path.Name)
			}
		}
		r.APIs = append(r.APIs, one)
	}
}

// plan adds what a push would do.
func (r *pushReport) plan(target contract.Target, wanted project.Record) error {
	if r.Changed {
		if _, err := local.Preview(target, r.add); err != nil {
			return err
		}
	}
	r.endpoints(target.Project, wanted)
	plan, err := plan.ClientFile(target.Project, wanted.Environment, wanted.Values)
	if err != nil {
		return err
	}
	r.clientFile(plan)
	return nil
}

// refresh updates the client configuration file and the index, if a push changes nothing
// else.
func (r *pushReport) refresh(p *project.Project, record project.Record, stacks index.Index) error {
	r.Stack = record.Stack
	r.endpoints(p, record)
	plan, _, err := plan.ClientFileOf(p, record.Environment, record.Outputs)
	if err == nil {
		err = plan.Commit()
	}
	if err != nil {
		return err
	}
	r.clientFile(plan)
	entry, err := stacks.Find(record.Stack)
	if err == nil && entry.Root == p.Root && entry.Environment == record.Environment {
		return nil
	}
	if err != nil && !errors.Is(err, index.ErrNoStack) {
		return err
	}
	return stacks.Put(index.Entry{
		Stack: record.Stack, ApplicationID: record.ApplicationID, Branch: record.Branch,
		Environment: record.Environment, Root: p.Root, Deployed: record.Deployed,
	})
}

func (r *pushReport) clientFile(plan *plan.Plan) {
	r.ClientFile.Written = !plan.Empty()
	if r.diff {
		r.ClientFile.Diff = plan.Diff()
	}
	r.Notes = append(r.Notes, plan.Notes...)
}

// mostResources is the number of resources that a report names without --verbose.
const mostResources = 60

// print prints what was done; the planned changes are printed already.
func (r *pushReport) print(x *pushCommand) error {
	for _, text := range r.Warnings {
		command.Say(x.streams.Err, "warning: %s", text)
	}
	command.SayNotes(x.streams.Err, r.Notes)
	var b strings.Builder
	if r.Account == "" || x.verbose || r.DryRun {
		r.resources(&b, x.verbose)
	}
	if r.Pushed != nil {
		fmt.Fprintf(&b, "pushed environment %s as the stack %s\n", phrase.Quote(r.Environment), phrase.QuotePath(r.Stack))
	}
	for _, api := range r.APIs {
		fmt.Fprintf(&b, "API %s\n  REST API endpoint: %s\n", phrase.Quote(api.API), phrase.QuotePath(api.Endpoint))
		for i, url := range api.Paths {
			if i == command.MostLines && !x.verbose && len(api.Paths) > command.MostLines+1 {
				fmt.Fprintf(&b, "  and %d more paths; -v shows them\n", len(api.Paths)-command.MostLines)
				break
			}
			b.WriteString("  " + phrase.QuotePath(url) + "\n")
		}
	}
	if r.UserPoolEndpoint != "" {
		fmt.Fprintf(&b, "user pool endpoint: %s\nidentity pool endpoint: %s\n", phrase.QuotePath(r.UserPoolEndpoint),
			phrase.QuotePath(r.IdentityPoolEndpoint))
		b.WriteString(command.Folded("  ", "print the code that configures a client with: gatewright generate outputs --env "+
			phrase.Quote(r.Environment)+" --snippet", command.WidthOf(x.streams.Out)))
	}
	if !r.DryRun || r.Account == "" {
		// What the file will have is known only after a push to a cloud.
		b.WriteString(command.Folded("", r.fileLine(), command.WidthOf(x.streams.Out)))
	}
	b.WriteString(r.ClientFile.Diff)
	if r.DryRun {
		b.WriteString("dry run, nothing is written\n")
	}
	return command.PrintText(x.streams.Out, b.String())
}

// fileLine returns what was done with the client configuration file.
func (r *pushReport) fileLine() string {
	did := "is up to date"
	switch {
	case r.ClientFile.Written && r.DryRun:
		did = "would be written"
	case r.ClientFile.Written:
		did = "is written"
	}
	return fmt.Sprintf("client configuration file %s %s, for environment %s", r.ClientFile.Path, did,
		phrase.Quote(r.Environment))
}

// resources prints the resources, or their number by kind if there are many.
func (r *pushReport) resources(b *strings.Builder, all bool) {
	if len(r.Resources) <= mostResources || all {
		for _, made := range r.Resources {
			fmt.Fprintf(b, "  %-6s %s\n", made.Change, made.Name)
		}
		return
	}
	counts := make(map[string]int)
	var order []string
	for _, made := range r.Resources {
		kind := made.Change + " " + made.kind()
		if counts[kind]++; counts[kind] == 1 {
			order = append(order, kind)
		}
	}
	for _, kind := range order {
		change, what, _ := strings.Cut(kind, " ")
		fmt.Fprintf(b, "  %-6s %s\n", change, phrase.Count(counts[kind], what))
	}
	b.WriteString("  -v shows them\n")
}
