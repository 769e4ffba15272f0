package apis

import (
	"gatewright/model"
	"gatewright/prose"
	"gatewright/tui/dashboard/board"
)

// served is where a running sandbox serves the APIs of an environment, by label. It
// may run on another port than at the last push, or serve what was never pushed.
type served struct {
	observed *board.Observed
	apis     map[string]string
	// fromTree says that it serves them as the files are now.
	fromTree bool
}

// in works it out for an environment; nil for none.
func (s *served) in(env *board.Environment) {
	s.apis, s.fromTree = nil, false
	if s.observed == nil || !s.observed.Running || env == nil {
		return
	}
	s.fromTree = s.observed.Status.Environment == env.Name
	s.apis = make(map[string]string)
	for _, api := range s.observed.Status.APIs {
		if api.Environment == env.Name {
			s.apis[api.Label] = api.Endpoint
		}
	}
}

// addresses are the endpoints of a row, and of its proxy resource: those that a
// running sandbox serves, else those of the last push.
func (s *served) addresses(r *row) (main, proxy string) {
	url := s.apis[r.api.Label]
	switch {
	case url == "" || r.mark == board.Absent:
	case r.definition == nil:
		return prose.Short(url), ""
	case s.fromTree && r.there, !s.fromTree && r.url != "":
		return endpointsOf(url, r.definition, r.taken == "")
	}
	return r.url, r.proxy
}

// endpointsOf are the addresses of a path's main and proxy resource below that of
// its API; "" where there is none.
func endpointsOf(url string, p *model.Path, proxy bool) (main, below string) {
	if url == "" {
		return "", ""
	}
	if proxy {
		below = prose.Short(url + model.ProxyOf(p.Name))
	}
	if p.Name == model.ProxyPath {
		return below, ""
	}
	return prose.Short(url + p.Name), below
}
