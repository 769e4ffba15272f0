// Package inspect has the commands that show and check a project: routes, can, env, schema
// and validate.
package inspect

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"gatewright/cli/command"
	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/model/access"
	"gatewright/project"
)

// routeRow is an API Gateway resource of a path, as `routes` reports it.
type routeRow struct {
	API      string      `json:"api"`
	Path     string      `json:"path"`
	Resource string      `json:"resource"`
	Methods  []string    `json:"methods"`
	Function string      `json:"function"`
	Access   routeAccess `json:"access"`
	// Endpoint is the URL of the resource in the environment, if that was pushed.
	Endpoint string `json:"endpoint,omitempty"`

	rules access.Access
}

// routeAccess is the access to a path, with the names of cli-inputs.json.
type routeAccess struct {
	Setting access.Setting      `json:"setting"`
	Auth    []string            `json:"auth,omitzero"`
	Guest   []string            `json:"guest,omitzero"`
	Groups  map[string][]string `json:"groups,omitempty"`
}

func accessOf(a access.Access) routeAccess {
	rules := routeAccess{Setting: a.Setting}
	for _, g := range a.Grants {
		words := actionList(g.Actions)
		switch g.To.Kind {
		case access.Authenticated:
			rules.Auth = words
		case access.Guest:
			rules.Guest = words
		case access.Group:
			if rules.Groups == nil {
				rules.Groups = make(map[string][]string)
			}
			rules.Groups[g.To.Group] = words
		}
	}
	return rules
}

// NewRoutes makes the command routes.
func NewRoutes(streams command.Streams) *cobra.Command {
	var (
		asJSON, access bool
		env            command.EnvironmentFlag
	)
	cmd := &cobra.Command{
		Use:   "routes [API]",
		Short: "Show the routes of one API, or of all",
		Long: `Show each resource of each path: its methods, its function and its access, in the order of
matching. The first resource that matches a request serves it.

Notes below the table name requests that go to another path than you would expect. --env shows the APIs of an
environment, with the endpoints of its last push. --access shows who may do what instead: the actions of guests, of
signed-in users and of each group on each path, and what members of several groups lose.`,
		Example:           command.Examples("routes shop", "routes shop --access", "routes --env prod --json"),
		Args:              command.Optional("an API"),
		ValidArgsFunction: command.CompleteNames(streams, model.KindAPI),
		RunE: func(_ *cobra.Command, args []string) error {
			return command.WithProject(streams, func(p *project.Project) error {
				apis, endpoints, err := routedAPIs(p, env.String(), args)
				switch {
				case err != nil:
					return err
				case access:
					return printAccess(p.Backend, apis, asJSON, streams)
				case asJSON:
					return routesAsJSON(p.Backend.Gate(), apis, endpoints, streams)
				}
				none := "the project has no API; add one with: gatewright add api\n"
				if env != "" {
					none = "environment " + phrase.Quote(env.String()) + " has no API\n"
				}
				return printRoutes(p.Backend.Gate(), apis, endpoints, none, streams)
			})
		},
	}
	cmd.Flags().BoolVar(&access, "access", false, "show who may do what on each path")
	cmd.Flags().BoolVar(&asJSON, "json", false, "report as JSON")
	env.Add(cmd, streams, "the environment whose APIs and endpoints are shown")
	return cmd
}

// routedAPIs returns the APIs to show, and their endpoints by label: those of the environment
// that --env names, else of the chosen one.
func routedAPIs(p *project.Project, flag string, args []string) ([]*access.API, map[string]string, error) {
	env := p.CurrentEnvironment()
	if flag != "" {
		var err error
		if env, err = command.EnvironmentOf(p, flag); err != nil {
			return nil, nil, err
		}
	}
	apis := p.Backend.APIs
	if len(args) > 0 {
		if err := p.Backend.Known(model.Ref{Kind: model.KindAPI, Name: args[0]}); err != nil {
			return nil, nil, err
		}
		apis = []*access.API{p.Backend.API(args[0])}
		if flag != "" {
			if err := env.CheckHas(args[0]); err != nil {
				return nil, nil, err
			}
		}
	}
	if flag != "" {
		apis = slices.DeleteFunc(slices.Clone(apis), func(a *access.API) bool { return !env.Has(a.Label) })
	}
	endpoints := make(map[string]string)
	if env != nil && !p.Foreign() {
		record, err := project.ReadRecord(p.Root, env.Name)
		if err != nil && !errors.Is(err, project.ErrNeverDeployed) && flag != "" {
			return nil, nil, err
		}
		for _, e := range record.APIs {
			endpoints[e.API] = e.URL
		}
	}
	return apis, endpoints, nil
}

