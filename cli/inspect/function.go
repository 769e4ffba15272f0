package inspect

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"gatewright/cli/command"
	"gatewright/deploy/archive"
	"gatewright/deploy/contract"
	"gatewright/deploy/refuse"
	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/project"
	"gatewright/project/validate"
)

// NewFunction makes the command function and that below it.
func NewFunction(streams command.Streams) *cobra.Command {
	return command.Group(&cobra.Command{Use: "function", Short: "Show what a function is made of"},
		newFunctionShow(streams))
}

// artifact is what a function is made of, as `function show` reports it.
type artifact struct {
	Name      string        `json:"name"`
	Runtime   model.Runtime `json:"runtime"`
	Handler   string        `json:"handler"`
	Layers    []string      `json:"layers"`
	Variables []string      `json:"variables"`
	Files     int           `json:"files"`
	// Zipped and Unpacked are bytes; WithLayers is Unpacked with those of the layers that are folders,
	// and Limit what Lambda allows of that.
	Zipped     int64             `json:"zipped"`
	Unpacked   int64             `json:"unpacked"`
	WithLayers int64             `json:"withLayers"`
	Limit      int64             `json:"limit"`
	Packages   []archive.Package `json:"packages"`
	LeftOut    []leftOut         `json:"leftOut"`
	SHA256     string            `json:"sha256"`
}

type leftOut struct {
	Name string `json:"name"`
	Rule string `json:"rule"`
}

func newFunctionShow(streams command.Streams) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "show NAME",
		Short: "Show what a function is made of, and its size",
		Long: `Show what a function is made of: its files and packages, what is left out and by which rule, its
size, and the hash of the archive that a push to AWS would upload. Packages are installed as for a push.`,
		Example: command.Examples("function show books", "function show books --json",
			"function show books --json | jq .files"),
		Args:              command.Arguments("NAME"),
		ValidArgsFunction: command.CompleteNames(streams, model.KindFunction),
		RunE: func(cmd *cobra.Command, args []string) error {
			return command.WithProject(streams, func(p *project.Project) error {
				if err := p.Backend.Known(model.Ref{Kind: model.KindFunction, Name: args[0]}); err != nil {
					return err
				}
				if other := validate.OtherLanguage(p, args[0]); other != nil {
					return other
				}
				shown, err := describeFunction(cmd.Context(), streams, p, args[0])
				if err != nil {
					return err
				}
				return command.Print(streams.Out, asJSON, shown, shown.text)
			})
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "report as JSON")
	return cmd
}

func describeFunction(
	ctx context.Context, streams command.Streams, p *project.Project, name string,
) (artifact, error) {
	f := p.Backend.Function(name)
	d := artifact{
		Name: name, Runtime: f.Runtime, Handler: f.Handler, Layers: append([]string{}, f.Layers...), Variables: []string{},
		Limit: archive.MostUnzipped, Packages: []archive.Package{}, LeftOut: []leftOut{},
	}
	for _, v := range f.Environment {
		d.Variables = append(d.Variables, v.Name)
	}
	d.Variables = append(d.Variables, f.Secrets...)
	var sources []archive.Source
	for _, s := range refuse.Sources(contract.Target{Project: p, Environment: &model.Environment{}}) {
		if !s.Layer && s.Name == name {
			sources = append([]archive.Source{s}, sources...)
		}
		for _, layer := range f.Layers {
			if s.Layer && s.Name == layer {
				sources = append(sources, s)
			}
		}
	}
	if len(sources) == 0 {
		return d, errors.New("the function has no source")
	}
	d.Runtime = f.Runtime.InCloud()
	if d.Handler == "" {
		d.Handler = sources[0].Runtime.Handler()
	}
	folder, err := project.UserArchives(streams.Getenv)
	if err != nil {
		return d, err
	}
	made, err := archive.New(folder).BuildAll(ctx, sources, func(progress archive.Progress) {
		fmt.Fprintf(streams.Err, "%s: %s\n", phrase.Quote(progress.Name), progress.Text)
	})
	if err != nil {
		return d, err
	}
	for i, a := range made {
		contents, err := a.Read(sources[i])
		if err != nil {
			return d, err
		}
		d.WithLayers += a.Unpacked
		if i == 0 {
			d.Zipped, d.SHA256, d.Files, d.Unpacked = a.Size, a.SHA256, contents.Files, a.Unpacked
			d.Packages = append(d.Packages, contents.Packages...)
		}
	}
	listing, err := sources[0].List(false)
	if err != nil {
		return d, err
	}
	for _, out := range listing.LeftOut {
		rule := "by default, because it has " + out.Mark
		if out.Rule != nil {
			rule = out.Rule.Words(p.Root)
		}
		d.LeftOut = append(d.LeftOut, leftOut{out.Name, rule})
	}
	return d, nil
}

func (d artifact) text(width int) string {
	var b strings.Builder
	b.WriteString("function " + phrase.Quote(d.Name) + "\n")
	size := func(n int64) string { return fmt.Sprintf("%.2f MB", float64(n)/(1<<20)) }
	weight := size(d.Zipped) + " zipped, " + size(d.Unpacked) + " unpacked"
	if len(d.Layers) > 0 {
		weight += ", " + size(d.WithLayers) + " with its layers"
	}
	weight += fmt.Sprintf(" (%.1f%% of the limit of %d MB)", float64(d.WithLayers)*100/float64(d.Limit), d.Limit>>20)
	rows := [][]string{{"runtime", string(d.Runtime)}, {"handler", phrase.Quote(d.Handler)}}
	if len(d.Layers) > 0 {
		rows = append(rows, []string{"layers", phrase.QuoteList(d.Layers)})
	}
	if len(d.Variables) > 0 {
		rows = append(rows, []string{"variables", phrase.QuoteList(d.Variables)})
	}
	rows = append(rows, []string{"files", phrase.Count(d.Files, "file")}, []string{"weight", weight},
		[]string{"SHA-256", d.SHA256})
	command.WriteColumns(&b, "  ", width, rows)
	if len(d.Packages) > 0 {
		table := [][]string{{"Package", "Version", "Wanted", "From", "Size", "Files"}}
		for _, p := range d.Packages {
			weight, files := size(p.Bytes), fmt.Sprint(p.Files)
			version, wanted := plainValue(cmp.Or(p.Version, "-")), plainValue(cmp.Or(p.Range, "-"))
			if p.Files == 0 {
				weight, files = "-", "-"
			}
			table = append(table, []string{phrase.Quote(p.Name), version, wanted, p.From, weight, files})
		}
		command.WriteTable(&b, "  ", width, table)
	}
	for _, out := range d.LeftOut {
		b.WriteString("  left out: " + phrase.Quote(out.Name) + " (" + out.Rule + ")\n")
	}
	return b.String()
}
