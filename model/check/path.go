package check

import (
	"fmt"

	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/model/access"
)

// pathProblem returns a problem of a path, with the pointer of its entry in the API's file.
func pathProblem(api *access.API, p *access.Path, level model.Level, fix, text string, args ...any) *model.Problem {
	return &model.Problem{
		Of: model.Ref{Kind: model.KindPath, API: api.Label, Name: p.Name}, Pointer: "/paths/" + model.PointerSegment(p.Name),
		Field: "path", Text: fmt.Sprintf(text, args...), Fix: fix, Level: level,
	}
}

// Conflict says that an API cannot have a path next to another.
func Conflict(api *access.API, c access.Conflict) *model.Problem {
	switch c.Kind {
	case access.SameProxy:
		return pathProblem(api, c.Path, model.Error, "remove one of them",
			"/ and the reserved %s have the same proxy resource", access.ProxyPath)
	case access.OtherVariable:
		fix := fmt.Sprintf("write {%s} in both", c.Name)
		if greedy := "proxy+"; c.Name == greedy || c.Given == greedy {
			fix = "remove the path with {" + greedy + "}: every path has it already"
		}
		return pathProblem(api, c.Path, model.Error, fix,
			"has the variable {%s} where %s has {%s}", c.Given, phrase.Quote(c.Other.Name), c.Name)
	}
	return pathProblem(api, c.Path, model.Error, "remove one, or give it another path", "is the same route as %s",
		phrase.Quote(c.Other.Name))
}
