package worker

import (
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gatewright/internal/file"
	"gatewright/model"
	"gatewright/sandbox/function"
	"gatewright/sandbox/prepare"
	"gatewright/sandbox/prepare/preparetest"
)

// passedOn are the variables of the sandbox that every function has too.
const passedOn = "PATH HOME USER LOGNAME SHELL TMPDIR TMP TEMP LD_LIBRARY_PATH " +
	"HTTP_PROXY HTTPS_PROXY NO_PROXY ALL_PROXY http_proxy https_proxy no_proxy all_proxy " +
	"SSL_CERT_FILE SSL_CERT_DIR NODE_EXTRA_CA_CERTS REQUESTS_CA_BUNDLE " +
	"SYSTEMROOT SYSTEMDRIVE WINDIR COMSPEC PATHEXT USERPROFILE HOMEDRIVE HOMEPATH " +
	"APPDATA LOCALAPPDATA PROGRAMDATA NUMBER_OF_PROCESSORS PROCESSOR_ARCHITECTURE"

func TestAFunctionHasTheVariablesOfTheCloudAndNoneOfItsUser(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("NOT TESTED: variables of this system have no case")
	}
	var common []string
	for name := range strings.FieldsSeq(passedOn) {
		t.Setenv(name, "of "+name)
		common = append(common, name+"=of "+name)
	}
	for _, name := range []string{"AWS_PROFILE", "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN", "AWS_REGION", "AWS_ENDPOINT_URL", "GITHUB_TOKEN", "LANG", "TZ", "NODE_OPTIONS", "PYTHONPATH"} {
		t.Setenv(name, "the user's")
	}
	common = append(common,
		"LANG=en_US.UTF-8", "TZ=:UTC", "AWS_ACCESS_KEY_ID=local", "AWS_SECRET_ACCESS_KEY=local", "AWS_LAMBDA_FUNCTION_VERSION=$LATEST",
		"AWS_LAMBDA_INITIALIZATION_TYPE=on-demand", "AWS_LAMBDA_LOG_STREAM_NAME=a stream", "AWS_LAMBDA_RUNTIME_API=127.0.0.1:7", "LAMBDA_RUNTIME_DIR=/r",
		"PYTHONPYCACHEPREFIX="+filepath.Join("/r", "pycache"),
	)
	for _, test := range []struct {
		name  string
		spec  function.Spec
		ready prepare.Prepared
		// without are names of common that others take the place of.
		without string
		more    []string
	}{
		{
			"nothing but its name", function.Spec{Name: "items", Runtime: model.Go, Folder: "/f"}, prepare.Prepared{Dir: "/f/src"}, "", []string{
				"AWS_SESSION_TOKEN=local", "AWS_REGION=us-east-1", "AWS_DEFAULT_REGION=us-east-1", "AWS_LAMBDA_FUNCTION_NAME=items",
				"AWS_LAMBDA_FUNCTION_MEMORY_SIZE=128", "AWS_LAMBDA_LOG_GROUP_NAME=/functions/items", "LAMBDA_TASK_ROOT=/f/src", "_HANDLER=bootstrap",
			},
		},
		{
			"all of its own, which replace defaults and not what Lambda reserves",
			function.Spec{
				Name: "items", DeployedName: "items-dev", Runtime: model.NodeJS, RuntimeName: "nodejs18.x", Handler: "a.b", Folder: "/f", Memory: 512, Region: "eu-west-1",
				Layers: []string{"/l"}, Variables: map[string]string{
					"LANG": "C", "HOME": "/own", "AWS_REGION": "mars", "AWS_ACCESS_KEY_ID": "own", "_HANDLER": "x", "": "no name", "A=B": "c", "NUL": "a\x00b", "N\x00": "a", "EMPTY": "",
				},
			},
			prepare.Prepared{Dir: "/built/src", Env: []string{"PATH=/p", "NODE_PATH=/n", "no pair"}, Lookup: &prepare.Lookup{SDK: "/s"}},
			"LANG HOME PATH AWS_ACCESS_KEY_ID",
			[]string{
				"AWS_SESSION_TOKEN=local", "AWS_REGION=eu-west-1", "AWS_DEFAULT_REGION=eu-west-1", "AWS_LAMBDA_FUNCTION_NAME=items-dev",
				"AWS_LAMBDA_FUNCTION_MEMORY_SIZE=512", "AWS_LAMBDA_LOG_GROUP_NAME=/functions/items-dev", "LAMBDA_TASK_ROOT=/built/src", "_HANDLER=a.b",
				"LANG=C", "HOME=/own", "PATH=/p", "NODE_PATH=/n", "AWS_ACCESS_KEY_ID=own", "EMPTY=",
				"GATEWRIGHT_RUNTIME=nodejs18.x", `GATEWRIGHT_SOURCE=["/f","/l","/built/src"]`,
				`GATEWRIGHT_LOOKUP={"modules":"","opt":"","sdk":"/s","esm":false,"maps":false,"project":""}`,
			},
		},
		{
			"a program whose requests go to the sandbox",
			function.Spec{Name: "items", Runtime: model.Go, Folder: "/f", Cloud: &function.Cloud{Address: "http://127.0.0.1:9", Caller: "ASIA1"}},
			prepare.Prepared{Dir: "/f/src"},
			"HTTPS_PROXY https_proxy",
			[]string{
				"AWS_SESSION_TOKEN=ASIA1", "AWS_REGION=us-east-1", "AWS_DEFAULT_REGION=us-east-1", "AWS_LAMBDA_FUNCTION_NAME=items",
				"AWS_LAMBDA_FUNCTION_MEMORY_SIZE=128", "AWS_LAMBDA_LOG_GROUP_NAME=/functions/items", "LAMBDA_TASK_ROOT=/f/src", "_HANDLER=bootstrap",
				"AWS_ENDPOINT_URL=http://127.0.0.1:9", "AWS_ENDPOINT_URL_LAMBDA=http://127.0.0.1:9",
				"HTTPS_PROXY=http://ASIA1:local@127.0.0.1:9", "https_proxy=http://ASIA1:local@127.0.0.1:9",
			},
		},
		{
			"a program whose other requests may leave, with an address of its own",
			function.Spec{
				Name: "items", Runtime: model.Go, Folder: "/f", Cloud: &function.Cloud{Address: "http://127.0.0.1:9", Caller: "ASIA1", Allow: true},
				Variables: map[string]string{"AWS_ENDPOINT_URL_SSM": "http://own"},
			},
			prepare.Prepared{Dir: "/f/src"},
			"",
			[]string{
				"AWS_SESSION_TOKEN=ASIA1", "AWS_REGION=us-east-1", "AWS_DEFAULT_REGION=us-east-1", "AWS_LAMBDA_FUNCTION_NAME=items",
				"AWS_LAMBDA_FUNCTION_MEMORY_SIZE=128", "AWS_LAMBDA_LOG_GROUP_NAME=/functions/items", "LAMBDA_TASK_ROOT=/f/src", "_HANDLER=bootstrap",
				"AWS_ENDPOINT_URL_LAMBDA=http://127.0.0.1:9", "AWS_ENDPOINT_URL_SSM=http://own", "AWS_ENDPOINT_URL_SECRETS_MANAGER=http://127.0.0.1:9",
			},
		},
	} {
		var want []string
		for _, pair := range common {
			if name, _, _ := strings.Cut(pair, "="); !slices.Contains(strings.Fields(test.without), name) {
				want = append(want, pair)
			}
		}
		want = append(want, test.more...)
		got := environment(&test.spec, test.ready, "127.0.0.1:7", "a stream", "/r")
		slices.Sort(want)
		slices.Sort(got)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", test.name, diff)
		}
	}
}

