package dashboard

import (
	"cmp"
	"fmt"

	"gatewright/model"
	"gatewright/prose"
	"gatewright/tui/theme"
)

func (a *apisTab) detail(t *theme.Theme, i, w int) []string {
	if i == none {
		return nil
	}
	return draw(t, a.told(i), w)
}

// told is what is to be said of a row, the most wanted first.
func (a *apisTab) told(i int) []said {
	r := a.rows[i]
	url, proxy := a.addresses(&r)
	var all []said
	say := func(how tone, text string) { all = append(all, said{how, text}) }
	switch {
	case url != "":
		say(strong, url)
		if proxy != "" {
			say(strong, proxy)
		}
		if url != r.url && r.url != "" {
			say(warning, "the sandbox serves it there now; the last push of "+prose.Fit(a.env.Name)+" said "+r.url)
		}
	case r.path != "":
		// The list may have no room for all of it.
		say(strong, r.path)
	}
	if url == "" && a.env != nil && r.mark != absent && r.mark != added && !a.env.foreign {
		say(muted, a.noEndpoint())
	}
	if r.taken != "" {
		say(muted, model.ProxyOf(r.path)+" is never reached: "+r.taken+" serves what lies below")
	}
	if why := a.why(r); why != "" {
		say(r.mark.tone(), why)
	}
	for _, reason := range r.reasons {
		say(plain, "  "+reason)
	}
	if r.path == "" {
		return append(all, r.about...)
	}
	say(plain, "served by "+r.function+"; "+r.access)
	return append(all, a.aboutFunction(r)...)
}

// aboutFunction says what kind of function serves a path.
func (a *apisTab) aboutFunction(r apiRow) []said {
	f := a.page.snap.backend.Function(r.of.Function)
	if f == nil || !r.there {
		return nil
	}
	timeout, memory := cmp.Or(f.Timeout, model.DefaultTimeout), cmp.Or(f.Memory, model.DefaultMemory)
	return []said{{muted, fmt.Sprintf("%s: %s, handler %s, at most %d s, %d MB", r.function, f.Runtime, fit(f.Handler), timeout, memory)}}
}

// noEndpoint says why there is no endpoint to show.
func (a *apisTab) noEndpoint() string {
	name := prose.Fit(a.env.Name)
	switch {
	case a.env.pushing:
		return "no endpoint while " + name + " is being pushed"
	case a.env.problem != "":
		return a.env.problem
	case a.env.record == nil:
		return "no endpoint yet: " + name + " was never pushed"
	}
	return "no endpoint yet: the last push of " + name + " was without it"
}

// why says what the mark of a row means.
func (a *apisTab) why(r apiRow) string {
	env := ""
	if a.env != nil {
		env = prose.Fit(a.env.Name)
	}
	switch r.mark {
	case unknown:
		return a.untold
	case added:
		return "new: a push of " + env + " makes it"
	case changed:
		return "changed since the last push of " + env
	case served:
		if r.path == "" {
			return "a push of " + env + " changes functions of it"
		}
		return "as it was pushed, but its function changes:"
	case gone:
		return "gone: a push of " + env + " takes it away"
	case absent:
		return env + " does not have this API"
	}
	return "as it was pushed"
}

// aboutAPI says how much there is to an API, and which environments have it; there
// says that the project has it.
func aboutAPI(s *snapshot, api *model.API, there bool) []said {
	functions, restricted := make(map[string]bool), 0
	for _, p := range api.Paths {
		functions[p.Function] = true
		if p.Access.Setting != model.Open {
			restricted++
		}
	}
	text := fmt.Sprintf("%s served by %s; %d with restricted access", model.Count(len(api.Paths), "path"), model.Count(len(functions), "function"), restricted)
	all := []said{{plain, text}}
	if !there {
		return all
	}
	var names []string
	for _, e := range s.environments {
		if e.Has(api.Label) {
			names = append(names, fit(e.Name))
		}
	}
	if len(names) == 0 {
		return append(all, said{warning, "no environment has it"})
	}
	return append(all, said{muted, "in " + model.List(names)})
}
