package local

import (
	"maps"
	"slices"
	"strings"

	"gatewright/deploy/contract"
	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/model/access"
	"gatewright/model/diff"
	"gatewright/project/status"
)

// The kinds of model.PathResource that belong to the function and not to the path.
const (
	handlerFunction = "handler function"
	logGroup        = "log group"
)

// reportChanges calls tell for each resource that a push created, updated or deleted.
// The resources of a path follow its API.
func reportChanges(before status.Status, now *model.Backend, tell func(contract.Event)) {
	was := before.Was
	if was == nil {
		was = &model.Backend{}
	}
	all := changes{functions: make(map[string]diff.Operation), reported: make(map[string]bool), tell: tell}
	for _, r := range before.Resources {
		if r.Of.Kind == model.KindFunction {
			all.functions[r.Of.Name] = r.Operation
		}
	}
	for _, r := range before.Resources {
		d := r.Difference
		switch {
		case d.Operation == diff.NoChange || d.Of.Kind == model.KindFunction && all.reported[d.Of.Name]:
		case d.Of.Kind == model.KindAPI:
			tell(contract.Event{Kind: kindOf(d.Operation), Of: d.Of, Text: d.Of.String(), Reasons: reasons(d)})
			to, from := now.API(d.Of.Name), was.API(d.Of.Name)
			has, had := resourcesOf(now, to), resourcesOf(was, from)
			all.paths(contract.Created, to, has, had)
			all.paths(contract.Deleted, from, had, has)
		default:
			tell(contract.Event{Kind: kindOf(d.Operation), Of: d.Of, Text: resource(d.Of), Reasons: reasons(d)})
		}
	}
}

// changes are the differences that are being reported.
type changes struct {
	functions map[string]diff.Operation
	// reported are the functions that were reported with a path.
	reported map[string]bool
	tell     func(contract.Event)
}

func resourcesOf(b *model.Backend, api *access.API) [][]model.PathResource {
	if api == nil {
		return nil
	}
	return b.APIResources(api)
}

// paths reports the resources of an API's paths that are on one side of the push and missing on the other.
func (c changes) paths(kind contract.EventKind, api *access.API, resources, other [][]model.PathResource) {
	known := make(map[model.PathResource]bool)
	for _, r := range slices.Concat(other...) {
		known[r] = true
	}
	operation := diff.ToCreate
	if kind == contract.Deleted {
		operation = diff.ToDelete
	}
	for i, list := range resources {
		p := api.Paths[i]
		whole := c.functions[p.Function] == operation && !c.reported[p.Function]
		for _, r := range list {
			of := model.Ref{Kind: model.KindPath, API: api.Label, Name: p.Name}
			if r.Kind == handlerFunction || r.Kind == logGroup {
				if !whole {
					continue
				}
				c.reported[p.Function] = true
				of = model.Ref{Kind: model.KindFunction, Name: p.Function}
			} else if known[r] {
				continue
			}
			c.tell(contract.Event{Kind: kind, Of: of, Text: r.Kind + " " + r.Name})
		}
	}
}

func kindOf(o diff.Operation) contract.EventKind {
	switch o {
	case diff.ToCreate:
		return contract.Created
	case diff.ToDelete:
		return contract.Deleted
	}
	return contract.Updated
}

// reasons returns the reasons of an update; a new resource needs none.
func reasons(d diff.Difference) []string {
	if d.Operation != diff.ToUpdate {
		return nil
	}
	return d.Reasons
}

// resource returns the name of a part of the backend for people.
func resource(of model.Ref) string {
	switch of.Kind {
	case model.KindAuth:
		return "user pool"
	case model.KindData:
		return "data API"
	case model.KindFunction:
		return handlerFunction + " " + phrase.Quote(of.Name)
	}
	return of.String()
}

// warnIncomplete warns of each section of the client configuration file that lacks required fields.
func warnIncomplete(waiting map[string][]string, tell func(contract.Event)) {
	for _, section := range slices.Sorted(maps.Keys(waiting)) {
		fields := make([]string, len(waiting[section]))
		for i, field := range waiting[section] {
			fields[i] = phrase.Quote(field)
		}
		is := " is missing; give it with: "
		if len(fields) > 1 {
			is = " are missing; give them with: "
		}
		command := "gatewright add output"
		of := model.Ref{Kind: model.KindOutput}
		for _, kind := range []model.Kind{model.KindAuth, model.KindData, model.KindStorage} {
			if section == string(kind) {
				command, of = "gatewright update "+section, model.Ref{Kind: kind}
			}
		}
		tell(contract.Event{
			Kind: contract.Warned, Of: of,
			Text: "the client configuration file has no " + phrase.Quote(section) + ": " + strings.Join(fields, ", ") + is +
				command,
		})
	}
}
