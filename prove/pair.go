package prove

import (
	"fmt"
	"slices"
	"strings"

	"gatewright/model"
)

// paired are the two sides of one API.
type paired struct {
	api *API
	own *model.API
}

// pair finds which API of the template is which of the project: by name, or because there is
// one on each side. What is on one side only is a difference that cannot be compared.
func pair(d *Deployment, b *model.Backend, only string, r *Report) []paired {
	own := slices.DeleteFunc(slices.Clone(b.APIs), func(api *model.API) bool { return only != "" && api.Label != only })
	left := slices.Clone(d.APIs)
	var pairs []paired
	for _, match := range []func(name, label string) bool{
		func(name, label string) bool { return name == label },
		func(name, label string) bool { return strings.HasPrefix(name, label+"-") },
		func(name, label string) bool { return strings.HasPrefix(plainly(name), plainly(label)) },
		func(name, label string) bool { return strings.Contains(plainly(name), plainly(label)) },
	} {
		own = slices.DeleteFunc(own, func(api *model.API) bool {
			i := slices.IndexFunc(left, func(a *API) bool { return match(a.Name, api.Label) || match(a.ID, api.Label) })
			if i < 0 {
				return false
			}
			pairs = append(pairs, paired{left[i], api})
			left = slices.Delete(left, i, i+1)
			return true
		})
	}
	if len(own) == 1 && len(left) == 1 {
		pairs, own, left = append(pairs, paired{left[0], own[0]}), nil, nil
	}
	for _, api := range own {
		r.Undecided = append(r.Undecided, fmt.Sprintf("the API %s of the project is not in the template", model.Quote(api.Label)))
	}
	if only != "" {
		return pairs
	}
	for _, api := range left {
		r.Undecided = append(r.Undecided, fmt.Sprintf("the API %s of the template is not in the project", model.Quote(api.Name)))
	}
	return pairs
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

// precedence compares the order of groups, because members of several act as the first.
func (c *comparison) precedence() {
	var of []string
	for _, g := range c.d.Groups {
		of = append(of, g.Name)
	}
	var last, before string
	at := -1
	for _, group := range c.b.RoleOrder() {
		i := slices.Index(of, group)
		if i < 0 {
			if len(of) > 0 {
				c.report.Notices = append(c.report.Notices, fmt.Sprintf("the template has no group %s: its members act as signed-in users", model.Quote(group)))
			}
			continue
		}
		if i < at {
			before, last = last, group
			c.report.Undecided = append(c.report.Undecided, fmt.Sprintf("members of both %s and %s act as %s in the template and as %s in the project: give the groups the same precedence",
				model.Quote(before), model.Quote(group), model.Quote(group), model.Quote(before)))
			return
		}
		at, last = i, group
	}
}
