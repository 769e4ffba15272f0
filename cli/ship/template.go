package ship

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"gatewright/cli/command"
	"gatewright/deploy/archive"
	"gatewright/deploy/contract"
	"gatewright/deploy/refuse"
	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/project"
	"gatewright/project/journal"
	"gatewright/project/validate"
	"gatewright/render/template"
)

// templateCommand is one run of `template`.
type templateCommand struct {
	streams     command.Streams
	env         command.EnvironmentFlag
	diff, small bool
	archives    bool
	folder      string
}

// NewTemplate makes the command template.
func NewTemplate(streams command.Streams) *cobra.Command {
	x := templateCommand{streams: streams}
	cmd := &cobra.Command{
		Use:   "template",
		Short: "Print an environment's CloudFormation template",
		Long: `Print the CloudFormation template of an environment: its REST APIs, functions, tables, user pool
and who may do what. It is made from the definition alone, without the network.

A stack takes 500 resources. An environment that needs more has nested stacks, whose templates --out writes into a
folder.

Functions are expected as archives in the bucket gatewright-assets-ACCOUNT-REGION. --archives makes them as a push
does, and names each by its SHA-256; with --out they lie in the folder as in the bucket.`,
		Example: command.Examples("template --env prod", "template --env prod --diff",
			"template --out cloud --archives"),
		Args: command.Arguments(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if x.diff && (x.folder != "" || x.small || x.archives) {
				return command.Misuse("--diff prints differences; leave out --out, --minify and --archives")
			}
			return command.WithProject(streams, func(p *project.Project) error { return x.run(cmd.Context(), p) })
		},
	}
	x.env.Add(cmd, streams, "the environment (default: the chosen one)")
	cmd.Flags().BoolVar(&x.diff, "diff", false, "show what differs from the template of the last push")
	cmd.Flags().BoolVar(&x.archives, "archives", false, "make the functions' archives; named by their SHA-256")
	cmd.Flags().BoolVar(&x.small, "minify", false, "leave out spaces and line ends")
	cmd.Flags().StringVar(&x.folder, "out", "", "write the templates into this `FOLDER`; template.json and those of nested stacks")
	_ = cmd.MarkFlagDirname("out")
	return cmd
}

func (x *templateCommand) run(ctx context.Context, p *project.Project) error {
	env, err := command.EnvironmentOf(p, x.env.String())
	if err != nil {
		return err
	}
	options, archives := template.Options{}, map[string]string{}
	if x.archives {
		if archives, err = x.build(ctx, p, env, &options); err != nil {
			return err
		}
	}
	made, err := renderTemplate(p, env, options)
	if err != nil {
		return err
	}
	for _, problem := range validate.Located(p, made.Announcements(p.Backend)) {
		command.SayProblem(x.streams.Err, problem)
	}
	switch {
	case x.diff:
		return x.printDiff(p, env, made)
	case x.folder != "":
		return x.write(made, archives)
	}
	if len(made.Nested) > 0 {
		command.Say(x.streams.Err,
			"note: the templates of %s are not printed; write them with: gatewright template --out FOLDER",
			phrase.Count(len(made.Nested), "nested stack"))
	}
	return command.PrintText(x.streams.Out, string(x.text(made.Root.JSON(), made.Body)))
}

func (x *templateCommand) text(long, short []byte) []byte {
	if x.small {
		return append(short[:len(short):len(short)], '\n')
	}
	return long
}

// build makes the archives of an environment and sets their keys in options. It returns their files by
// their keys.
func (x *templateCommand) build(
	ctx context.Context, p *project.Project, env *model.Environment, options *template.Options,
) (map[string]string, error) {
	folder, err := project.UserArchives(x.streams.Getenv)
	if err != nil {
		return nil, err
	}
	target := contract.Target{Project: p, Environment: env}
	sources := refuse.Sources(target)
	made, err := archive.New(folder).BuildAll(ctx, sources, func(progress archive.Progress) {
		command.Say(x.streams.Err, "%s: %s", phrase.Quote(progress.Name), progress.Text)
	})
	if err != nil {
		return nil, err
	}
	wrong := refuse.Weights(target, func(i int, _ archive.Source) (int64, bool) { return made[i].Unpacked, true })
	if len(wrong) > 0 {
		return nil, validate.Located(p, wrong)[0]
	}
	options.Archives, options.Layers = archive.Keys(sources, made)
	files := make(map[string]string)
	for i, of := range sources {
		files[archive.Key(of, made[i])] = made[i].File
	}
	return files, nil
}

