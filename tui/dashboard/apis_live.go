package dashboard

import (
	tea "charm.land/bubbletea/v2"
)

// observe keeps where a running sandbox serves the APIs.
func (a *apisTab) observe(o *observed) tea.Cmd {
	a.observed = o
	a.serve()
	return nil
}

// serve works out where the sandbox serves the APIs of the environment, by label.
// It may run on another port than at the last push, or serve what was never pushed.
func (a *apisTab) serve() {
	a.live, a.fromTree = nil, false
	if a.observed == nil || !a.observed.running || a.env == nil {
		return
	}
	a.fromTree = a.observed.status.Environment == a.env.Name
	for _, api := range a.observed.status.APIs {
		if api.Environment == a.env.Name {
			if a.live == nil {
				a.live = make(map[string]string)
			}
			a.live[api.Label] = api.Endpoint
		}
	}
}

// addresses are the endpoints of a row, and of its proxy resource: those that a
// running sandbox serves, else those of the last push.
func (a *apisTab) addresses(r *apiRow) (main, proxy string) {
	url := ""
	if r.api != nil {
		url = a.live[r.api.Label]
	}
	switch {
	case url == "" || r.mark == absent:
	case r.of == nil:
		return fit(url), ""
	case a.fromTree && r.there, !a.fromTree && r.url != "":
		return endpointsOf(url, r.of, r.taken == "")
	}
	return r.url, r.proxy
}
