package function

import (
	"crypto/rand"
	"encoding/hex"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"

	"gatewright/model"
)

// inherited are the variables of this process that a function gets: what programs
// need to find things, and nothing that could let it act as the person whose
// machine it is (the cloud's own credentials are in none of them).
var inherited = []string{
	"PATH", "HOME", "USER", "LOGNAME", "SHELL", "TMPDIR", "TMP", "TEMP", "LD_LIBRARY_PATH",
	"HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "no_proxy", "all_proxy",
	"SSL_CERT_FILE", "SSL_CERT_DIR", "NODE_EXTRA_CA_CERTS", "REQUESTS_CA_BUNDLE",
	"SYSTEMROOT", "SYSTEMDRIVE", "WINDIR", "COMSPEC", "PATHEXT", "USERPROFILE", "HOMEDRIVE", "HOMEPATH",
	"APPDATA", "LOCALAPPDATA", "PROGRAMDATA", "NUMBER_OF_PROCESSORS", "PROCESSOR_ARCHITECTURE",
}

// environment is every variable of a worker: inherited ones, what the cloud's
// functions have unless the project says otherwise, what preparing found, the
// function's own, and last those that the cloud reserves.
func environment(s *Spec, p prepared, address, stream, runtimeFolder string) []string {
	set := newVariables()
	for _, name := range inherited {
		if value, ok := os.LookupEnv(name); ok {
			set.put(name, value)
		}
	}
	set.put("LANG", "en_US.UTF-8")
	set.put("TZ", ":UTC")
	set.put("AWS_ACCESS_KEY_ID", "local")
	set.put("AWS_SECRET_ACCESS_KEY", "local")
	set.put("AWS_SESSION_TOKEN", "local")
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
	region := s.Region
	if region == "" {
		region = "us-east-1"
	}
	for name, value := range map[string]string{
		"AWS_REGION":                      region,
		"AWS_DEFAULT_REGION":              region,
		"AWS_LAMBDA_FUNCTION_NAME":        s.deployedName(),
		"AWS_LAMBDA_FUNCTION_VERSION":     "$LATEST",
		"AWS_LAMBDA_FUNCTION_MEMORY_SIZE": strconv.Itoa(s.memory()),
		"AWS_LAMBDA_INITIALIZATION_TYPE":  "on-demand",
		"AWS_LAMBDA_LOG_GROUP_NAME":       model.LogGroup(s.deployedName()),
		"AWS_LAMBDA_LOG_STREAM_NAME":      stream,
		"AWS_LAMBDA_RUNTIME_API":          address,
		"LAMBDA_TASK_ROOT":                filepath.Join(s.Folder, "src"),
		runtimeVariable:                   runtimeFolder,
		"_HANDLER":                        s.handler(),
	} {
		set.put(name, value)
	}
	return set.list()
}

// runtimeVariable has the folder of the bootstraps, which is of one state folder
// alone: it marks the processes of that one's functions.
const runtimeVariable = "LAMBDA_RUNTIME_DIR"

// EndStrays ends what the functions of a state folder left running when the
// process that had its Runner was killed: the system ends the workers then, and
// not what they had started. It reports how many there were. No Runner of the
// folder may be there. Only Linux tells whose a process is; elsewhere it does
// nothing.
func EndStrays(state string) int {
	state, err := filepath.Abs(state)
	if err != nil {
		return 0
	}
	return killStrays(runtimeVariable + "=" + bootstrapFolder(state))
}

// variables keeps names as the system compares them.
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

// newStream names a worker's log stream as the cloud does. No two are the same,
// so that it also marks the processes of a worker.
func newStream(at time.Time) string {
	var raw [16]byte
	rand.Read(raw[:])
	return at.UTC().Format("2006/01/02/") + "[$LATEST]" + hex.EncodeToString(raw[:])
}

// leastHidden is the shortest value that hide looks for: a shorter one is in too
// many words that tell nothing.
const leastHidden = 8

// hide takes the values of a function's variables out of a text that the function
// wrote: any of them may be a secret, and errors and events must not have one.
func hide(s *Spec, text string) string {
	for _, value := range s.Variables {
		if len(value) >= leastHidden {
			text = strings.ReplaceAll(text, value, "<redacted>")
		}
	}
	return text
}

// programs are what runs the functions of a runtime, in the order they are tried.
var programs = map[model.Runtime][]string{
	model.NodeJS: {"node", "nodejs"},
	model.Python: {"python3", "python"},
}
