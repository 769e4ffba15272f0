package ship

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"

	"gatewright/cli/command"
	"gatewright/deploy/buildserver"
	"gatewright/deploy/index"
	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/project"
	"gatewright/project/read"
	"gatewright/project/validate"
	"gatewright/render"
)

// outputsSource is what a client configuration file is made from.
type outputsSource struct {
	// values are in neutral words.
	values model.Outputs
	// dialect is the one that the file is to have.
	dialect model.Dialect
	// record is the deployment; nil for values from a file. That of a sandbox has no Stack.
	record *project.Record
	// sandbox is the address of the sandbox that serves the values; "" for a deployment.
	sandbox string
	// app says that the front end is an app for Android, iOS or Flutter.
	app bool
	// input is the file that the values are from.
	input inputFile
	notes []string
}

// inputFile is a client configuration file that values are from.
type inputFile struct {
	// name is the file's name in messages; "" if no file was read.
	name string
	// info identifies the file; nil for standard input.
	info fs.FileInfo
}

// source finds what the flags name.
func (g *outputsCommand) source(ctx context.Context, here *project.Project) (*outputsSource, error) {
	if g.from != "" {
		return g.fileSource(here)
	}
	if here != nil && here.Foreign() && g.stack == "" && g.applicationID == "" && g.branch == "" {
		return g.sandboxSource(ctx, here)
	}
	request, err := g.request(here)
	if err != nil {
		return nil, asked(err)
	}
	if request.Stack == "" && request.ApplicationID == "" && here != nil {
		if err := read.FirstError(here.Problems); err != nil {
			return nil, err
		}
	}
	return g.deploymentSource(ctx, here, request)
}

// recordSource is a deployment as a source. Its file has the dialect of the form,
// else of the project here, else of what was deployed.
func recordSource(record project.Record, here *project.Project, form fileForm) *outputsSource {
	s := &outputsSource{values: record.Values, dialect: record.Dialect, record: &record}
	switch {
	case form.dialect != "":
		s.dialect = model.Dialect(form.dialect)
	case here != nil && record.ApplicationID == here.Backend.Project.ApplicationID:
		s.dialect = here.Backend.Project.Dialect
	}
	if s.dialect == "" {
		s.dialect = model.Neutral
	}
	return s
}

// asked makes an error about a request that does not say one deployment wrong
// use.
func asked(err error) error {
	for _, cause := range []error{
		index.ErrRequest, buildserver.ErrPullRequest, buildserver.ErrNoBranch,
		index.ErrNoEnvironment,
	} {
		if errors.Is(err, cause) {
			return command.Misuse("%s", err)
		}
	}
	return err
}

// request says which deployment is wanted: the one that flags name, else the
// deployment of the branch that a build server builds, else of the chosen
// environment, else of the git branch.
func (g *outputsCommand) request(here *project.Project) (index.Request, error) {
	r := index.Request{
		Stack: g.stack, ApplicationID: g.applicationID, Branch: g.branch, Environment: g.env.String(),
		Here: here, Index: index.OfUserIn(g.streams.Getenv),
	}
	if r.Here != nil && r.Here.Foreign() {
		r.Here = nil
	}
	if r.Stack != "" || r.Environment != "" || r.ApplicationID != "" {
		return r, nil
	}
	build, err := buildserver.Current(g.streams.Dir, g.streams.Getenv)
	switch {
	case r.Branch != "":
		if r.Here == nil {
			r.ApplicationID = build.ApplicationID
		}
		return r, nil
	case err != nil && buildserver.IsCI(g.streams.Getenv):
		return r, err
	case err == nil && (build.From != buildserver.FromGit || buildserver.IsCI(g.streams.Getenv)):
		// On a build server nothing was chosen by anybody: pipeline-deploy takes the
		// branch of git there too.
		r.ApplicationID, r.Branch = build.ApplicationID, build.Branch
		return r, nil
	}
	if r.Here != nil && r.Here.CurrentEnvironment() != nil {
		r.Environment = r.Here.CurrentEnvironment().Name
		return r, nil
	}
	switch {
	case err == nil && (r.Here != nil || build.ApplicationID != ""):
		r.ApplicationID, r.Branch = build.ApplicationID, build.Branch
	case r.Here != nil && read.FirstError(r.Here.Problems) == nil:
		_, err := command.EnvironmentOf(r.Here, "")
		return r, err
	}
	return r, nil
}

// fileSource reads and converts a client configuration file.
func (g *outputsCommand) fileSource(here *project.Project) (*outputsSource, error) {
	name, data, err := command.ReadInput(g.from, g.streams)
	if err != nil {
		return nil, err
	}
	values, dialect, problems := validate.ReadClientFile(name, data)
	if g.drop {
		// The conversion names what it leaves out.
		problems = slices.DeleteFunc(problems, (*read.Problem).IsUnknownField)
	}
	for _, problem := range problems {
		if problem.IsUnknownField() {
			problem.Fix = "give --drop to leave it out, or " + problem.Fix
		}
	}
	if err := allErrors(problems); err != nil {
		return nil, err
	}
	s := &outputsSource{input: inputFile{name: name}, dialect: model.Dialect(g.form.dialect)}
	switch {
	case s.dialect != "":
	case here != nil && !here.Foreign():
		s.dialect = here.Backend.Project.Dialect
	case g.stdout:
		s.dialect = dialect
	default:
		s.dialect = g.form.dialectIn(g.streams, dialect)
	}
	if g.from != "-" {
		// If the file was deleted since it was read, it cannot be overwritten.
		s.input.info, _ = os.Stat(command.Absolute(g.from, g.streams))
	}
	conversion := render.Convert(values, dialect, s.dialect)
	s.values = conversion.Values
	if len(conversion.Lost) > 0 && !g.drop {
		return nil, fmt.Errorf("%s has what version %s cannot carry: %s; give --drop to leave it out",
			phrase.QuotePath(name), model.ClientFileVersion, losses(conversion.Lost))
	}
	for _, lost := range conversion.Lost {
		s.notes = append(s.notes, fmt.Sprintf("left out %s: %s", phrase.QuotePath(lost.Pointer), lost.Text))
	}
	if !hasOutputs(s.values) {
		return nil, fmt.Errorf("%s has no outputs to write; an empty file would configure nothing",
			phrase.QuotePath(name))
	}
	return s, nil
}

// losses names the fields that a conversion cannot carry.
func losses(lost []render.Loss) string {
	parts := make([]string, len(lost))
	for i, l := range lost {
		parts[i] = phrase.QuotePath(l.Pointer) + " (" + l.Text + ")"
	}
	return phrase.List(parts)
}

// hasOutputs reports whether there is anything beside the version.
func hasOutputs(values model.Outputs) bool {
	for name := range values {
		if name != "version" && name != "$schema" {
			return true
		}
	}
	return false
}

// allErrors is the first error among problems, and how many there are.
func allErrors(problems []*read.Problem) error {
	var first error
	more := -1
	for _, p := range problems {
		if p.Level == model.Error {
			more++
			if first == nil {
				first = p
			}
		}
	}
	if more > 0 {
		return fmt.Errorf("%w (and %d more; see them with: gatewright validate FILE)", first, more)
	}
	return first
}
