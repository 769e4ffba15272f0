package worker

import (
	"cmp"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"gatewright/internal/process"
	"gatewright/model"
	"gatewright/sandbox/function"
	"gatewright/sandbox/prepare"
)

// environment returns all variables of a worker. Later ones replace earlier ones: variables of the machine,
// the defaults of Lambda, the results of preparing, the function's own ones, and those that Lambda reserves
// (https://docs.aws.amazon.com/lambda/latest/dg/configuration-envvars.html).
func environment(s *function.Spec, p prepare.Prepared, address, stream, runtimeFolder string) []string {
	set := newVariables()
	for _, name := range prepare.Machine {
		if value, ok := os.LookupEnv(name); ok {
			set.put(name, value)
		}
	}
	set.put("LANG", "en_US.UTF-8")
	set.put("TZ", ":UTC")
	set.put("PYTHONPYCACHEPREFIX", filepath.Join(runtimeFolder, "pycache"))
	set.put("AWS_ACCESS_KEY_ID", "local")
	set.put("AWS_SECRET_ACCESS_KEY", "local")
	set.put("AWS_SESSION_TOKEN", sessionToken(s))
	for _, pair := range p.Env {
		if name, value, ok := strings.Cut(pair, "="); ok {
			set.put(name, value)
		}
	}
	for name, value := range s.Variables {
		if name != "" && !strings.ContainsAny(name, "=\x00") && !strings.ContainsRune(value, 0) {
			set.put(name, value)
		}
	}
	region := cmp.Or(s.Region, model.DefaultRegion)
	for name, value := range map[string]string{
		"AWS_REGION":                      region,
		"AWS_DEFAULT_REGION":              region,
		"AWS_LAMBDA_FUNCTION_NAME":        s.NameInCloud(),
		"AWS_LAMBDA_FUNCTION_VERSION":     "$LATEST",
		"AWS_LAMBDA_FUNCTION_MEMORY_SIZE": strconv.Itoa(s.MemoryLimit()),
		"AWS_LAMBDA_INITIALIZATION_TYPE":  "on-demand",
		"AWS_LAMBDA_LOG_GROUP_NAME":       model.LogGroup(s.NameInCloud()),
		"AWS_LAMBDA_LOG_STREAM_NAME":      stream,
		"AWS_LAMBDA_RUNTIME_API":          address,
		"LAMBDA_TASK_ROOT":                p.Dir,
		runtimeVariable:                   runtimeFolder,
		"_HANDLER":                        s.HandlerName(),
	} {
		set.put(name, value)
	}
	if s.RuntimeName != "" && s.Runtime != model.Go {
		set.put(nameVariable, s.RuntimeName)
	}
	if s.Cloud != nil {
		putCloud(set, s.Cloud, s.Runtime, s.Variables)
	}
	if source, err := json.Marshal(withRealPaths(ownFolders(s, p))); err == nil && s.Runtime != model.Go {
		set.put(sourceVariable, string(source))
	}
	if p.Lookup != nil {
		set.put(prepare.LookupVariable, p.Lookup.String())
	}
	return set.list()
}

// sessionToken tells the sandbox which function sends a request, also if the function signs
// with another key than its own.
func sessionToken(s *function.Spec) string {
	if s.Cloud == nil {
		return "local"
	}
	return s.Cloud.Caller
}

// nameVariable has the identifier of the cloud's runtime for the bootstraps, which remove it.
const nameVariable = "GATEWRIGHT_RUNTIME"

// sourceVariable has the folders of the function's source for the bootstraps, which remove
// it.
const sourceVariable = "GATEWRIGHT_SOURCE"

// cloudVariable has the Cloud for the bootstraps, which remove it.
const cloudVariable = "GATEWRIGHT_CLOUD"

// putCloud adds the variables that lead requests to the sandbox. SDKs with the first one need
// no help (https://docs.aws.amazon.com/sdkref/latest/guide/feature-ss-endpoints.html);
// the bootstraps see to the others.
func putCloud(set *variables, c *function.Cloud, kind model.Runtime, own map[string]string) {
	address, err := url.Parse(c.Address)
	if err != nil {
		return
	}
	const every = "AWS_ENDPOINT_URL"
	names := []string{every, "AWS_ENDPOINT_URL_LAMBDA"}
	if c.Allow {
		names = []string{"AWS_ENDPOINT_URL_LAMBDA", "AWS_ENDPOINT_URL_SSM", "AWS_ENDPOINT_URL_SECRETS_MANAGER"}
	}
	for _, name := range names {
		if own[name] == "" && own[every] == "" {
			set.put(name, c.Address)
		}
	}
	if kind == model.Go && !c.Allow {
		// A program in Go has no bootstrap, and its HTTP client asks the proxy.
		proxy := *address
		proxy.User = url.UserPassword(c.Caller, "local")
		set.put("HTTPS_PROXY", proxy.String())
		set.put("https_proxy", proxy.String())
	}
	if kind == model.Go {
		return
	}
	// Texts and a boolean can always be encoded.
	text, _ := json.Marshal(map[string]any{
		"host": address.Hostname(), "port": address.Port(), "caller": c.Caller,
		"allow": c.Allow,
	})
	set.put(cloudVariable, string(text))
}

// runtimeVariable has the folder of the bootstraps. Each state folder has its own, so
// the variable marks the processes of its functions.
const runtimeVariable = "LAMBDA_RUNTIME_DIR"

// EndStrays kills the processes that the functions of a state folder started, after the process of its Runner
// was killed: for the case that its guardian process was killed too. It returns the number of killed
// processes. The folder must have no Runner. It does nothing on Windows, which ends them too, nor on other
// systems than Linux, which do not show a process's variables.
func EndStrays(state string) int {
	state, err := filepath.Abs(state)
	if err != nil {
		return 0
	}
	return process.KillStrays(runtimeVariable + "=" + bootstrapFolder(state))
}

// variables are environment variables, with names compared as the system does.
type variables struct{ values, names map[string]string }

func newVariables() *variables {
	return &variables{values: map[string]string{}, names: map[string]string{}}
}

func (v *variables) put(name, value string) {
	key := name
	if runtime.GOOS == "windows" {
		key = strings.ToUpper(name)
	}
	v.values[key], v.names[key] = value, name
}

func (v *variables) list() []string {
	list := make([]string, 0, len(v.values))
	for key, value := range v.values {
		list = append(list, v.names[key]+"="+value)
	}
	return list
}

// newStream returns a name for a worker's log stream in Lambda's form. Each is unique,
// so that it also marks the processes of a worker.
func newStream(at time.Time) string {
	var raw [16]byte
	rand.Read(raw[:])
	return at.UTC().Format("2006/01/02/") + "[$LATEST]" + hex.EncodeToString(raw[:])
}

// leastHidden is the length of the shortest value that hide replaces: shorter ones
// occur in too many other words.
const leastHidden = 8

// hide replaces the values of a function's variables in a text that the function
// wrote: any of them may be a secret, which errors and events must not have.
func hide(s *function.Spec, text string) string {
	for _, value := range s.Variables {
		if len(value) >= leastHidden && !isPublic(s, value) {
			text = strings.ReplaceAll(text, value, model.Redacted)
		}
	}
	return text
}

// isPublic reports whether a value is a name of the project's things, which is no secret.
func isPublic(s *function.Spec, value string) bool {
	return value == s.Region || value == s.Environment || value == s.NameInCloud() || slices.Contains(s.Public, value)
}
