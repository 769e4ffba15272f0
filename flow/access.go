package flow

import (
	"slices"

	"gatewright/flow/matrix"
	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/model/access"
)

// AccessAnswer is the answer about who may do what under a path. A nil list is no entry for
// the caller; entries that have no effect under the setting are kept.
type AccessAnswer struct {
	Setting access.Setting      `json:"setting,omitempty"`
	Users   []string            `json:"users,omitzero"`
	Guests  []string            `json:"guests,omitzero"`
	Groups  map[string][]string `json:"groups,omitempty"`
}

// accessAnswer returns the answer that gives an access.
func accessAnswer(a access.Access) AccessAnswer {
	answer := AccessAnswer{Setting: a.Setting}
	for _, g := range a.Grants {
		words := []string{}
		for _, action := range g.Actions.List() {
			words = append(words, action.String())
		}
		switch g.To.Kind {
		case access.Authenticated:
			answer.Users = words
		case access.Guest:
			answer.Guests = words
		case access.Group:
			if answer.Groups == nil {
				answer.Groups = make(map[string][]string)
			}
			answer.Groups[g.To.Group] = words
		}
	}
	return answer
}

// entry returns the words of a caller's entry; nil for none.
func (a AccessAnswer) entry(who access.Principal) []string {
	switch who.Kind {
	case access.Guest:
		return a.Guests
	case access.Group:
		return a.Groups[who.Group]
	}
	return a.Users
}

// access returns the access of an answer. The grants of was, the access that the path has
// already, keep their order; new ones follow in the order of precedence of the groups.
func (a AccessAnswer) access(groups []string, was *access.Access) access.Access {
	var callers []access.Principal
	if was != nil {
		for _, g := range was.Grants {
			callers = append(callers, g.To)
		}
	}
	usual := []access.Principal{{Kind: access.Authenticated}, {Kind: access.Guest}}
	for _, group := range groups {
		usual = append(usual, access.Principal{Kind: access.Group, Group: group})
	}
	for _, who := range usual {
		if !slices.Contains(callers, who) {
			callers = append(callers, who)
		}
	}
	rules := access.Access{Setting: a.Setting}
	for _, who := range callers {
		words := a.entry(who)
		if words == nil {
			continue
		}
		var set access.Actions
		for _, word := range words {
			action, _ := access.ParseAction(word)
			set |= access.Actions(action)
		}
		rules.Grants = append(rules.Grants, access.Grant{To: who, Actions: set})
	}
	return rules
}

// was returns the access that the path of the task has; nil for a path that is added.
func (f *Flow) was(path int) *access.Access {
	if api := f.Base.API(f.Task.API); api != nil && path == 0 {
		if p := api.Path(f.Task.Path); p != nil {
			return &p.Access
		}
	}
	return nil
}

// Groups returns the groups that the user pool will have, in order of precedence.
func (f *Flow) Groups() []string {
	if f.now.Groups == nil || !f.Base.Defines(model.KindGroup) {
		return f.Base.Groups
	}
	groups := slices.Clone(f.now.Groups)
	for _, group := range f.Base.Groups {
		// The project may have got it after the answer.
		if !slices.Contains(groups, group) {
			groups = append(groups, group)
		}
	}
	return groups
}

// made returns the groups that the answers add to the pool.
func (f *Flow) made() []string {
	return slices.DeleteFunc(slices.Clone(f.Groups()), func(g string) bool { return slices.Contains(f.Base.Groups, g) })
}

// Matrix returns the matrix of the path with an index.
func (f *Flow) Matrix(path int) matrix.Matrix {
	p := &f.now.Paths[path]
	m := matrix.Matrix{
		Path: p.Path, Access: p.Access.access(f.Groups(), f.was(path)), Groups: f.Groups(), Made: f.made(),
		Before: f.was(path), Terms: f.Base.Terms(),
		GuestsOff: f.Base.Auth != nil && !f.Base.Auth.GuestsEnabled() && f.Base.Defines(model.KindAuth),
	}
	if m.CreateNote = f.Base.CreateNote(p.Existing); p.makesCRUD() {
		m.CreateNote = model.CreateReplaces
	}
	if !f.Base.Defines(model.KindGroup) {
		m.Fixed = "the Amplify CLI manages the groups of this project: " + f.Base.Command("gatewright add group NAME")
	}
	return m
}

// NearPaths is how many other paths of an API are looked at while access is edited.
const NearPaths = 12

// MatrixInAPI is Matrix with what the path takes from other paths of the API, and what they
// take from it: a lower path has a rule of its own.
func (f *Flow) MatrixInAPI(path int) matrix.Matrix {
	api, current := f.Sketch(ID{Kind: accessStep.kind, Path: path}, NearPaths)
	return f.Matrix(path).WithNeighbours(current, api.Paths)
}

// SetMatrix stores the matrix of a path: its access, and the groups for all paths. Undo takes it back.
func (f *Flow) SetMatrix(path int, m matrix.Matrix) {
	f.change(ID{Kind: accessStep.kind, Path: path}, accessKey, func() {
		f.now.Paths[path].Access = accessAnswer(m.Access)
		if !f.Base.Defines(model.KindGroup) || slices.Equal(m.Groups, f.Groups()) {
			return
		}
		f.now.Groups = append([]string{}, m.Groups...)
		// A group that is gone again is gone from all paths.
		for i := range f.now.Paths {
			groups := f.now.Paths[i].Access.Groups
			for group := range groups {
				if !slices.Contains(m.Groups, group) && !f.named(i, group) {
					groups = without(groups, group)
				}
			}
			f.now.Paths[i].Access.Groups = groups
		}
	})
}

// named reports whether the path of the task names a group that the pool does not have.
func (f *Flow) named(path int, group string) bool {
	was := f.was(path)
	return was != nil && slices.Contains(was.Groups(), group)
}

func without(groups map[string][]string, group string) map[string][]string {
	left := make(map[string][]string, len(groups))
	for name, words := range groups {
		if name != group {
			left[name] = words
		}
	}
	return left
}

// accessKey is the key of the matrix's field.
const accessKey = "access"

// accessStep asks who may do what under the path.
var accessStep = &step{
	kind: "access", short: "access",
	title: "Who may do what under %s?",
	about: func(_ ID, p *PathAnswer) string { return phrase.Quote(p.Path) },
	help: "A group with its own row: only that row applies to its members. Of several groups, the lowest number " +
		"applies. All other users have the row of signed-in users.",
	fields: func(*Flow, ID, *PathAnswer) []Field {
		return []Field{{Key: accessKey, Kind: Access}}
	},
	check: func(f *Flow, at ID, _ *PathAnswer) []Fault {
		var faults []Fault
		for _, fault := range f.Matrix(at.Path).Faults() {
			faults = append(faults, Fault{accessKey, fault.Err})
		}
		return faults
	},
}
