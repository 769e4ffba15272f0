package ship

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"gatewright/cli/cloud"
	"gatewright/cli/command"
	"gatewright/deploy/index"
	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/project"
	"gatewright/render"
)

// NewGenerate makes the command generate and those below it.
func NewGenerate(streams command.Streams) *cobra.Command {
	return command.Group(&cobra.Command{Use: "generate", Short: "Generate client configuration, OpenAPI documents and " +
		"typed clients"},
		newGenerateOutputs(streams), newGenerateOpenAPI(streams), newGenerateClient(streams))
}

// outputsCommand is one run of `generate outputs`.
type outputsCommand struct {
	streams                             command.Streams
	stack, applicationID, branch        string
	env                                 command.EnvironmentFlag
	from                                string
	form                                fileForm
	profile, region                     string
	stdout, check, snippet, force, drop bool
	dryRun, diff, json                  bool
}

// fileForm are the flags for the folder, the format and the dialect of a client
// configuration file.
type fileForm struct{ folder, format, dialect string }

func (f *fileForm) add(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.folder, "out-dir", "", "the `FOLDER` of the file; made if missing (default: this one)")
	cmd.Flags().StringVar(&f.format, "format", string(render.JSON),
		"the file's `FORMAT`: "+strings.Join(command.Words(render.Formats), ", "))
	cmd.Flags().StringVar(&f.dialect, "dialect", "",
		"the `DIALECT` of the file: "+phrase.Either(model.Dialects)+" (default: the project's)")
	_ = cmd.MarkFlagDirname("out-dir")
	_ = cmd.RegisterFlagCompletionFunc("format", command.CompleteWords(command.Words(render.Formats)...))
	_ = cmd.RegisterFlagCompletionFunc("dialect", command.CompleteWords(command.Words(model.Dialects)...))
}

// check returns an error for an unknown format or dialect.
func (f *fileForm) check() error {
	if !slices.Contains(command.Words(render.Formats), f.format) {
		return command.Misuse("--format takes %s, not %s", strings.Join(command.Words(render.Formats), ", "),
			phrase.Quote(f.format))
	}
	if f.dialect != "" && !slices.Contains(command.Words(model.Dialects), f.dialect) {
		return command.Misuse("--dialect takes %s, not %s", phrase.Either(model.Dialects), phrase.Quote(f.dialect))
	}
	if !render.Format(f.format).OfAmplifyCLI() {
		return nil
	}
	if f.dialect == string(model.Neutral) {
		return command.Misuse("--format %s has the names of the Amplify CLI; leave out --dialect", f.format)
	}
	f.dialect = string(model.Amplify)
	return nil
}