func TestNoVariableOfTheSandboxTakesThePlaceOfAnAddressOfTheFunctionsOwn(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		own  map[string]string
		want []string
	}{
		{nil, []string{"AWS_ENDPOINT_URL", "AWS_ENDPOINT_URL_LAMBDA"}},
		{map[string]string{"AWS_ENDPOINT_URL": "x"}, nil},
		{map[string]string{"AWS_ENDPOINT_URL_LAMBDA": "x"}, []string{"AWS_ENDPOINT_URL"}},
	} {
		set := newVariables()
		putCloud(set, &function.Cloud{Address: "http://127.0.0.1:9", Caller: "ASIA1"}, model.NodeJS, test.own)
		var names []string
		for _, pair := range set.list() {
			if name, _, _ := strings.Cut(pair, "="); name != cloudVariable {
				names = append(names, name)
			}
		}
		slices.Sort(names)
		if diff := cmp.Diff(test.want, names); diff != "" {
			t.Errorf("%v: %s", test.own, diff)
		}
		const cloud = `{"allow":false,"caller":"ASIA1","host":"127.0.0.1","port":"9"}`
		if got := set.values[cloudVariable]; got != cloud {
			t.Errorf("the bootstrap is given %s", got)
		}
	}
}

// TestAProgramInheritsOnlyWhatItIsGiven asks a running function.
func TestAProgramInheritsOnlyWhatItIsGiven(t *testing.T) {
	t.Setenv("AWS_PROFILE", "the user's")
	f := newFacility(t, func(o *Options) { o.MaxWorkers = 1 })
	s := f.serveProgram(t, nil)
	var got preparetest.Inheritance
	decode(t, f.result(t, `{"do":"inherits"}`), &got)
	want := environment(&s, prepare.Prepared{Dir: filepath.Join(s.Folder, "src")}, "", "", f.bootstraps)
	if diff := cmp.Diff(namesOf(want), namesOf(got.Environment)); diff != "" {
		t.Error(diff)
	}
	if got.Folder != file.RealPath(prepare.TaskFolder(filepath.Join(f.options.State, "cache"), f.options.State, "dev", "items")) || got.Input != "" {
		t.Errorf("it runs in %s and reads %q", got.Folder, got.Input)
	}
	if runtime.GOOS == "linux" && !slices.Equal(got.Files, []string{"0", "1", "2"}) {
		t.Errorf("its files are %q", got.Files)
	}
}

