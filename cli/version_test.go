package cli

import (
	"bytes"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"

	"gatewright/cli/command"
)

func TestAReleaseSaysWhatItWasBuiltFrom(t *testing.T) {
	t.Parallel()
	v := versionsOf("1.2.3", "0123456789abcdef0123", "2026-11-26T10:20:30Z", &debug.BuildInfo{Settings: []debug.BuildSetting{{Key: "vcs.revision", Value: "another"}}})
	if got, want := v.line(), "gatewright 1.2.3 (commit 0123456789ab, 2026-11-26, "+runtime.Version()+", "+runtime.GOOS+"/"+runtime.GOARCH+")\n"; got != want {
		t.Errorf("the line is %q, want %q", got, want)
	}
}

func TestAnotherBuildSaysWhatTheGoCommandRecorded(t *testing.T) {
	t.Parallel()
	settings := []debug.BuildSetting{{Key: "vcs.revision", Value: "abc"}, {Key: "vcs.time", Value: "2026-11-26T10:20:30Z"}, {Key: "vcs.modified", Value: "true"}}
	for recorded, want := range map[string]string{
		"(devel)":                              "gatewright " + development + " (commit abc with changes, 2026-11-26, ",
		"v0.0.0-20261126102030-abcdefabcdef":   "gatewright " + development + " (",
		"v1.4.1-0.20261126102030-abcdefabcdef": "gatewright " + development + " (",
		"v1.4.0+dirty":                         "gatewright " + development + " (",
		"v1.4.0-rc.1":                          "gatewright 1.4.0-rc.1 (",
		"v1.4.0":                               "gatewright 1.4.0 (",
	} {
		v := versionsOf("", "", "", &debug.BuildInfo{Main: debug.Module{Version: recorded}, Settings: settings})
		if !strings.HasPrefix(v.line(), want) {
			t.Errorf("with the version %s the line is %q, want it to begin with %q", recorded, v.line(), want)
		}
	}
	if v := versionsOf("", "", "", nil); v.Version != development {
		t.Errorf("without information the version is %q", v.Version)
	}
}

func TestTheProgramTellsTheLicencesOfAllCodeInIt(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	if code := Run([]string{"version", "--licenses"}, command.Streams{In: strings.NewReader(""), Out: &out, Err: &out, Dir: t.TempDir()}); code != 0 {
		t.Fatalf("exit code %d: %s", code, out.String())
	}
	list, texts, _ := strings.Cut(out.String(), "\n\n====")
	for _, line := range []string{
		"\nApache-2.0                gatewright " + currentVersions().Version + "\n", "\nBSD-3-Clause              stdlib " + strings.TrimPrefix(runtime.Version(), "go") + "\n",
		"\nMIT                       github.com/evanw/esbuild v",
	} {
		if !strings.Contains(list, line) {
			t.Errorf("the list lacks %q:\n%s", line, list)
		}
	}
	for _, line := range []string{"\n   TERMS AND CONDITIONS FOR USE, REPRODUCTION, AND DISTRIBUTION\n", "Evan Wallace\n", "Copyright 2009 The Go Authors.\n"} {
		if !strings.Contains(texts, line) {
			t.Errorf("the texts lack %q", line)
		}
	}
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, m := range info.Deps {
			if m.Replace == nil && strings.Contains(list, " "+m.Path+" ") && !strings.Contains(list, " "+m.Path+" "+m.Version+"\n") {
				t.Errorf("this program has %s %s, and the list another version", m.Path, m.Version)
			}
		}
	}
}