func newGenerateOutputs(streams command.Streams) *cobra.Command {
	g := outputsCommand{streams: streams}
	cmd := &cobra.Command{
		Use:   "outputs [--app-id ID --branch BRANCH]",
		Short: "Write the client configuration file of a deployment",
		Long: `Write the client configuration file of a deployment. Without flags it is the chosen environment's;
on a build server, that of the branch that is built.

--app-id with --branch, --stack or --env choose another deployment. If no environment is chosen, it is that of the
git branch. gatewright looks in AWS for a deployment that this machine does not know, with the credentials that the
AWS CLI would use. The deployment may be gatewright's, or of either generation of AWS Amplify.

In an Amplify CLI project the file is for the environment that the sandbox serves: with the address of the running
sandbox, or of the one that would start. Then --out-dir or --stdout is required; the Amplify CLI's own files stay as
they are.

With --from: convert a client configuration file, of any version and in either dialect, to version 1.

--format aws-exports writes aws-exports.js, and amplifyconfiguration writes amplifyconfiguration.json, with the keys
of the Amplify CLI. amplifyconfiguration.json has the keys of aws-exports.js, or, if the Amplify CLI project is for
Android, iOS or Flutter (by amplify/.config/project-config.json), the keys that such an app reads.

The file is checked by its schema before it is written. Values that it would lose are not overwritten, except with
--force. --check writes nothing and exits with 3 if the file on disk is stale.`,
		Example: command.Examples("generate outputs --env qa --format ts --snippet",
			"generate outputs --app-id d123 --branch main --out-dir ../web/src", "generate outputs --check",
			"generate outputs --stack amplify-d123-main-branch-0123456789 --region eu-west-1 --out-dir src",
			"generate outputs --format aws-exports --out-dir src/sandbox --snippet",
			"generate outputs --from amplify_outputs.json --dialect neutral --stdout"),
		Args: command.Arguments(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := g.conflicts(cmd.Flags().Changed); err != nil {
				return err
			}
			return g.run(cmd.Context())
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&g.applicationID, "app-id", "", "the application `ID`; goes with --branch")
	flags.StringVar(&g.branch, "branch", "", "the git `BRANCH` that was deployed")
	flags.StringVar(&g.stack, "stack", "", "the `STACK` that was deployed")
	g.env.Add(cmd, streams, "the project's environment; deployed, or served by the sandbox")
	flags.StringVar(&g.from, "from", "", "the `FILE` to convert; a client configuration file, - is standard input")
	_ = cmd.MarkFlagFilename("from", "json")
	flags.StringVar(&g.region, "region", "", "the AWS `REGION` to look in")
	flags.StringVar(&g.profile, "profile", "", "the AWS `PROFILE` to use; it is not stored")
	_ = cmd.RegisterFlagCompletionFunc("region", command.CompleteWords(model.Regions...))
	_ = cmd.RegisterFlagCompletionFunc("profile", cloud.CompleteProfile)
	_ = cmd.RegisterFlagCompletionFunc("app-id",
		cloud.CompleteDeployed(streams, func(e index.Entry) string { return e.ApplicationID }))
	_ = cmd.RegisterFlagCompletionFunc("branch",
		cloud.CompleteDeployed(streams, func(e index.Entry) string { return e.Branch }))
	_ = cmd.RegisterFlagCompletionFunc("stack",
		cloud.CompleteDeployed(streams, func(e index.Entry) string { return e.Stack }))
	g.form.add(cmd)
	flags.BoolVar(&g.stdout, "stdout", false, "print the file, and write nothing")
	flags.BoolVar(&g.check, "check", false, "write nothing; exit with 3 if the file is stale")
	flags.BoolVar(&g.snippet, "snippet", false, "print the code that configures a client")
	flags.BoolVar(&g.force, "force", false, "write even if the file loses values; or cannot be read")
	flags.BoolVar(&g.drop, "drop", false, "with --from: leave out what version 1 cannot carry")
	flags.BoolVar(&g.dryRun, "dry-run", false, "write nothing; report what would be written")
	flags.BoolVar(&g.diff, "diff", false, "show the unified diff of the file")
	flags.BoolVar(&g.json, "json", false, "report as JSON")
	return cmd
}

// filled returns an error for a flag with an empty value, such as a script's variable that
// is not set.
func filled(given func(string) bool, values map[string]string) error {
	for _, name := range slices.Sorted(maps.Keys(values)) {
		if given(name) && values[name] == "" {
			return command.Misuse("--%s needs a value", name)
		}
	}
	return nil
}

// exclusion is a flag with those that do not go together with it.
type exclusion struct{ flag, others string }

// exclusive returns an error for flags that exclude each other.
func exclusive(given func(string) bool, exclusions []exclusion) error {
	for _, pair := range exclusions {
		for other := range strings.FieldsSeq(pair.others) {
			if given(pair.flag) && given(other) {
				return command.Misuse("--%s and --%s exclude each other", pair.flag, other)
			}
		}
	}
	return nil
}

// conflicts returns an error for flags that exclude each other, or that are empty.
func (g *outputsCommand) conflicts(given func(string) bool) error {
	if err := filled(given, map[string]string{
		"region": g.region, "profile": g.profile, "app-id": g.applicationID, "branch": g.branch, "stack": g.stack,
		"from":    g.from,
		"out-dir": g.form.folder, "dialect": g.form.dialect, "format": g.form.format,
	}); err != nil {
		return err
	}
	if err := exclusive(given, []exclusion{
		{"from", "stack app-id branch env region profile"},
		{"stack", "app-id branch env"},
		{"env", "app-id branch"},
		{"stdout", "check snippet json force out-dir dry-run diff"},
		{"check", "dry-run diff snippet"},
		{"diff", "snippet"},
		{"check", "force"},
	}); err != nil {
		return err
	}
	if g.drop && g.from == "" {
		return command.Misuse("--drop needs --from FILE: the file can hold everything that a deployment has")
	}
	return g.form.check()
}

func (g *outputsCommand) run(ctx context.Context) error {
	here, err := projectHere(g.streams)
	if err != nil {
		return err
	}
	if here != nil {
		defer func() { _ = here.Close() }()
	}
	s, err := g.source(ctx, here)
	if err != nil {
		return err
	}
	s.app = here != nil && here.Amplify != nil && project.FrontendOf(here.Root).IsApp()
	if g.stdout {
		file, err := s.printed(g.form, g.streams)
		if err != nil {
			return err
		}
		command.SayNotes(g.streams.Err, s.notes)
		return command.PrintText(g.streams.Out, string(file.text))
	}
	wanted := func() (*outputFile, error) { return s.file(g.form, here, g.streams, g.force) }
	if !g.check {
		return g.write(wanted)
	}
	file, err := wanted()
	if err != nil {
		return err
	}
	return g.compare(file)
}

// projectHere returns the project that the command runs in; nil if there is none.
func projectHere(streams command.Streams) (*project.Project, error) {
	if _, _, err := project.Find(streams.Dir); errors.Is(err, project.ErrNoProject) {
		return nil, nil
	}
	return command.OpenProject(streams)
}
