package plan

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/model/access"
	"gatewright/project/amplify"
	"gatewright/project/read"
)

// refuseAmplify refuses a change of anything but APIs in an Amplify CLI project,
// with the reason and the command of the Amplify CLI.
func (pl *planner) refuseAmplify() error {
	was, next := pl.Backend, pl.next
	refuse := func(text, fix string) error {
		return &read.Problem{File: pl.Layout.String(), Text: text, Fix: fix, Cause: amplify.ErrKept}
	}
	kept := func(what, commands string) error {
		return refuse(what+
			" of an Amplify CLI project are managed by the Amplify CLI, whose templates and state must match",
			"use: "+commands)
	}
	for _, pair := range pl.apiPairs() {
		var had, has []string
		if pair.old != nil {
			had = pair.old.BinaryMediaTypes
		}
		if pair.now != nil {
			has = pair.now.BinaryMediaTypes
		}
		if pair.now != nil && !slices.Equal(had, has) {
			return refuse("the binary media types of an API in an Amplify CLI project are in the template that the Amplify "+
				"CLI generates", amplify.OverrideFix)
		}
	}
	switch {
	case !slices.Equal(was.Functions, next.Functions):
		return kept("the functions", "amplify add, update or remove function")
	case !slices.Equal(was.Tables, next.Tables):
		return kept("the tables", "amplify add, update or remove storage")
	case !slices.Equal(was.Environments, next.Environments):
		return kept("the environments", "amplify env add, update or remove")
	case !slices.Equal(was.Groups, next.Groups) || was.Auth != next.Auth || !slices.Equal(was.Triggers, next.Triggers):
		return kept("the groups and the user pool", "amplify add or update auth")
	case was.Storage != next.Storage:
		return kept("the buckets", "amplify add, update or remove storage")
	case was.Data != next.Data || !slices.Equal(was.Outputs, next.Outputs):
		return refuse("the Amplify CLI writes the client configuration file of its projects",
			"use the Amplify CLI, or create a project in another folder with: gatewright init")
	case was.Project != next.Project:
		return refuse("the settings of an Amplify CLI project are managed by the Amplify CLI",
			"use: amplify configure project")
	}
	return nil
}

// backendConfig plans the entry in backend-config.json of each API that is new, is
// gone, or has other functions or groups, which changes only its dependsOn.
func (pl *planner) backendConfig() error {
	config := pl.Definitions[amplify.BackendConfig]
	if config == nil {
		for _, p := range pl.apiPairs() {
			if p.old == nil {
				pl.note(amplify.BackendConfig,
					"does not exist, so the API %s is neither registered nor deployed", phrase.Quote(p.to))
			}
		}
		return nil
	}
	before, after := make(map[string]any), make(map[string]any)
	for _, p := range pl.apiPairs() {
		if p.old == p.now {
			continue
		}
		entry := map[string]any{"dependsOn": []any{}, "providerPlugin": "awscloudformation", "service": "API Gateway"}
		var was []json.RawMessage
		registered := false
		if p.old != nil {
			have, ok := config.Doc.Find("/api/" + model.PointerSegment(p.from))
			registered = ok
			if ok && (p.now == nil || p.from != p.to) {
				before[p.from] = json.RawMessage(have.Raw())
			}
			if kept, err := model.ParseOutputs(have.Raw()); ok && err == nil {
				entry = kept
			}
			dependsOn, _ := have.Get("dependsOn")
			for _, dependency := range dependsOn.Elements() {
				was = append(was, dependency.Raw())
			}
		}
		if p.now == nil {
			continue
		}
		needed, next := dependencies(config, p.old), dependencies(config, p.now)
		if !registered {
			// The whole entry is written, with all that the API needs.
			needed = nil
		} else if p.from == p.to && p.old != nil {
			if slices.EqualFunc(needed, next, dependency.same) {
				continue
			}
			before[p.from] = map[string]any{"dependsOn": orEmpty(was)}
			entry = map[string]any{}
		}
		entry["dependsOn"] = changedDependencies(was, needed, next)
		after[p.to] = entry
	}
	if len(before) == 0 && len(after) == 0 {
		return nil
	}
	from, err := json.Marshal(map[string]any{"api": before})
	if err != nil {
		return fmt.Errorf("planning %s: %w", amplify.BackendConfig, err)
	}
	to, err := json.Marshal(map[string]any{"api": after})
	if err != nil {
		return fmt.Errorf("planning %s: %w", amplify.BackendConfig, err)
	}
	return pl.edit(amplify.BackendConfig, amplify.BackendConfig, from, to)
}