// routesOf returns the resources of an API in the order in which they are matched, and
// remarks about requests that go to another path than expected.
func routesOf(gate access.Gate, api *access.API) (routes []routeRow, remarks []string) {
	hidden, rules, taken := make(map[*access.Path]bool), gate.RulesOf(api), api.TakenBelow()
	for _, t := range api.Takeovers() {
		if t.All {
			hidden[t.Above] = true
		}
		remarks = append(remarks, takeover(t))
	}
	for _, p := range api.Paths {
		proxy := access.ProxyOf(p.Name)
		if p.Name != proxy {
			routes = append(routes, newRoute(rules, api, p, p.Name))
		}
		switch {
		case hidden[p]:
		case p.Name == proxy && taken(p):
			remarks = append(remarks, phrase.Quote(proxy)+" is never reached: a path with a variable takes all of it")
		default:
			routes = append(routes, newRoute(rules, api, p, proxy))
		}
	}
	slices.SortStableFunc(routes, func(a, b routeRow) int {
		return cmp.Or(access.CompareResources(a.Resource, b.Resource), cmp.Compare(reserved(a), reserved(b)))
	})
	// Of two resources that match the same requests the first is reached.
	reached := routes[:0]
	for _, r := range routes {
		if n := len(reached); n > 0 && access.CompareResources(reached[n-1].Resource, r.Resource) == 0 {
			remarks = append(remarks, fmt.Sprintf("%s is never reached: %s of the path %s matches the same requests",
				phrase.Quote(r.Resource), phrase.Quote(reached[n-1].Resource), phrase.Quote(reached[n-1].Path)))
			continue
		}
		reached = append(reached, r)
	}
	return reached, remarks
}

// reserved sorts the reserved path, which matches what no other path does, behind the proxy
// resource of the root, which matches the same requests.
func reserved(r routeRow) int {
	if r.Path == access.ProxyPath {
		return 1
	}
	return 0
}

func newRoute(of access.Rules, api *access.API, p *access.Path, resource string) routeRow {
	rules := of.Effective(p)
	return routeRow{
		API: api.Label, Path: p.Name, Resource: resource, Methods: []string{"ANY", "OPTIONS"}, Function: p.Function,
		Access: accessOf(rules), rules: rules,
	}
}

// takeover returns a remark about the requests that one path takes from another.
func takeover(t access.Takeover) string {
	above, below := phrase.Quote(t.Above.Name), phrase.Quote(t.Below.Name)
	if t.All {
		return fmt.Sprintf("%s is never reached: %s serves everything below %s, such as %s",
			phrase.Quote(access.ProxyOf(t.Above.Name)), below, above, examples(t))
	}
	goes := "goes"
	if len(t.Examples) > 1 {
		goes = "go"
	}
	return fmt.Sprintf("%s %s to %s and not to %s", examples(t), goes, below, above)
}

func examples(t access.Takeover) string {
	quoted := make([]string, len(t.Examples))
	for i, e := range t.Examples {
		quoted[i] = phrase.Quote(e)
	}
	return strings.Join(quoted, " and ")
}

func routesAsJSON(
	gate access.Gate, apis []*access.API, endpoints map[string]string, streams command.Streams,
) error {
	list := []routeRow{}
	for _, api := range apis {
		routes, _ := routesOf(gate, api)
		for _, r := range routes {
			if url := endpoints[api.Label]; url != "" {
				r.Endpoint = url + r.Resource
			}
			list = append(list, r)
		}
	}
	return command.PrintJSON(streams.Out, list)
}

// printRoutes prints the tables of APIs, or the text none if there is no API.
func printRoutes(
	gate access.Gate, apis []*access.API, endpoints map[string]string, none string, streams command.Streams,
) error {
	var b strings.Builder
	width := command.WidthOf(streams.Out)
	if len(apis) == 0 {
		b.WriteString(none)
	}
	for i, api := range apis {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString("API " + phrase.Quote(api.Label))
		if url := endpoints[api.Label]; url != "" {
			b.WriteString(" at " + phrase.QuotePath(url))
		}
		b.WriteByte('\n')
		routes, remarks := routesOf(gate, api)
		rows := [][]string{{"Resource", "Methods", "Function", "Access"}}
		for _, r := range routes {
			rows = append(rows,
				[]string{
					phrase.QuotePath(r.Resource), strings.Join(r.Methods, ", "), phrase.Quote(r.Function),
					r.rules.String(),
				})
		}
		command.WriteTable(&b, "  ", width, rows)
		var remarked [][]string
		for i, remark := range remarks {
			if i == command.MostLines && len(remarks) > command.MostLines+1 {
				remarked = append(remarked, []string{fmt.Sprintf("and %d more", len(remarks)-command.MostLines)})
				break
			}
			remarked = append(remarked, []string{remark})
		}
		command.WriteColumns(&b, "  ", width, remarked)
	}
	return command.PrintText(streams.Out, b.String())
}
