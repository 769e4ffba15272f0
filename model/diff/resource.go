package diff

import (
	"strconv"

	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/model/access"
)

// environmentChanges returns the reasons why an environment of two backends changes, as far
// as a deployment depends on it: application and branch name its stack, and a local one is
// served at the project's port. values says that the values of parameters are shown.
func environmentChanges(from, to *model.Backend, was, now *model.Environment, values bool) []string {
	if was == nil || now == nil {
		return nil
	}
	reasons := textChange(nil, "application id", from.Project.ApplicationID, to.Project.ApplicationID)
	reasons = textChange(reasons, "branch", was.BranchName(), now.BranchName())
	reasons = textChange(reasons, "provider", string(was.Provider), string(now.Provider))
	reasons = textChange(reasons, "region", from.Region(was), to.Region(now))
	reasons = textChange(reasons, "account", was.Account, now.Account)
	if now.Provider == model.Local {
		reasons = textChange(reasons, "sandbox port", strconv.Itoa(from.Project.Port()), strconv.Itoa(to.Project.Port()))
	}
	return variableChanges(reasons, "parameter", was.Parameters, now.Parameters, values)
}

// functionChanges returns the reasons why a function changes. values says that the values of variables are shown.
func functionChanges(was, now *model.Function, values bool) []string {
	if was == now || was == nil || now == nil {
		return nil
	}
	reasons := textChange(fieldChanges(nil, "", was, now, values), "table", was.Table, now.Table)
	reasons = nameChanges(reasons, "policy", Policies(was), Policies(now))
	for w, n := range access.Pairs(joinedAccess(was.Access), joinedAccess(now.Access),
		func(a model.ResourceAccess) string { return a.Resource }) {
		if gained := n.Actions.Without(w.Actions); gained != 0 {
			reasons = append(reasons, "may "+gained.String()+" "+ResourceWords(n.Resource)+" now")
		}
		if lost := w.Actions.Without(n.Actions); lost != 0 {
			reasons = append(reasons, "may no longer "+lost.String()+" "+ResourceWords(w.Resource))
		}
	}
	return reasons
}

// joinedAccess returns the list with the entries of each resource merged.
func joinedAccess(list []model.ResourceAccess) []model.ResourceAccess {
	at := make(map[string]int, len(list))
	var joined []model.ResourceAccess
	for _, a := range list {
		i, again := at[a.Resource]
		if !again {
			i = len(joined)
			at[a.Resource] = i
			joined = append(joined, model.ResourceAccess{Resource: a.Resource})
		}
		joined[i].Actions |= a.Actions & access.EveryAction
	}
	return joined
}

// ResourceWords names a resource that a function uses: "table items".
func ResourceWords(resource string) string {
	kind, name, actions := model.ResourceOf(resource)
	switch {
	case actions == 0:
		return phrase.Quote(resource)
	case kind == model.KindPool:
		return "users of the pool"
	}
	return model.Ref{Kind: kind, Name: name}.String()
}

// Policies are the statements of a function's policies as people write them.
func Policies(f *model.Function) []string {
	var texts []string
	for _, s := range f.Policies {
		texts = append(texts, s.String())
	}
	return texts
}

// tableChanges returns the reasons why a table changes.
func tableChanges(was, now *model.Table) []string {
	if was == now || was == nil || now == nil {
		return nil
	}
	reasons := fieldChanges(nil, "", was, now, true)
	for w, n := range access.Pairs(was.Indexes, now.Indexes, func(i model.Index) string { return i.Name }) {
		switch {
		case w == model.Index{}:
			reasons = append(reasons, "index "+phrase.Quote(n.Name)+" is new")
		case n == model.Index{}:
			reasons = append(reasons, "index "+phrase.Quote(w.Name)+" is gone")
		default:
			reasons = fieldChanges(reasons, "index "+phrase.Quote(n.Name)+": ", &w, &n, true)
		}
	}
	return streamChanges(reasons, was, now)
}

func keyWords(k model.Key) string {
	if k.Name == "" {
		return ""
	}
	return phrase.Quote(k.Name) + " (" + phrase.Quote(string(k.Type)) + ")"
}
