package inspect

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"gatewright/cli/cloud"
	"gatewright/cli/command"
	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/project"
	"gatewright/project/git"
	"gatewright/project/read"
	"gatewright/project/review"
)

// reviewCommand is one run of `review`.
type reviewCommand struct {
	streams command.Streams
	env     command.EnvironmentFlag
	against string
	// project is the folder of the project, as it is given; below is it as a slash-separated path
	// from here, if only commits have it.
	project, below              string
	projectGiven                bool
	failOn                      []string
	markdown, annotations, json bool
	verbose, prove              bool
}

// The values of --against and --fail-on.
const (
	againstDeployed = "deployed"
	failOnWidened   = "widened"
	failOnTests     = "tests"
)

// workingTree is how a report calls it.
const workingTree = "the working tree"

// NewReview makes the command review.
func NewReview(streams command.Streams) *cobra.Command {
	x := reviewCommand{streams: streams}
	cmd := &cobra.Command{
		Use:   "review [BASE..HEAD | BASE...HEAD | BASE]",
		Short: "Show which requests a change opens and closes",
		Long: `Show which requests a change opens (▲) and closes (▼): who sends them, before and now, the
shortest example, and the line that does it. Then come the resources and files that differ.

It does not try examples: what is not listed is decided the same way for every request.

BASE and HEAD are commits, branches or tags of git, which it reads without checking them out. BASE...HEAD compares
HEAD with the last commit that both have in common, as a pull request does. BASE alone is compared with the working
tree. --project names the folder of the project if you run the command elsewhere, such as in a bare repository.

--against deployed compares the working tree with the last push of an environment, and asks AWS for it. Without
--env, commits are compared as a whole, with what environments have of their own; with it, as the environment
deploys them.

--markdown writes a comment for a pull request, of less than 65,536 characters. --annotations writes GitHub workflow
commands, which show warnings at the lines that open something. The exit code is 3 with --fail-on widened if
something is opened, or if not all of it can be listed, and with --fail-on tests if an access test breaks.

--prove starts both states in sandboxes of their own, in temporary folders, and sends each request to both. It runs
the functions of both states, and installs their packages.`,
		Example: command.Examples("review main", "review main...HEAD",
			"review origin/main...HEAD --markdown --fail-on widened", "review --against deployed --env prod",
			"review main..feature --project shop"),
		Args: command.Optional("the commits to compare"),
		ValidArgsFunction: func(_ *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
			if len(args) > 0 {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			return command.Offered(x.ranges(typed), typed), cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			x.projectGiven = cmd.Flags().Changed("project")
			return x.run(args)
		},
	}
	flags := cmd.Flags()
	x.env.Add(cmd, streams,
		"the environment to compare (default: the whole definition; with --against, the chosen one)")
	flags.StringVar(&x.against, "against", "", "compare the working tree with the last push: `deployed`")
	flags.StringVar(&x.project, "project", "",
		"the project's `FOLDER`; from this one, in a bare repository from its top (default: this one "+
			"or one above)")
	flags.BoolVar(&x.markdown, "markdown", false, "report as a comment for a pull request")
	flags.BoolVar(&x.annotations, "annotations", false, "report as GitHub workflow commands")
	flags.BoolVar(&x.json, "json", false, "report as JSON")
	flags.StringSliceVar(&x.failOn, "fail-on", nil,
		"when to exit with 3: `WHEN` access is widened, tests break, or widened,tests")
	flags.BoolVar(&x.prove, "prove", false, "send each request to both states; runs their functions in sandboxes")
	flags.BoolVarP(&x.verbose, "verbose", "v", false, "show every difference and every reason")
	_ = cmd.MarkFlagDirname("project")
	_ = cmd.RegisterFlagCompletionFunc("against", command.CompleteWords(againstDeployed))
	_ = cmd.RegisterFlagCompletionFunc("fail-on", command.CompleteList([]string{failOnWidened, failOnTests}))
	return cmd
}

func (x *reviewCommand) run(args []string) error {
	if err := x.check(args); err != nil {
		return err
	}
	end := command.Interruptible(x.streams)
	defer end.Done()
	err := x.enter(end.Context)
	if err == nil {
		err = x.compare(end, args)
	}
	if end.Context.Err() != nil {
		return command.ExitInterrupted
	}
	return err
}

// check refuses flags that do not go together.
func (x *reviewCommand) check(args []string) error {
	formats := 0
	for _, given := range []bool{x.markdown, x.annotations, x.json} {
		if given {
			formats++
		}
	}
	unknown := slices.IndexFunc(x.failOn, func(word string) bool { return word != failOnWidened && word != failOnTests })
	switch {
	case formats > 1:
		return command.Misuse("give only one of --markdown, --annotations and --json")
	case x.against != "" && x.against != againstDeployed:
		return command.Misuse("--against takes %s, not %s", againstDeployed, phrase.Quote(x.against))
	case unknown >= 0:
		return command.Misuse("--fail-on takes %s or %s, not %s", failOnWidened, failOnTests,
			phrase.Quote(x.failOn[unknown]))
	case x.projectGiven && x.project == "":
		return command.Misuse("--project is empty; give the folder of the project: --project shop")
	case x.against == "" && len(args) == 0:
		return command.Misuse("give what to compare, such as main...HEAD, or --against deployed")
	case x.against != "" && len(args) > 0:
		return command.Misuse("give commits or --against deployed, not both")
	}
	return nil
}

// compared are two states, and what closes them.
type compared struct {
	base, head  review.State
	environment string
	// folder is the folder of the project in the repository; "" for its top.
	folder string
	close  []func() error
}

func (c *compared) Close() error {
	var errs []error
	for _, end := range c.close {
		errs = append(errs, end())
	}
	return errors.Join(errs...)
}

func (x *reviewCommand) compare(end *command.Interrupt, args []string) (err error) {
	c := &compared{}
	defer func() {
		if closed := c.Close(); err == nil && end.Context.Err() == nil {
			err = closed
		}
	}()
	if x.against != "" {
		err = x.deployed(end.Context, c)
	} else {
		err = x.commits(end.Context, c, args[0])
	}
	if err != nil {
		return err
	}
	found, err := review.Compare(c.base, c.head, c.environment)
	if err != nil {
		return err
	}
	report := reviewOf(found, c.folder)
	if x.prove {
		if report.Proofs, err = x.proofs(end, c, found); err != nil {
			return err
		}
	}
	if err := x.print(report); err != nil {
		return err
	}
	if slices.Contains(x.failOn, failOnWidened) && found.Widened() || slices.Contains(x.failOn, failOnTests) &&
		len(found.Tests) > 0 {
		return command.ExitDiffers
	}
	return nil
}

// deployed compares what was last pushed of an environment with the working tree.
func (x *reviewCommand) deployed(ctx context.Context, c *compared) error {
	p, err := command.OpenProject(x.streams)
	if err != nil {
		return err
	}
	c.close = append(c.close, p.Close)
	if err := read.FirstError(p.Problems); err != nil {
		return err
	}
	e, err := command.EnvironmentOf(p, x.env.String())
	if err != nil {
		return err
	}
	c.environment, c.head = e.Name, review.StateOf(workingTree, p)
	c.folder = x.folderIn(ctx, p.Root)
	name := "what is deployed of " + phrase.Quote(e.Name)
	c.base = review.State{Name: name}
	if e.Provider == model.AWS && !p.Foreign() {
		state, err := cloud.Provider(x.streams).Look(ctx, p, e)
		if err != nil {
			return err
		}
		c.base.Deployment = state.Deployment
		return nil
	}
	c.base.Deployment, err = p.LastPushed(e)
	if errors.Is(err, project.ErrNeverDeployed) {
		c.base.Notes = append(c.base.Notes, "environment "+phrase.Quote(e.Name)+" was never pushed, so everything is new")
		return nil
	}
	return err
}

// folderIn returns a folder's path in its git repository; "" if it is in none.
func (x *reviewCommand) folderIn(ctx context.Context, root string) string {
	repository, err := git.Open(ctx, root, x.streams.Environ...)
	if err != nil {
		return ""
	}
	defer func() { _ = repository.Close() }()
	return repository.Prefix()
}

// ranges completes a commit, or the second one of a range, with the names of branches and tags.
func (x *reviewCommand) ranges(typed string) []string {
	repository, err := git.Open(context.Background(), x.streams.Dir, x.streams.Environ...)
	if err != nil {
		return nil
	}
	defer func() { _ = repository.Close() }()
	begin := ""
	if base, head, isRange := strings.Cut(typed, ".."); isRange {
		begin = base + ".."
		if strings.HasPrefix(head, ".") {
			begin += "."
		}
	}
	names := append([]string{"HEAD"}, repository.Names()...)
	for i, name := range names {
		names[i] = begin + name
	}
	return names
}

// ends divides a range of commits. Without an end, it is HEAD, as in git; between says that the
// base is the last common commit.
func ends(text string) (base, head string, isRange, between bool) {
	base, head, isRange = strings.Cut(text, "..")
	if !isRange {
		return base, "", false, false
	}
	head, between = strings.CutPrefix(head, ".")
	const current = "HEAD"
	if base == "" {
		base = current
	}
	if head == "" {
		head = current
	}
	return base, head, true, between
}
