package gateway

import (
	"hash/fnv"
	"strconv"
	"strings"

	"gatewright/model"
)

// directory finds the API that a request is for.
type directory struct {
	byID map[string]*servedAPI
	// byHost has the ids in small letters: a host name has no case.
	byHost map[string]*servedAPI
	byName map[[2]string]*servedAPI
}

// served is an API with what is worked out once for it.
type servedAPI struct {
	API
	router     *model.Router
	deployment string
	resources  map[string]string
}

func newDirectory(apis []API) *directory {
	d := &directory{byID: map[string]*servedAPI{}, byHost: map[string]*servedAPI{}, byName: map[[2]string]*servedAPI{}}
	for _, api := range apis {
		s := newServed(api)
		d.byID[api.ID] = s
		d.byHost[strings.ToLower(api.ID)] = s
		d.byName[[2]string{api.Environment, api.Label}] = s
	}
	return d
}

func newServed(api API) *servedAPI {
	if api.Definition == nil {
		api.Definition = &model.API{Label: api.Label}
	}
	if api.AccountID == "" {
		api.AccountID = "000000000000"
	}
	s := &servedAPI{API: api, router: model.NewRouter(api.Definition, api.Groups).WithGuests(!api.NoGuests), resources: map[string]string{}}
	s.deployment = stableID(api.ID, api.Environment)
	for _, p := range api.Definition.Paths {
		for _, resource := range []string{p.Name, model.ProxyOf(p.Name)} {
			s.resources[resource] = stableID(api.ID, resource)
		}
	}
	return s
}

// resourceID is the id of a resource: six letters and digits, the same in every
// run.
func (s *servedAPI) resourceID(resource string) string {
	if id, ok := s.resources[resource]; ok {
		return id
	}
	return stableID(s.ID, resource)
}

// arn names what a request asks for, with the account masked as the cloud's
// refusals have it (research/sandbox.md 2.3).
func (s *servedAPI) arn(method, path string) string {
	return "arn:aws:execute-api:" + s.Region + ":********" + s.AccountID[max(0, len(s.AccountID)-4):] + ":" +
		s.ID + "/" + s.Environment + "/" + method + "/" + strings.TrimPrefix(path, "/")
}

func stableID(parts ...string) string {
	h := fnv.New64a()
	for _, p := range parts {
		h.Write([]byte(p))
		h.Write([]byte{0})
	}
	const letters, places = 36, 6
	id := strconv.FormatUint(h.Sum64()%(letters*letters*letters*letters*letters*letters), letters)
	return strings.Repeat("0", places-len(id)) + id
}

// target is where a request wants to go, read from its raw target and host.
type target struct {
	id         string
	byHostName bool
	stage      string
	// path is what lies below the stage, as it came, with one slash before it.
	path string
	// full is the stage and the path with all slashes that came between them.
	fullPath string
	query    string
}

// parseTarget reads /<api id>/<stage>/<path> or, where the host is
// <api id>.localhost, /<stage>/<path>. Slashes before the stage do not count;
// those after it are kept in full and are one in path (research/sandbox.md 2.1).
func parseTarget(path, query, host string) target {
	t := target{query: query}
	rest := strings.TrimLeft(path, "/")
	if t.id = hostID(host); t.id != "" {
		t.byHostName = true
	} else {
		t.id, rest, _ = strings.Cut(rest, "/")
		rest = strings.TrimLeft(rest, "/")
	}
	slash := strings.IndexByte(rest, '/')
	if slash < 0 {
		slash = len(rest)
	}
	t.stage = rest[:slash]
	t.path = "/" + strings.TrimLeft(rest[slash:], "/")
	t.fullPath = "/" + rest
	return t
}

// hostID is the API id in a host such as abc.localhost:4280; empty where the
// host has none.
func hostID(host string) string {
	const suffix = ".localhost"
	if colon := strings.LastIndexByte(host, ':'); colon >= 0 {
		host = host[:colon]
	}
	if len(host) <= len(suffix) || !strings.EqualFold(host[len(host)-len(suffix):], suffix) {
		return ""
	}
	id := host[:len(host)-len(suffix)]
	if strings.ContainsAny(id, ".:[") {
		return ""
	}
	return strings.ToLower(id)
}

// find is the API that a target names; nil where there is none.
func (d *directory) find(t target) *servedAPI {
	if t.byHostName {
		return d.byHost[t.id]
	}
	return d.byID[t.id]
}
