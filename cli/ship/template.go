package ship

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"gatewright/cli/command"
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
	folder      string
}

// NewTemplate makes the command template.
func NewTemplate(streams command.Streams) *cobra.Command {
	x := templateCommand{streams: streams}
	cmd := &cobra.Command{
		Use:   "template",
		Short: "Print the CloudFormation template of an environment",
		Long: "Print the template with which CloudFormation makes an environment: the REST APIs, functions, tables, the " +
			"user\n" +
			"pool and who may do what. It is made from the definition alone, without the network. A stack takes " +
			"500 resources;\n" +
			"an environment that needs more has nested stacks, whose templates --out writes into a folder.\n" +
			"Functions are expected as archives in the bucket gatewright-assets-ACCOUNT-REGION.",
		Example: "  gatewright template --env prod\n  gatewright template --diff\n  gatewright template --out cloud",
		Args:    command.Arguments(),
		RunE: func(*cobra.Command, []string) error {
			if x.diff && (x.folder != "" || x.small) {
				return command.Misuse("--diff prints differences; leave --out and --minify out")
			}
			return command.WithProject(streams, x.run)
		},
	}
	x.env.Add(cmd, streams, "the environment (default: the chosen one)")
	cmd.Flags().BoolVar(&x.diff, "diff", false, "show what differs from the template of the last push")
	cmd.Flags().BoolVar(&x.small, "minify", false, "leave out spaces and line ends")
	cmd.Flags().StringVar(&x.folder, "out", "", "write template.json and those of nested stacks into this `FOLDER`")
	_ = cmd.MarkFlagDirname("out")
	return cmd
}

func (x *templateCommand) run(p *project.Project) error {
	env, err := command.EnvironmentOf(p, x.env.String())
	if err != nil {
		return err
	}
	made, err := renderTemplate(p, env)
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
		return x.write(made)
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

// renderTemplate renders an environment, and locates the problems for which it cannot.
func renderTemplate(p *project.Project, env *model.Environment) (*template.Template, error) {
	made, err := template.Render(p.Backend, env, template.Options{SourceMaps: p.CompiledFunctions()})
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

// write writes the templates into the folder. Those of nested stacks have the names under
// which prove looks for them.
func (x *templateCommand) write(made *template.Template) error {
	folder := command.Absolute(x.folder, x.streams)
	files := map[string][]byte{"template.json": x.text(made.Root.JSON(), made.Body)}
	for _, n := range made.Nested {
		files[n.ID+".json"] = x.text(n.Node.JSON(), n.Body)
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return fmt.Errorf("making the folder of the templates: %w", err)
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(folder, name), text, 0o644); err != nil {
			return fmt.Errorf("writing a template: %w", err)
		}
	}
	command.Say(x.streams.Err, "%s in %s", phrase.Count(len(files), "template"), x.folder)
	return nil
}

// printDiff prints what differs from the last push. The templates of nested stacks are
// compared too.
func (x *templateCommand) printDiff(p *project.Project, env *model.Environment, made *template.Template) error {
	before, err := p.Deployed(env.Name)
	old := map[string][]byte{}
	switch {
	case errors.Is(err, project.ErrNeverDeployed):
		command.Say(x.streams.Err, "note: %s was never pushed, so that everything is new", phrase.Quote(env.Name))
	case err != nil:
		return err
	default:
		defer func() { _ = before.Project.Close() }()
		then := before.Project.Backend.Environment(env.Name)
		if then == nil {
			then = env
		}
		was, err := renderTemplate(before.Project, then)
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
