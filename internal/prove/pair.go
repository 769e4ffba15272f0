package prove

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/model/access"
)

// paired are the two sides of one API.
type paired struct {
	api *API
	own *access.API
}

// pair finds which API of the template is which of the project: by name, or because there is
// one on each side. What is in force has the names of the project, so that another name is
// another API. What is on one side only is a difference that cannot be compared.
func pair(d *Deployment, b *model.Backend, options Options, r *Report) []paired {
	only, mine := options.API, cmp.Or(options.Project, "the project")
	own := slices.DeleteFunc(slices.Clone(b.APIs), func(api *access.API) bool { return only != "" && api.Label != only })
	left := slices.Clone(d.APIs)
	var pairs []paired
	matches := []func(name, label string) bool{
		func(name, label string) bool { return name == label },
		func(name, label string) bool { return strings.HasPrefix(name, label+"-") },
		func(name, label string) bool { return strings.HasPrefix(plainly(name), plainly(label)) },
		func(name, label string) bool { return strings.Contains(plainly(name), plainly(label)) },
	}
	labelled := d.place != nil && !d.place.Foreign
	if labelled {
		matches = matches[:1]
	}
	for _, match := range matches {
		own = slices.DeleteFunc(own, func(api *access.API) bool {
			i := slices.IndexFunc(left, func(a *API) bool { return match(a.Name, api.Label) || match(a.ID, api.Label) })
			if i < 0 {
				return false
			}
			pairs = append(pairs, paired{left[i], api})
			left = slices.Delete(left, i, i+1)
			return true
		})
	}
	if !labelled && len(own) == 1 && len(left) > 0 {
		if i := likest(left, own[0]); i >= 0 {
			pairs, own, left = append(pairs, paired{left[i], own[0]}), nil, slices.Delete(left, i, i+1)
		}
	}
	for _, api := range own {
		r.Undecided = append(r.Undecided,
			fmt.Sprintf("the API %s of %s is not in %s", phrase.Quote(api.Label), mine, d.name()))
	}
	if only != "" {
		return pairs
	}
	for _, api := range left {
		r.Undecided = append(r.Undecided,
			fmt.Sprintf("the API %s of %s is not in %s", phrase.Quote(api.Name), d.name(), mine))
	}
	return pairs
}

// likest finds the API that has the most paths of one of the project: the only one, or -1 if none
// has more than the others.
func likest(all []*API, own *access.API) int {
	if len(all) == 1 {
		return 0
	}
	best, most := -1, 0
	for i, api := range all {
		shared := 0
		for _, r := range api.Resources {
			if own.Path(r.Path) != nil {
				shared++
			}
		}
		if shared > most {
			best, most = i, shared
		} else if shared == most {
			best = -1
		}
	}
	return best
}

// plainly returns a name as logical ids have it.
func plainly(name string) string {
	return strings.ToLower(strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' {
			return r
		}
		return -1
	}, name))
}
