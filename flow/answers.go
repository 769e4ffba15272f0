// Package flow is the wizard without a terminal: which questions are asked, in
// which order, what each answer means, and the backend that the answers make.
// Screens and the plain-line prompts ask the same questions through it.
//
// Answers are kept whatever the way through them: going back never checks and
// never loses one, and an answer whose question is not asked at the moment waits
// until it is asked again.
package flow

import (
	"cmp"
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

// functionName is the new function's name: what was said, or a proposal.
func (p PathAnswer) functionName() string {
	return cmp.Or(p.Function.Name, suggestedName(p.Path))
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

func (p PathAnswer) makesFunction() bool { return p.Source == NewFunction }

func (p PathAnswer) makesCRUD() bool {
	return p.makesFunction() && p.Function.Template == string(model.CRUD)
}

func (p PathAnswer) makesTable() bool {
	return p.makesCRUD() && p.Function.Table.Name == NewTable
}

// makes is the name of what the path adds of a kind; "" for nothing.
func (p PathAnswer) makes(kind model.Kind) string {
	switch {
	case kind == model.KindFunction && p.makesFunction():
		return p.functionName()
	case kind == model.KindTable && p.makesTable():
		return p.Function.Table.New
	case kind == model.KindGroup && p.letsGroups():
		return p.NewGroup
	}
	return ""
}

func (p PathAnswer) restricts() bool { return p.Restrict == Yes }

func (p PathAnswer) letsGuests() bool {
	return p.restricts() && (p.Who == ForGuests || p.Who == ForAll)
}

func (p PathAnswer) letsGroups() bool {
	return p.restricts() && (p.Who == ForGroups || p.Who == ForBoth || p.Who == ForAll)
}

// groups are the chosen groups, the new one last.
func (p PathAnswer) groups() []string {
	if p.NewGroup == "" || slices.Contains(p.Groups, p.NewGroup) {
		return p.Groups
	}
	return append(slices.Clone(p.Groups), p.NewGroup)
}

// principals are those that the answers grant something to.
func (p PathAnswer) principals() []model.Principal {
	var list []model.Principal
	if p.restricts() && p.Who != ForGroups {
		list = append(list, model.Principal{Kind: model.Authenticated})
	}
	if p.letsGuests() {
		list = append(list, model.Principal{Kind: model.Guest})
	}
	if p.letsGroups() {
		for _, g := range p.groups() {
			list = append(list, model.Principal{Kind: model.Group, Group: g})
		}
	}
	return list
}

// keyOf is what the actions of a principal are kept under.
func keyOf(who model.Principal) string {
	switch who.Kind {
	case model.Guest:
		return "guest"
	case model.Group:
		return "group " + who.Group
	}
	return "auth"
}

// usualPath are the answers that a path begins with.
func (f *Flow) usualPath() PathAnswer {
	p := PathAnswer{Source: NewFunction, Restrict: Yes, Who: ForUsers, Another: No}
	p.Function = FunctionAnswer{Runtime: string(model.NodeJS), Template: string(model.Express), Advanced: No}
	if f.Base.AmplifyCLI {
		p.Source = ExistingFunction
	}
	return p
}

// answered are the answers that would have made a path.
func (f *Flow) answered(p *model.Path) PathAnswer {
	a := f.usualPath()
	a.Path, a.Source, a.Existing, a.Actions = p.Name, ExistingFunction, p.Function, make(map[string][]string)
	if p.Access.Setting == model.Open {
		a.Restrict = No
		return a
	}
	a.Groups = p.Access.Groups()
	for _, g := range p.Access.Grants {
		for _, action := range g.Actions.List() {
			a.Actions[keyOf(g.To)] = append(a.Actions[keyOf(g.To)], action.String())
		}
	}
	_, users := p.Access.Grant(model.Principal{Kind: model.Authenticated})
	_, guests := p.Access.Grant(model.Principal{Kind: model.Guest})
	switch groups := len(a.Groups) > 0; {
	case guests && groups:
		a.Who = ForAll
	case guests:
		a.Who = ForGuests
	case groups && users:
		a.Who = ForBoth
	case groups:
		a.Who = ForGroups
	}
	return a
}

// Sample are answers to every question: a small bookshop with a list that guests
// may read, an item by its number, and orders that only a group may change.
func Sample() Answers {
	function := func(name, template string) FunctionAnswer {
		return FunctionAnswer{Name: name, Runtime: "nodejs", Template: template, Advanced: No}
	}
	books := function("books", "crud")
	books.Table = TableAnswer{Name: NewTable, New: "books", Partition: "isbn", PartitionKey: "string", SortKey: "string"}
	everything := []string{"create", "read", "update", "delete"}
	return Answers{
		Service: REST, Label: "bookshop", Project: ProjectAnswer{Name: "bookshop"},
		Paths: []PathAnswer{
			{
				Path: "/books", Source: NewFunction, Function: books, Restrict: Yes, Who: ForAll, NewGroup: "Sellers", Another: Yes,
				Actions: map[string][]string{"auth": {"read"}, "guest": {"read"}, "group Sellers": everything},
			},
			{
				Path: "/orders", Source: NewFunction, Function: function("orders", "express"), Restrict: Yes, Who: ForBoth, NewGroup: "Sellers", Another: Yes,
				Actions: map[string][]string{"auth": {"create", "read"}, "group Sellers": everything},
			},
			{Path: "/health", Source: NewFunction, Function: function("health", "plain"), Restrict: No, Another: No},
		},
	}
}
