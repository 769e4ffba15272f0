package amplify

import (
	"path"
	"slices"
	"strings"

	"gatewright/internal/text/lazyregexp"
	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/model/access"
	"gatewright/project/read"
)

// The labels and paths that `amplify add api` accepts.
var (
	amplifyLabel = lazyregexp.New(`^[a-zA-Z0-9]+$`)
	amplifyPath  = lazyregexp.New(`^(/|(/([a-zA-Z0-9-]+|\{[a-zA-Z0-9-]+\}))+)$`)
)

// AdminQueries is the label of an API that the Amplify CLI makes itself, for the administration of users.
const AdminQueries = "AdminQueries"

// Check warns of what this program allows in an API and the Amplify CLI, which deploys it, refuses.
func Check(api *access.API) []*model.Problem {
	var problems []*model.Problem
	if !amplifyLabel().MatchString(api.Label) {
		problems = append(problems, &model.Problem{
			Of: model.Ref{Kind: model.KindAPI, Name: api.Label}, Level: model.Warning,
			Text: "has a label that the Amplify CLI does not accept", Fix: "use only a-z A-Z 0-9",
		})
	}
	there := make(map[string]bool, len(api.Paths))
	for _, p := range api.Paths {
		there[p.Name] = true
	}
	for _, p := range api.Paths {
		// The rules of every project report an invalid path.
		if _, err := access.ParsePath(p.Name); err != nil {
			continue
		}
		warn := func(text, fix string) {
			problems = append(problems, &model.Problem{
				Of:      model.Ref{Kind: model.KindPath, API: api.Label, Name: p.Name},
				Pointer: "/paths/" + model.PointerSegment(p.Name),
				Level:   model.Warning, Rule: access.RuleAmplifyPath, Text: text, Fix: fix,
			})
		}
		if !amplifyPath().MatchString(p.Name) {
			warn("is a path that the Amplify CLI does not accept", "use only a-z A-Z 0-9 - in each part of it")
		}
		if above := proxyBeside(p.Name, there); above != "" {
			warn("cannot be deployed next to "+phrase.Quote(above)+
				" by the Amplify CLI, which writes a {proxy+} next to the variable",
				"use one of the two, or put a fixed part before the variable")
		}
	}
	return problems
}

// proxyBeside finds the path whose {proxy+} resource would be a sibling of a
// variable in the named path; "" if there is none.
func proxyBeside(name string, there map[string]bool) string {
	for at := range len(name) {
		if !strings.HasPrefix(name[at:], "/{") {
			continue
		}
		above := name[:at]
		if above == "" {
			above = "/"
		}
		if there[above] {
			return above
		}
	}
	return ""
}

// Unregistered lists the APIs that have a folder and that backend-config.json does not register, so that
// no push deploys them; none if there is no such file.
func (p *Project) Unregistered() []string {
	if p == nil {
		return nil
	}
	config, err := read.JSON(p.FS, BackendConfig)
	if err != nil {
		return nil
	}
	return p.unregistered(config)
}

func (p *Project) unregistered(config *read.File) []string {
	registered, _ := config.Doc.Find("/api")
	var labels []string
	for _, api := range p.Backend.APIs {
		near := false
		for name := range registered.Members() {
			near = near || strings.EqualFold(name, api.Label)
		}
		if !near {
			labels = append(labels, api.Label)
		}
	}
	return labels
}

// noteRegistered notes the APIs that backend-config.json registers and that have no folder of that name.
func (p *Project) noteRegistered(config *read.File) {
	if config == nil {
		return
	}
	for _, label := range p.unregistered(config) {
		p.Problems = append(p.Problems, config.Problem(model.Warning, "/api", "run: amplify update api",
			"does not register the API %s, so the Amplify CLI does not deploy it", phrase.Quote(label)))
	}
	registered, _ := config.Doc.Find("/api")
	have, _ := read.Folders(p.FS, path.Join(p.Layout.String(), "api"))
	for name, entry := range registered.Members() {
		service, _ := entry.Get("service")
		at := "/api/" + model.PointerSegment(name)
		near := slices.IndexFunc(have, func(folder string) bool { return strings.EqualFold(folder, name) })
		switch {
		case slices.Contains(have, name):
			if service.Text() == "API Gateway" && p.Backend.API(name) == nil {
				p.Problems = append(p.Problems,
					config.Problem(model.Note, at, "", "registers an API whose definition is missing or unreadable"))
			}
		case near >= 0:
			p.Problems = append(p.Problems,
				config.Problem(model.Note, at, "", "registers an API whose folder has another spelling: %s",
					phrase.Quote(have[near])))
		default:
			p.Problems = append(p.Problems, config.Problem(model.Note, at, "", "registers an API that has no folder"))
		}
	}
}