// namesOf are the names of variables, but for those of Go's own tests.
func namesOf(pairs []string) (names []string) {
	for _, pair := range pairs {
		if name, _, _ := strings.Cut(pair, "="); name != "PWD" {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// TestWhatAHandlerStartsInheritsNothingOfTheSandbox has a handler that starts a shell.
func TestWhatAHandlerStartsInheritsNothingOfTheSandbox(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("NOT TESTED: the open files of a process are not known")
	}
	t.Parallel()
	for kind, source := range map[model.Runtime]string{
		model.NodeJS: `const { execFileSync } = require("child_process");
			exports.handler = async () => execFileSync("/bin/sh", ["-c", "env; for n in 3 4 5 6 7 8 9; do readlink /proc/$$/fd/$n; done; true"], {encoding: "utf8"});`,
		model.Python: "import subprocess\ndef handler(e, c):\n    return subprocess.run([\"/bin/sh\", \"-c\", \"env; for n in 3 4 5 6 7 8 9; do readlink /proc/$$/fd/$n; done; true\"], capture_output=True, text=True).stdout\n",
	} {
		t.Run(string(kind), func(t *testing.T) {
			t.Parallel()
			f := newFacility(t, func(o *Options) { o.MaxWorkers = 1 })
			f.serve(t, kind, map[string]string{sourceName(kind): source}, func(s *function.Spec) {
				s.Variables, s.RuntimeName = map[string]string{"OWN": "its own"}, map[model.Runtime]string{model.NodeJS: "nodejs22.x", model.Python: "python3.13"}[kind]
				s.Cloud = &function.Cloud{Address: "http://127.0.0.1:9", Caller: "ASIA1"}
			})
			var text string
			decode(t, f.result(t, `{}`), &text)
			for _, never := range []string{"GATEWRIGHT_", "socket:", "pipe:", "anon_inode:"} {
				if strings.Contains(text, never) {
					t.Errorf("it inherits %s:\n%s", never, text)
				}
			}
			for _, always := range []string{"OWN=its own\n", "AWS_LAMBDA_FUNCTION_NAME=items-dev\n", "AWS_REGION=eu-west-1\n"} {
				if !strings.Contains(text, always) {
					t.Errorf("it lacks %s:\n%s", always, text)
				}
			}
		})
	}
}
