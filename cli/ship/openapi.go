package ship

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"gatewright/cli/command"
	"gatewright/deploy/outputs"
	"gatewright/internal/openapi"
	"gatewright/internal/openapi/convert"
	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/model/access"
	"gatewright/project"
	"gatewright/project/validate"
	document "gatewright/render/openapi"
)

// openAPICommand is one run of `generate openapi`.
type openAPICommand struct {
	generatedFlags
	streams                  command.Streams
	env                      command.EnvironmentFlag
	flavour, version, format string
	// versionGiven says that --openapi is given.
	versionGiven bool
}

// openAPIFormats are the formats of a document.
var openAPIFormats = []string{"json", "yaml"}

func newGenerateOpenAPI(streams command.Streams) *cobra.Command {
	g := openAPICommand{streams: streams}
	cmd := &cobra.Command{
		Use:   "openapi [API]",
		Short: "Write an API's OpenAPI document",
		Long: `Write the OpenAPI document of an API, for people and tools or for an import by Amazon API Gateway.
The same definition gives the same bytes, so you can commit the file, and --check in a build fails if it is stale.

--for docs is for people and tools. It has each path with the methods that somebody may call, and says who. What is
below a path is written as /books/{proxy}. The servers are those of all environments in the definition; with --env
there is one, with the address from the environment's last push.

--for gateway is for an import by Amazon API Gateway, for one environment: functions, signed requests and CORS, as a
push makes them. API Gateway takes version 3.0. The document does not say who may do what: that is in the policies
of the roles, which a push also makes.`,
		Example: command.Examples("generate openapi shop",
			"generate openapi shop --format yaml --out docs/shop.yaml",
			"generate openapi --for gateway --env prod --stdout"),
	}
	ofAPI(cmd, streams, g.conflicts, g.run)
	flags := cmd.Flags()
	flags.StringVar(&g.flavour, "for", string(document.Docs),
		"what reads the document, `USE`: "+phrase.Either(document.Flavours))
	flags.StringVar(&g.version, "openapi", document.Versions[0],
		"the `VERSION` of OpenAPI: "+phrase.Either(document.Versions)+"; without it, a contract of 3.1 says it")
	flags.StringVar(&g.format, "format", openAPIFormats[0],
		"the file's `FORMAT`: "+phrase.Either(openAPIFormats)+"; without it, the ending of --out says it")
	g.env.Add(cmd, streams, "the environment that the document is for")
	g.add(cmd, "API.openapi.json here, or API.gateway.json", openAPIFormats...)
	_ = cmd.RegisterFlagCompletionFunc("for", command.CompleteWords(command.Words(document.Flavours)...))
	_ = cmd.RegisterFlagCompletionFunc("openapi", command.CompleteWords(document.Versions...))
	_ = cmd.RegisterFlagCompletionFunc("format", command.CompleteWords(openAPIFormats...))
	return cmd
}

// conflicts returns an error for flags that exclude each other, or have an unknown value.
func (g *openAPICommand) conflicts(given func(string) bool) error {
	if err := filled(given, map[string]string{"for": g.flavour, "openapi": g.version, "format": g.format}); err != nil {
		return err
	}
	if err := g.generatedFlags.conflicts(given); err != nil {
		return err
	}
	if ending := strings.ToLower(filepath.Ext(g.out)); !given("format") && (ending == ".yaml" || ending == ".yml") {
		g.format = "yaml"
	}
	for _, flag := range []struct {
		name, value string
		known       []string
	}{
		{"for", g.flavour, command.Words(document.Flavours)},
		{"openapi", g.version, document.Versions},
		{"format", g.format, openAPIFormats},
	} {
		if !slices.Contains(flag.known, flag.value) {
			return command.Misuse("--%s takes %s, not %s", flag.name, phrase.Either(flag.known), phrase.Quote(flag.value))
		}
	}
	g.versionGiven = given("openapi")
	if g.gateway() && g.version != document.Versions[0] {
		return command.Misuse("--for gateway writes version %s: API Gateway imports no later one; leave out --openapi",
			document.Versions[0])
	}
	return nil
}

func (g *openAPICommand) gateway() bool { return g.flavour == string(document.Gateway) }

func (g *openAPICommand) run(p *project.Project, args []string) error {
	env, err := g.environment(p)
	if err != nil {
		return err
	}
	api, err := apiOf(p, args, env)
	if err != nil {
		return err
	}
	text, err := g.document(p, api, env)
	if err != nil {
		return err
	}
	if g.stdout {
		return command.PrintText(g.streams.Out, string(text))
	}
	r := &openAPIReport{API: api.Label, For: g.flavour, OpenAPI: g.version, Format: g.format}
	if env != nil {
		r.Environment = env.Name
	}
	f := &generatedFile{
		generatedFlags: &g.generatedFlags, streams: g.streams, text: text, mark: document.Generated,
		headline: r.headline,
	}
	kind := map[bool]string{true: "gateway", false: "openapi"}[g.gateway()]
	if err := f.find(p, api.Label, api.Label+"."+kind+"."+g.format); err != nil {
		return err
	}
	r.Path = f.name
	return f.settle(r, &r.fileState)
}

