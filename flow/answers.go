// Package flow is the wizard without a terminal: its questions and their order, the
// answers, and the backend that they make. The screens and the plain lines of
// --accessible ask the same questions through it.
//
// No answer is lost on the way. Going back does not check answers, and the answer to a
// question that another answer makes unnecessary stays until the question is asked again.
package flow

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"gatewright/model"
)

// Answers holds all answers. They may be wrong or unfinished, and a draft saves them
// as they are. They never hold the values of secrets.
type Answers struct {
	Service string `json:"service,omitempty"`
	// Project is asked for if there is no project yet.
	Project ProjectAnswer `json:"project"`
	Label   string        `json:"label,omitempty"`
	Paths   []PathAnswer  `json:"paths"`
	// Environments are those that get the API; nil, for an unanswered question, means
	// all.
	Environments []string `json:"environments,omitempty"`
	// NewEnvironment is added to the project; "" adds none.
	NewEnvironment string `json:"newEnvironment,omitempty"`
}

// ProjectAnswer describes a new project.
type ProjectAnswer struct {
	Name   string `json:"name,omitempty"`
	Region string `json:"region,omitempty"`
}

// PathAnswer holds the answers about one path.
type PathAnswer struct {
	Path string `json:"path,omitempty"`
	// Source is NewFunction or ExistingFunction.
	Source   string         `json:"source,omitempty"`
	Function FunctionAnswer `json:"function"`
	Existing string         `json:"existing,omitempty"`
	// Restrict is Yes, No, or "" before it is answered.
	Restrict string `json:"restrict,omitempty"`
	// Who is one of ForUsers, ForGuests, ForGroups, ForBoth, ForAll.
	Who      string   `json:"who,omitempty"`
	Groups   []string `json:"groups,omitempty"`
	NewGroup string   `json:"newGroup,omitempty"`
	// Actions has the names of the granted actions; its keys are "auth", "guest" and
	// "group NAME".
	Actions map[string][]string `json:"actions,omitempty"`
	// Another is Yes if one more path follows.
	Another string `json:"another,omitempty"`
}

// FunctionAnswer holds the answers about a new function.
type FunctionAnswer struct {
	Name     string      `json:"name,omitempty"`
	Deployed string      `json:"deployed,omitempty"`
	Runtime  string      `json:"runtime,omitempty"`
	Template string      `json:"template,omitempty"`
	Table    TableAnswer `json:"table"`
	// Advanced is Yes if the settings below are asked for.
	Advanced    string   `json:"advanced,omitempty"`
	Timeout     string   `json:"timeout,omitempty"`
	Memory      string   `json:"memory,omitempty"`
	Schedule    string   `json:"schedule,omitempty"`
	Layers      string   `json:"layers,omitempty"`
	Environment string   `json:"environment,omitempty"`
	Secrets     string   `json:"secrets,omitempty"`
	Access      []string `json:"access,omitempty"`
}

// TableAnswer holds the answers about the table of a CRUD function.
type TableAnswer struct {
	// Name is the name of a table of the project, or NewTable.
	Name         string `json:"name,omitempty"`
	New          string `json:"new,omitempty"`
	Partition    string `json:"partition,omitempty"`
	PartitionKey string `json:"partitionKey,omitempty"`
	Sort         string `json:"sort,omitempty"`
	SortKey      string `json:"sortKey,omitempty"`
}

// The keys of choices.
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
	// NewTable is no valid name of a table.
	NewTable = "+"
)

// clone returns a copy; storing an answer in it does not change a.
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

// functionName returns the new function's name: the answer, or the suggestion.
func (p PathAnswer) functionName() string {
	return cmp.Or(p.Function.Name, suggestedName(p.Path))
}

// suggestedName names a function after the last segment of a path that is not a
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

// addedName returns the name of the thing of a kind that the path adds; "" if it adds
// none.
func (p PathAnswer) addedName(kind model.Kind) string {
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

// groups returns the chosen groups, with the new one last.
func (p PathAnswer) groups() []string {
	if p.NewGroup == "" || slices.Contains(p.Groups, p.NewGroup) {
		return p.Groups
	}
	return append(slices.Clone(p.Groups), p.NewGroup)
}

// principals returns whom the answers give access.
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

// keyOf returns the key of a principal in PathAnswer.Actions.
func keyOf(who model.Principal) string {
	switch who.Kind {
	case model.Guest:
		return "guest"
	case model.Group:
		return "group " + who.Group
	}
	return "auth"
}

// defaultPath returns the answers that a new path begins with.
func (f *Flow) defaultPath() PathAnswer {
	p := PathAnswer{Source: NewFunction, Restrict: Yes, Who: ForUsers, Another: No}
	p.Function = FunctionAnswer{Runtime: string(model.NodeJS), Template: string(model.Express), Advanced: No}
	if f.Base.AmplifyCLI {
		p.Source = ExistingFunction
	}
	return p
}

// answersOf returns the answers that would make a path as it is.
func (f *Flow) answersOf(p *model.Path) PathAnswer {
	a := f.defaultPath()
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

// Sample returns answers to every question. They make a bookshop with books that
// guests may read, orders that only a group may change, and an open health check.
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
