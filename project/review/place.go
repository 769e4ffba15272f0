package review

import (
	"gatewright/model"
	"gatewright/model/access"
	"gatewright/project"
	"gatewright/project/validate"
)

// places finds the places that do something. A project may be nil. was and now return the routers of both states.
type places struct {
	base, head *project.Project
	was, now   func(api string) *access.Router
}

// locate returns the place of a thing in the state after, or before, the change.
func (at places) locate(before bool, of model.Ref, pointer string) Place {
	p := at.head
	if before {
		p = at.base
	}
	if p == nil {
		return Place{}
	}
	found := validate.Located(p, []*model.Problem{{Of: of, Pointer: pointer}})[0]
	return Place{File: found.File, Line: found.Line, Column: found.Column, Before: before}
}

// of returns the place that makes a difference in access: in Head, if what serves the requests
// is there, else in Base.
func (at places) of(d access.Difference) Place {
	was, now := served(at.was(d.API), d), served(at.now(d.API), d)
	if above := at.above(d); above != "" && was != nil && now != nil && was.Name == now.Name {
		was, now = at.base.Backend.API(d.API).Path(above), at.head.Backend.API(d.API).Path(above)
	}
	api := model.Ref{Kind: model.KindAPI, Name: d.API}
	switch {
	case now == nil && was == nil:
		return at.locate(false, api, "")
	case now == nil:
		if at.now(d.API) == nil {
			return at.locate(true, api, "")
		}
		return at.locate(true, pathRef(d.API, was.Name), pointerTo(was.Name))
	case was == nil || was.Name != now.Name:
		return at.locate(false, pathRef(d.API, now.Name), pointerTo(now.Name))
	case was.Access.Setting == now.Access.Setting &&
		len(access.Changes(was.Access, now.Access, at.head.Backend.Terms())) == 0:
		// The path is as it was, so that it is the users.
		if d.Who.Kind == access.Guest || d.Anybody {
			return at.guests()
		}
		return at.locate(false, model.Ref{Kind: model.KindAuth}, "/groups")
	}
	return at.locate(false, pathRef(d.API, now.Name), pointerTo(now.Name)+"/permissions"+entry(d, was.Access, now.Access))
}

// above names the path above what serves the requests whose grant makes the difference; "" for none.
func (at places) above(d access.Difference) string {
	router := at.now(d.API)
	if !d.Gained {
		router = at.was(d.API)
	}
	if router == nil || len(d.Methods) == 0 {
		return ""
	}
	if by := router.Decide(d.Caller(), d.Methods[0], d.Raw); by.Above != nil {
		return by.Above.Name
	}
	return ""
}

// entry returns the place of the entry below the permissions that makes a difference.
func entry(d access.Difference, was, now access.Access) string {
	had, named := was.Grant(d.Who)
	has, names := now.Grant(d.Who)
	switch {
	case d.Anybody, had == has && named == names:
		return "/setting"
	case d.Who.Kind == access.Guest:
		return "/guest"
	case d.Who.Kind == access.Authenticated:
		return "/auth"
	}
	return "/groups/" + model.PointerSegment(d.Who.Group)
}

// guests returns the place that says whether guests have an identity.
func (at places) guests() Place {
	if at.head != nil && at.head.Amplify != nil {
		if file := at.head.Amplify.AuthFile(); file != "" {
			return Place{File: file}
		}
	}
	return at.locate(false, model.Ref{Kind: model.KindAuth}, "/unauthenticated_identities_enabled")
}

func pathRef(api, name string) model.Ref {
	return model.Ref{Kind: model.KindPath, API: api, Name: name}
}

func pointerTo(name string) string { return "/paths/" + model.PointerSegment(name) }

// served returns the path that serves the example of a difference; nil for none.
func served(router *access.Router, d access.Difference) *access.Path {
	if router == nil || len(d.Methods) == 0 {
		return nil
	}
	route, ok := router.Match(d.Methods[0], d.Raw)
	if !ok {
		return nil
	}
	return route.Path
}
