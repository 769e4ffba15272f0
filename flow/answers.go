// Package flow is the wizard without a terminal: which questions are asked, in
// which order, what each answer means, and the backend that the answers make.
// Screens and the plain-line prompts ask the same questions through it.
//
// Answers are kept whatever the way through them: going back never checks and
// never loses one, and an answer whose question is not asked at the moment waits
// until it is asked again.
package flow

import (
	"maps"
	"slices"
	"strings"

	"gatewright/model"
)

// Answers are everything that a person said. They are a draft: what is in them
// may be wrong or unfinished. Secret values are never part of them.
type Answers struct {
	Service string `json:"service,omitempty"`
	// Project is asked for where there is none.
	Project ProjectAnswer `json:"project"`
	Label   string        `json:"label,omitempty"`
	Paths   []PathAnswer  `json:"paths"`
	// Environments have the API; nil while nobody said which, which means all.
	Environments []string `json:"environments,omitempty"`
	// NewEnvironment is one to make on the spot.
	NewEnvironment string `json:"newEnvironment,omitempty"`
}

// ProjectAnswer is what a new project is called.
type ProjectAnswer struct {
	Name   string `json:"name,omitempty"`
	Region string `json:"region,omitempty"`
}

// PathAnswer is what was said about one path.
type PathAnswer struct {
	Path string `json:"path,omitempty"`
	// Source is NewFunction or ExistingFunction.
	Source   string         `json:"source,omitempty"`
	Function FunctionAnswer `json:"function"`
	Existing string         `json:"existing,omitempty"`
	// Restrict is "yes", "no" or "" while it is not said.
	Restrict string `json:"restrict,omitempty"`
	// Who is one of ForUsers, ForGuests, ForGroups, ForBoth, ForAll.
	Who      string   `json:"who,omitempty"`
	Groups   []string `json:"groups,omitempty"`
	NewGroup string   `json:"newGroup,omitempty"`
	// Actions are the words of the actions by principal: "auth", "guest", or
	// "group NAME".
	Actions map[string][]string `json:"actions,omitempty"`
	// Another is "yes" where one more path follows.
	Another string `json:"another,omitempty"`
}

// FunctionAnswer is what was said about a new function.
type FunctionAnswer struct {
	Name     string      `json:"name,omitempty"`
	Deployed string      `json:"deployed,omitempty"`
	Runtime  string      `json:"runtime,omitempty"`
	Template string      `json:"template,omitempty"`
	Table    TableAnswer `json:"table"`
	// Advanced is "yes" where the settings below were asked for.
	Advanced    string   `json:"advanced,omitempty"`
	Timeout     string   `json:"timeout,omitempty"`
	Memory      string   `json:"memory,omitempty"`
	Schedule    string   `json:"schedule,omitempty"`
	Layers      string   `json:"layers,omitempty"`
	Environment string   `json:"environment,omitempty"`
	Secrets     string   `json:"secrets,omitempty"`
	Access      []string `json:"access,omitempty"`
}

// TableAnswer is what was said about the table of a CRUD function.
type TableAnswer struct {
	// Name is a table of the project, or NewTable.
	Name         string `json:"name,omitempty"`
	New          string `json:"new,omitempty"`
	Partition    string `json:"partition,omitempty"`
	PartitionKey string `json:"partitionKey,omitempty"`
	Sort         string `json:"sort,omitempty"`
	SortKey      string `json:"sortKey,omitempty"`
}

// The words that choices are kept as.
const (
	REST             = "REST"
	Yes              = "yes"
	No               = "no"
	NewFunction      = "new"
	ExistingFunction = "existing"
	ForUsers         = "users"
	ForGuests        = "guests"
	ForGroups        = "groups"
	ForBoth          = "both"
	ForAll           = "all"
	// NewTable cannot be a table's name.
	NewTable = "+"
)

// clone is a copy that shares nothing which an answer writes to.
func (a Answers) clone() Answers {
	a.Environments = slices.Clone(a.Environments)
	a.Paths = slices.Clone(a.Paths)
	for i := range a.Paths {
		p := &a.Paths[i]
		p.Groups = slices.Clone(p.Groups)
		p.Function.Access = slices.Clone(p.Function.Access)
		p.Actions = maps.Clone(p.Actions)
	}
	return a
}

// functionName is the new function's name: what was said, or what the path
// suggests.
func (p PathAnswer) functionName() string {
	if p.Function.Name != "" {
		return p.Function.Name
	}
	return suggestedName(p.Path)
}

// suggestedName names a function after the last segment of a path that is no
// variable.
func suggestedName(path string) string {
	name := "root"
	for part := range strings.SplitSeq(path, "/") {
		if part != "" && part[0] != '{' {
			name = model.SuggestName(part, name)
		}
	}
	return name
}

// principals are those that a path's answers grant something to, with the key
// that their actions are kept under.
func (p PathAnswer) principals() []principal {
	var list []principal
	if p.Restrict != Yes {
		return nil
	}
	if p.Who != ForGroups {
		list = append(list, principal{"auth", model.Principal{Kind: model.Authenticated}})
	}
	if p.Who == ForGuests || p.Who == ForAll {
		list = append(list, principal{"guest", model.Principal{Kind: model.Guest}})
	}
	if p.asksGroups() {
		for _, g := range p.groups() {
			list = append(list, principal{"group " + g, model.Principal{Kind: model.Group, Group: g}})
		}
	}
	return list
}

func (p PathAnswer) asksGroups() bool {
	return p.Who == ForGroups || p.Who == ForBoth || p.Who == ForAll
}

// groups are the chosen groups, the new one last.
func (p PathAnswer) groups() []string {
	groups := slices.Clone(p.Groups)
	if p.NewGroup != "" && !slices.Contains(groups, p.NewGroup) {
		groups = append(groups, p.NewGroup)
	}
	return groups
}

type principal struct {
	key string
	who model.Principal
}