func orEmpty(list []json.RawMessage) []json.RawMessage {
	if list == nil {
		return []json.RawMessage{}
	}
	return list
}

// dependency is an entry of dependsOn.
type dependency struct {
	Attributes   []string `json:"attributes"`
	Category     string   `json:"category"`
	ResourceName string   `json:"resourceName"`
}

// same reports whether two entries are about the same resource. The attributes of a
// function may differ; in the category auth they say which group is meant.
func (d dependency) same(e dependency) bool {
	return d.Category == e.Category && d.ResourceName == e.ResourceName &&
		(d.Category == "function" || slices.Equal(d.Attributes, e.Attributes))
}

// dependencies returns the resources that an API needs: its functions and, if it names
// groups, the user pool and the role of each group.
func dependencies(config *read.File, api *access.API) []dependency {
	if api == nil {
		return nil
	}
	var list []dependency
	for _, name := range slices.Sorted(slices.Values(api.Functions())) {
		list = append(list, dependency{Attributes: []string{"Name", "Arn"}, Category: "function", ResourceName: name})
	}
	groups := slices.Sorted(slices.Values(api.Groups()))
	if len(groups) == 0 {
		return list
	}
	auth, _ := config.Doc.Find("/auth")
	for name, entry := range auth.Members() {
		if service, _ := entry.Get("service"); service.Text() == "Cognito" {
			list = append(list, dependency{Attributes: []string{"UserPoolId"}, Category: "auth", ResourceName: name})
			break
		}
	}
	for _, group := range groups {
		list = append(list,
			dependency{Attributes: []string{group + "GroupRole"}, Category: "auth", ResourceName: "userPoolGroups"})
	}
	return list
}

// changedDependencies returns the list as read without what next lacks and with what it adds to old. If the groups
// changed, those that the list lacked are added too: the API is not deployed without them.
func changedDependencies(was []json.RawMessage, old, next []dependency) []any {
	list := []any{}
	var have []dependency
	regrouped := !slices.EqualFunc(ofGroups(old), ofGroups(next), dependency.same)
	for _, raw := range was {
		var d dependency
		if json.Unmarshal(raw, &d) == nil {
			if holdsSame(old, d) && !holdsSame(next, d) {
				continue
			}
			have = append(have, d)
		}
		list = append(list, raw)
	}
	for _, d := range next {
		if !holdsSame(have, d) && (!holdsSame(old, d) || regrouped && d.Category == "auth") {
			list = append(list, d)
		}
	}
	return list
}

// ofGroups returns the dependencies in the category auth.
func ofGroups(list []dependency) []dependency {
	return slices.DeleteFunc(slices.Clone(list), func(d dependency) bool { return d.Category != "auth" })
}

func holdsSame(list []dependency, d dependency) bool { return slices.ContainsFunc(list, d.same) }

// noteAmplifyRules notes what the Amplify CLI refuses in each API that is added or changed.
func (pl *planner) noteAmplifyRules() error {
	for _, p := range pl.apiPairs() {
		if p.now == nil || p.now == p.old {
			continue
		}
		file := pl.Layout.APIFile(p.to)
		if p.old == nil && strings.EqualFold(p.to, amplify.AdminQueries) {
			pl.note(file, "has a label that the Amplify CLI reserves; choose another label")
		}
		known := make(map[string]bool)
		if p.old != nil {
			for _, problem := range amplify.Check(p.old) {
				known[problem.Error()] = true
			}
		}
		for _, problem := range amplify.Check(p.now) {
			if !known[problem.Error()] {
				pl.note(file, "%s", strings.TrimPrefix(problem.Error(), model.Ref{Kind: model.KindAPI, Name: p.to}.String()+": "))
			}
		}
	}
	return nil
}
