package ship

import (
	"slices"

	"github.com/spf13/cobra"

	"gatewright/cli/command"
	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/project"
	"gatewright/project/validate"
	"gatewright/render/client"
)

// clientCommand is one run of `generate client`.
type clientCommand struct {
	generatedFlags
	streams  command.Streams
	language string
}

// clientLanguages are the languages of clients, as their files end.
var clientLanguages = []string{"ts"}

func newGenerateClient(streams command.Streams) *cobra.Command {
	g := clientCommand{streams: streams}
	cmd := &cobra.Command{
		Use:   "client [API]",
		Short: "Write typed calls of an API for a front end",
		Long: `Write a TypeScript module with a function for each operation of an API. The functions call the
client library aws-amplify 6, which signs and sends the requests.

The same definition gives the same bytes, so you can commit the file, and --check in a build fails if it is stale.

If the API has a contract, an OpenAPI document, the functions have the names of its operations, and paths, queries,
headers, bodies and responses have the types of its schemas. Without a contract there is a function for each path
and method that somebody may call, and bodies are unknown.

The library sends JSON and forms. An operation that takes something else is left out, and a note says so.`,
		Example: command.Examples("generate client shop --out ../web/src/shop.ts",
			"generate client shop --stdout", "generate client shop --out ../web/src/shop.ts --check"),
	}
	ofAPI(cmd, streams, g.conflicts, g.run)
	cmd.Flags().StringVar(&g.language, "lang", clientLanguages[0],
		"the `LANGUAGE` of the module: "+phrase.Either(clientLanguages))
	_ = cmd.RegisterFlagCompletionFunc("lang", command.CompleteWords(clientLanguages...))
	g.add(cmd, "API.client.ts here", clientLanguages...)
	return cmd
}

// conflicts returns an error for flags that exclude each other, or have an unknown value.
func (g *clientCommand) conflicts(given func(string) bool) error {
	if !slices.Contains(clientLanguages, g.language) {
		return command.Misuse("--lang takes %s, not %s", phrase.Either(clientLanguages), phrase.Quote(g.language))
	}
	return g.generatedFlags.conflicts(given)
}

// clientReport is what `generate client` reports.
type clientReport struct {
	Path     string `json:"path"`
	API      string `json:"api"`
	Language string `json:"language"`
	// Contract is the file of the contract, if the API has one.
	Contract string `json:"contract,omitempty"`
	// LeftOut are the operations without a function, each with the reason.
	LeftOut []string `json:"leftOut"`
	fileState
}

func (g *clientCommand) run(p *project.Project, args []string) error {
	api, err := apiOf(p, args, nil)
	if err != nil {
		return err
	}
	contract, err := contractOf(p, api)
	if err != nil {
		return err
	}
	again := "gatewright generate client " + model.ShellWord(api.Label) + " --lang " + g.language
	made, problem := client.TypeScript(p.Backend, api, client.Options{Command: again, Contract: contract})
	if problem != nil {
		return validate.Located(p, []*model.Problem{problem})[0]
	}
	r := &clientReport{API: api.Label, Language: g.language, LeftOut: command.Listed(made.LeftOut)}
	if contract != nil {
		r.Contract = contract.Name
	}
	if !g.json && !g.check {
		for _, operation := range made.LeftOut {
			command.Say(g.streams.Err, "note: left out %s", operation)
		}
	}
	if g.stdout {
		return command.PrintText(g.streams.Out, string(made.Text))
	}
	f := &generatedFile{
		generatedFlags: &g.generatedFlags, streams: g.streams, text: made.Text, mark: client.Generated,
		headline: r.headline,
	}
	if err := f.find(p, api.Label, api.Label+".client."+g.language); err != nil {
		return err
	}
	r.Path = f.name
	return f.settle(r, &r.fileState)
}

// headline names the file, what was done with it, and the API.
func (r *clientReport) headline(did string) string {
	text := "client " + phrase.QuotePath(r.Path) + " " + did + ", of the API " + phrase.Quote(r.API)
	if r.Contract != "" {
		text += " with its contract " + phrase.QuotePath(r.Contract)
	}
	return text
}
