package check

import (
	"fmt"
	"slices"
	"strings"

	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/model/clientfile"
)

// accountLength is how many digits the id of a cloud account has.
const accountLength = 12

// CheckEnvironment checks one environment and its references.
func (c *Checker) CheckEnvironment(e *model.Environment) []*model.Problem {
	of := model.Ref{Kind: model.KindEnvironment, Name: e.Name}
	found := findings{of, readName(of)}
	once := func(seen map[string]bool, pointer, name string) {
		if seen[name] {
			found.say(pointer, "list it once", "%s is listed twice", phrase.Quote(name))
		}
		seen[name] = true
	}
	if !slices.Contains(model.Providers, e.Provider) {
		found.say("/provider", "use "+phrase.Either(model.Providers), "%s is not a provider",
			phrase.Quote(string(e.Provider)))
	}
	if e.Account != "" && (len(e.Account) != accountLength || strings.Trim(e.Account, "0123456789") != "") {
		found.say("/account", "give its 12 digits", "%s is not the id of an account", phrase.Quote(e.Account))
	}
	if e.Region != "" {
		found.rule("/region", model.CheckRegion(e.Region))
	}
	apis := make(map[string]bool)
	for i, label := range e.APIs {
		pointer := fmt.Sprintf("/apis/%d", i)
		once(apis, pointer, label)
		found.add(c.reference(of, pointer, model.KindAPI, label)...)
	}
	parameters := make(map[string]bool)
	for _, p := range e.Parameters {
		once(parameters, "/parameters/"+model.PointerSegment(p.Name), p.Name)
	}
	functions := make(map[string]bool)
	for _, v := range e.Variables {
		pointer := "/variables/" + model.PointerSegment(v.Function)
		once(functions, pointer, v.Function)
		found.add(c.reference(of, pointer, model.KindFunction, v.Function)...)
		values := make(map[string]bool)
		for _, value := range v.Values {
			at := pointer + "/" + model.PointerSegment(value.Name)
			if err := model.CheckVariableName(value.Name); err != nil {
				found.rule(at, err)
			} else if ReservedVariable(value.Name) {
				found.add(atVariableIn(&model.Problem{Text: reservedText, Fix: reservedFix, Level: c.refusedLevel()},
					e, v.Function, value.Name))
			}
			once(values, at, value.Name)
		}
	}
	found.add(c.CheckReferencesIn(e)...)
	if e.Data != nil {
		found.add(clientfile.CheckPart(of, model.KindData, e.Data)...)
	}
	if e.Storage != nil {
		found.add(clientfile.CheckPart(of, model.KindStorage, e.Storage)...)
	}
	return found.problems
}

// Branch checks that no other environment has the branch of e.
func Branch(b *model.Backend, e *model.Environment) []*model.Problem {
	for _, other := range b.Environments {
		if other.Name != e.Name && other.BranchName() == e.BranchName() {
			return []*model.Problem{branchProblem(e, other)}
		}
	}
	return nil
}

func branchProblem(e, other *model.Environment) *model.Problem {
	return &model.Problem{
		Of: model.Ref{Kind: model.KindEnvironment, Name: e.Name}, Pointer: "/branch",
		Text: "has the same branch " + phrase.Quote(e.BranchName()) + " as environment " + phrase.Quote(other.Name),
		Fix:  "give each environment a branch of its own",
	}
}
