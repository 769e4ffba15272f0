package outputs

import (
	"maps"
	"net"
	"net/url"
	"slices"
	"strings"

	"gatewright/model"
	"gatewright/project"
	"gatewright/render"
	"gatewright/sandbox/identity"
)

// PoolEndpoints returns the endpoints of the user pool and the identity pool of a
// deployment on this machine, "" if it has none. An old record does not have them;
// then they are derived from the address of the first API, which is the same.
func PoolEndpoints(record project.Record) (userPool, identityPool string) {
	if record.UserPoolEndpoint != "" || record.Provider != model.Local || record.Outputs["auth"] == nil ||
		len(record.APIs) == 0 {
		return record.UserPoolEndpoint, record.IdentityPoolEndpoint
	}
	at, err := url.Parse(record.APIs[0].URL)
	if err != nil || at.Host == "" {
		return "", ""
	}
	return poolsAt(at)
}

// PoolEndpointsIn returns the endpoints of the pools of a client configuration file:
// they are on this machine if the endpoint of an API is a local one of this program.
// values are those of model.ParseOutputs.
func PoolEndpointsIn(values model.Outputs) (userPool, identityPool string) {
	if values["auth"] == nil {
		return "", ""
	}
	custom, _ := values["custom"].(map[string]any)
	apis, _ := custom["API"].(map[string]any)
	for _, label := range slices.Sorted(maps.Keys(apis)) {
		entry, _ := apis[label].(map[string]any)
		endpoint, _ := entry["endpoint"].(string)
		if at, err := url.Parse(endpoint); err == nil && isLocalEndpoint(at) {
			return poolsAt(at)
		}
	}
	return "", ""
}

// Snippet returns the code that configures a client from the client configuration file of that name with these
// values. record is the file's deployment; it is nil for a file that a sandbox wrote, which has no record.
func Snippet(
	values model.Outputs, dialect model.Dialect, format render.Format, name string, record *project.Record,
) string {
	examples := make(map[string]string)
	var pools render.PoolEndpoints
	if record == nil {
		pools.User, pools.Identity = PoolEndpointsIn(values)
	} else {
		pools.User, pools.Identity = PoolEndpoints(*record)
		for _, endpoint := range record.APIs {
			examples[endpoint.API] = endpoint.Example
		}
	}
	return render.Snippet(values, dialect, format, name, examples, pools)
}

// isLocalEndpoint reports whether a URL is the endpoint of an API of a local
// environment or a sandbox: http://127.0.0.1:PORT/ID/ENVIRONMENT.
func isLocalEndpoint(at *url.URL) bool {
	ip := net.ParseIP(at.Hostname())
	if at.Scheme != "http" || at.User != nil || !strings.EqualFold(at.Hostname(), "localhost") &&
		(ip == nil || !ip.IsLoopback()) {
		return false
	}
	id, environment, _ := strings.Cut(strings.Trim(at.Path, "/"), "/")
	return len(id) == apiIDLength && strings.Trim(id, lowercase) == "" && environment != "" &&
		!strings.Contains(environment, "/")
}

// poolsAt returns the endpoints of the pools at the address of an API.
func poolsAt(at *url.URL) (userPool, identityPool string) {
	address := at.Scheme + "://" + at.Host
	return address + identity.UserPoolPath, address + identity.IdentityPoolPath
}
