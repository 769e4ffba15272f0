package gateway

import (
	"hash/fnv"
	"strconv"
	"strings"

	"gatewright/model"
	"gatewright/model/access"
)

// directory finds the API that a request is for.
type directory struct {
	byID map[string]*servedAPI
	// byHost has the ids in lower case, because host names ignore case.
	byHost map[string]*servedAPI
	byName map[[2]string]*servedAPI
}

// servedAPI is an API with what is computed once for it.
type servedAPI struct {
	API
	router     *access.Router
	binary     binaryTypes
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
		api.Definition = &access.API{Label: api.Label}
	}
	if api.AccountID == "" {
		api.AccountID = model.NoAccount
	}
	s := &servedAPI{
		API: api, router: access.NewRouter(api.Definition, api.Groups, api.Terms),
		resources: map[string]string{},
	}
	s.deployment = stableID(api.ID, api.Environment)
	s.binary = newBinaryTypes(api.Definition.BinaryMediaTypes)
	for _, p := range api.Definition.Paths {
		for _, resource := range []string{p.Name, access.ProxyOf(p.Name)} {
			s.resources[resource] = stableID(api.ID, resource)
		}
	}
	return s
}

// resourceID is the id of a resource: six letters and digits, the same in every run.
func (s *servedAPI) resourceID(resource string) string {
	if id, ok := s.resources[resource]; ok {
		return id
	}
	return stableID(s.ID, resource)
}

// arn is the ARN of a request with the account id masked, as API Gateway writes it in
// refusals: arn:aws:execute-api:eu-west-1:********9012:...
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

// target is the address of a request, read from its raw request target and its host.
type target struct {
	id         string
	byHostName bool
	stage      string
	// path is the raw path below the stage, with one slash at its beginning.
	path string
	// fullPath is the raw path with the stage.
	fullPath string
	query    string
}

// parseTarget reads /<api id>/<stage>/<path> or, if the host is <api id>.localhost,
// /<stage>/<path>. As in the recordings, extra slashes before the stage are ignored;
// those after the stage are kept in fullPath and become one in path.
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

// hostID is the API id in a host such as abc.localhost:4280, or "".
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

// find is the API that a target names, or nil.
func (d *directory) find(t target) *servedAPI {
	if t.byHostName {
		return d.byHost[t.id]
	}
	return d.byID[t.id]
}
