package check

import (
	"errors"
	"slices"
	"strings"

	"gatewright/model"
	"gatewright/model/access"
)

// accessWarnings makes problems of the lints of a path.
func accessWarnings(api *access.API, p *access.Path, lints []access.Lint) []*model.Problem {
	var problems []*model.Problem
	for _, lint := range lints {
		problem := accessProblem(api, p, model.Warning, lintPointer(lint), lint.Fix, "%s", lint.Text)
		problem.Rule = lint.Rule
		problems = append(problems, problem)
	}
	return problems
}

// lintPointer is the JSON pointer of the place that a lint is about, below `permissions`.
func lintPointer(lint access.Lint) string {
	switch {
	case lint.Rule == access.RuleSeveralGroups:
		return "/groups"
	case lint.Who != nil:
		return "/" + grantKey(*lint.Who)
	}
	return ""
}

// CheckEdited is checkPath for a path that an edit makes, with the lints that it refuses.
func (c *Checker) CheckEdited(api *access.API, p *access.Path) []*model.Problem {
	lints := slices.DeleteFunc(p.Access.Lints(nil, c.Terms()), func(lint access.Lint) bool { return !lint.Refused })
	return append(c.checkPath(api, p), accessWarnings(api, p, lints)...)
}

// unknownRule returns the rule of a reference of a path to something that does not exist.
func unknownRule(p *model.Problem) string {
	if p.Of.Kind != model.KindPath || !errors.Is(p, model.ErrUnknown) || p.Level == model.Error {
		return ""
	}
	if strings.HasSuffix(p.Pointer, "/lambdaFunction") {
		return access.RuleUnknownFunction
	}
	return access.RuleUnknownGroup
}