// openAPIReport is what `generate openapi` reports.
type openAPIReport struct {
	Path        string `json:"path"`
	API         string `json:"api"`
	For         string `json:"for"`
	OpenAPI     string `json:"openapi"`
	Format      string `json:"format"`
	Environment string `json:"environment,omitempty"`
	fileState
}

// headline names the file, what was done with it, and the API.
func (r *openAPIReport) headline(did string) string {
	text := "OpenAPI document " + phrase.QuotePath(r.Path) + " " + did + ", of the API " + phrase.Quote(r.API)
	if r.For == string(document.Gateway) {
		text += " for API Gateway"
	}
	if r.Environment != "" {
		text += ", environment " + phrase.Quote(r.Environment)
	}
	return text
}

// environment returns the environment that the document is for; nil for all of them.
func (g *openAPICommand) environment(p *project.Project) (*model.Environment, error) {
	if g.env == "" && !g.gateway() {
		return nil, nil
	}
	return command.EnvironmentOf(p, g.env.String())
}

// apiOf returns the API that the argument names, else the only one. It belongs to the
// environment, if that is not nil.
func apiOf(p *project.Project, args []string, env *model.Environment) (*access.API, error) {
	apis := p.Backend.APIs
	switch {
	case len(args) > 0:
		if err := p.Backend.Known(model.Ref{Kind: model.KindAPI, Name: args[0]}); err != nil {
			return nil, err
		}
		apis = []*access.API{p.Backend.API(args[0])}
	case len(apis) == 0:
		return nil, &model.Problem{Text: "the project has no API", Fix: "add one with: gatewright add api"}
	case len(apis) > 1:
		return nil, command.Misuse("the project has several APIs; name one of %s",
			phrase.QuoteList(p.Backend.Names(model.KindAPI)))
	}
	if env == nil {
		return apis[0], nil
	}
	return apis[0], env.CheckHas(apis[0].Label)
}

// document makes the text of the document.
func (g *openAPICommand) document(p *project.Project, api *access.API, env *model.Environment) ([]byte, error) {
	options := document.Options{Flavour: document.Flavour(g.flavour), Version: g.version, Command: g.again(api)}
	if g.gateway() {
		options.Environment = env.Name
	} else {
		var err error
		if options.Servers, err = outputs.ServersOf(p, api, env); err != nil {
			return nil, err
		}
	}
	if !g.gateway() {
		if err := g.follow(p, api, &options); err != nil {
			return nil, err
		}
	}
	node, problem := document.Write(p.Backend, api, options)
	if problem != nil {
		return nil, validate.Located(p, []*model.Problem{problem})[0]
	}
	if g.format == "yaml" {
		return node.YAML(), nil
	}
	return node.JSON(), nil
}

// follow has the document follow the contract of the API, if it has one: its version counts.
func (g *openAPICommand) follow(p *project.Project, api *access.API, options *document.Options) error {
	d, err := contractOf(p, api)
	if d == nil || err != nil {
		return err
	}
	name := p.ContractFile(api.Label)
	was := d.Version
	if d.Swagger() {
		if d, err = convert.FromSwagger(d); err != nil {
			return fmt.Errorf("converting the contract %s: %w", phrase.QuotePath(name), err)
		}
	}
	version := document.ContractVersion(d)
	if g.versionGiven && version != g.version {
		return command.Misuse("the contract %s has version %s, whose schemas mean something else in %s; leave out --openapi",
			phrase.QuotePath(name), phrase.Quote(was), g.version)
	}
	options.Contract, options.Version = d, version
	g.version = version
	return nil
}

// contractOf reads the contract of an API; nil if it has none.
func contractOf(p *project.Project, api *access.API) (*openapi.Document, error) {
	text, err := p.Contract(api.Label)
	if text == nil || err != nil {
		return nil, err
	}
	return openapi.Read(p.ContractFile(api.Label), text)
}

// again is the command that writes the document again.
func (g *openAPICommand) again(api *access.API) string {
	words := []string{"gatewright generate openapi", model.ShellWord(api.Label)}
	for _, flag := range []struct{ name, value, standard string }{
		{"for", g.flavour, string(document.Docs)},
		{"openapi", g.version, document.Versions[0]},
		{"format", g.format, openAPIFormats[0]},
		{"env", g.env.String(), ""},
	} {
		if flag.value != flag.standard {
			words = append(words, "--"+flag.name, model.ShellWord(flag.value))
		}
	}
	return strings.Join(words, " ")
}
