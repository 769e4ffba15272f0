// Package flow is the wizard without a terminal: its questions and their order, the
// answers, and the backend that they make. The screens and the plain lines of
// --accessible ask the same questions through it.
//
// No answer is lost on the way. Going back does not check answers, and the answer to a
// question that another answer makes unnecessary stays until the question is asked again.
//
// A new step is a value of type step in one of the three lists of question.go: title, help,
// when it is asked, its fields with the places where their answers are stored, and its check,
// which names the field of each fault. Screens and plain lines ask it without further code.
// What its answers mean goes into backend.go.
package flow

import (
	"maps"
	"slices"

	"gatewright/model"
	"gatewright/model/access"
)

// Answers holds all answers. They may be wrong or unfinished, and a draft saves them
// as they are. They never hold the values of secrets.
type Answers struct {
	Service string `json:"service,omitempty"`
	// Project is asked for if there is no project yet.
	Project ProjectAnswer `json:"project"`
	Label   string        `json:"label,omitempty"`
	// BinaryMediaTypes is a list of media types, separated by commas.
	BinaryMediaTypes string       `json:"binaryMediaTypes,omitempty"`
	Paths            []PathAnswer `json:"paths"`
	// Groups are the groups of the user pool in order of precedence, the new ones among
	// them; nil, for an unanswered question, means those that the pool has.
	Groups []string `json:"groups,omitzero"`
	// Environments are those that get the API; nil, for an unanswered question, means
	// all.
	Environments []string `json:"environments,omitzero"`
	// NewEnvironments is a list of names, separated by commas, that are added to the
	// project.
	NewEnvironments string `json:"newEnvironments,omitempty"`
	// Typed are names of groups that are being typed and not added yet.
	Typed string `json:"typed,omitempty"`
	// Answered are the steps that the person has gone on from.
	Answered []ID `json:"answered,omitempty"`
	// From is what the project had when it was read, of what the answers may change.
	From *Origin `json:"from,omitempty"`
}

// Origin is what a project had of what answers may change. It is never changed.
type Origin struct {
	// Path makes the path of the task as it was; nil for none.
	Path   *PathAnswer `json:"path,omitempty"`
	Groups []string    `json:"groups,omitempty"`
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
	// Access is who may do what under the path.
	Access AccessAnswer `json:"access"`
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
	// NewTable is no valid name of a table.
	NewTable = "+"
)

// clone returns a copy; storing an answer in it does not change a.
func (a Answers) clone() Answers {
	a.Groups = slices.Clone(a.Groups)
	a.Environments = slices.Clone(a.Environments)
	a.Answered = slices.Clone(a.Answered)
	a.Paths = slices.Clone(a.Paths)
	for i := range a.Paths {
		p := &a.Paths[i]
		p.Function.Access = slices.Clone(p.Function.Access)
		p.Access.Groups = maps.Clone(p.Access.Groups)
	}
	return a
}

func (p PathAnswer) makesFunction() bool { return p.Source == NewFunction }

func (p PathAnswer) makesCRUD() bool {
	return p.makesFunction() && p.Function.Template == string(model.CRUD)
}

func (p PathAnswer) makesTable() bool {
	return p.makesCRUD() && p.Function.Table.Name == NewTable
}

// defaultPath returns the answers that a new path begins with: a new function for which
// signed-in users may read, the least that is of use.
func (f *Flow) defaultPath() PathAnswer {
	p := PathAnswer{
		Source: NewFunction, Another: No,
		Access: AccessAnswer{Setting: access.Private, Users: []string{access.Read.String()}},
	}
	p.Function = FunctionAnswer{
		Runtime: string(model.NodeJS), Template: string(model.Plain), Advanced: No,
		Table: TableAnswer{Name: NewTable, PartitionKey: string(model.StringKey), SortKey: string(model.StringKey)},
	}
	if !f.Base.Defines(model.KindFunction) {
		p.Source = ExistingFunction
	}
	return p
}

// answersOf returns the answers that would make a path as it is.
func (f *Flow) answersOf(p *access.Path) PathAnswer {
	a := f.defaultPath()
	a.Path, a.Source, a.Existing, a.Access = p.Name, ExistingFunction, p.Function, accessAnswer(p.Access)
	return a
}

// Sample returns answers to every question. They make a bookshop with books that
// guests may read, orders that only a group may change, and an open health check.
func Sample() Answers {
	function := func(name, template string) FunctionAnswer {
		return FunctionAnswer{Name: name, Runtime: "nodejs", Template: template, Advanced: No}
	}
	orders := function("orders", "crud")
	orders.Table = TableAnswer{Name: NewTable, New: "orders", Partition: "id", PartitionKey: "string", SortKey: "string"}
	sellers := map[string][]string{"Sellers": {"create", "read", "update", "delete"}}
	return Answers{
		Service: REST, Label: "bookshop", Project: ProjectAnswer{Name: "bookshop"}, Groups: []string{"Sellers"},
		Paths: []PathAnswer{
			{
				Path: "/books", Source: NewFunction, Function: function("books", "plain"), Another: Yes,
				Access: AccessAnswer{Setting: access.Protected, Users: []string{"read"}, Guests: []string{"read"}, Groups: sellers},
			},
			{
				Path: "/orders", Source: NewFunction, Function: orders, Another: Yes,
				Access: AccessAnswer{Setting: access.Private, Users: []string{"create", "read"}, Groups: sellers},
			},
			{
				Path: "/health", Source: NewFunction, Function: function("health", "plain"), Another: No,
				Access: AccessAnswer{Setting: access.Open},
			},
		},
	}
}