// renderTemplate renders an environment, and locates the problems for which it cannot.
func renderTemplate(p *project.Project, env *model.Environment, options template.Options) (*template.Template, error) {
	options.SourceMaps = p.CompiledFunctions()
	made, err := template.Render(p.Backend, env, options)
	var refused template.Refused
	if errors.As(err, &refused) {
		located := validate.Located(p, refused)
		if len(located) > 1 {
			return nil, fmt.Errorf("%w (and %s; see them with: gatewright validate --for aws --env %s)", located[0],
				phrase.Count(len(located)-1, "more problem"), model.ShellWord(env.Name))
		}
		return nil, located[0]
	}
	return made, err
}

// write writes the templates into the folder, with archives by their names in it. Those of nested
// stacks have the names under which prove looks for them.
func (x *templateCommand) write(made *template.Template, archives map[string]string) error {
	folder := command.Absolute(x.folder, x.streams)
	files := map[string][]byte{"template.json": x.text(made.Root.JSON(), made.Body)}
	for _, n := range made.Nested {
		files[n.ID+".json"] = x.text(n.Node.JSON(), n.Body)
	}
	write := func(name string, text []byte) error {
		name = filepath.Join(folder, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			return fmt.Errorf("making the folder of the templates: %w", err)
		}
		if err := os.WriteFile(name, text, 0o644); err != nil {
			return fmt.Errorf("writing a template or an archive: %w", err)
		}
		return nil
	}
	// What the templates name is there before them.
	for key, made := range archives {
		text, err := os.ReadFile(made)
		if err == nil {
			err = write(key, text)
		}
		if err != nil {
			return err
		}
	}
	for name, text := range files {
		if err := write(name, text); err != nil {
			return err
		}
	}
	said := phrase.Count(len(files), "template")
	if x.archives {
		said += " and " + phrase.Count(len(archives), "archive")
	}
	command.Say(x.streams.Err, "%s in %s", said, x.folder)
	return nil
}

// printDiff prints what differs from the last push. The templates of nested stacks are
// compared too.
func (x *templateCommand) printDiff(p *project.Project, env *model.Environment, made *template.Template) error {
	before, err := p.Deployed(env.Name)
	old := map[string][]byte{}
	switch {
	case errors.Is(err, project.ErrNeverDeployed):
		command.Say(x.streams.Err, "note: %s was never pushed, so everything is new", phrase.Quote(env.Name))
	case err != nil:
		return err
	default:
		defer func() { _ = before.Project.Close() }()
		then := before.Project.Backend.Environment(env.Name)
		if then == nil {
			then = env
		}
		was, err := renderTemplate(before.Project, then, template.Options{})
		if err != nil {
			return fmt.Errorf("the last push of %s has no template: %w", phrase.Quote(env.Name), err)
		}
		old["template.json"] = was.Root.JSON()
		for _, n := range was.Nested {
			old[n.Name] = n.Node.JSON()
		}
	}
	diff := changed("template.json", old["template.json"], made.Root.JSON())
	for _, n := range made.Nested {
		diff += changed(n.Name, old[n.Name], n.Node.JSON())
		delete(old, n.Name)
	}
	if diff == "" {
		command.Say(x.streams.Err, "nothing differs from the last push")
	}
	return command.PrintText(x.streams.Out, diff)
}

func changed(name string, old, now []byte) string {
	if string(old) == string(now) {
		return ""
	}
	return project.Diff(journal.Change{Path: name, Old: old, Existed: old != nil, New: now})
}
