package sessions

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"gatewright/test/depth"
)

// bashCompletes loads the script as a person does, and asks it as bash does, which cuts words
// at = and : (COMP_WORDBREAKS). $1 is the package bash-completion, or nothing, and the other
// arguments are the words as bash cuts them, each with its blanks before it.
const bashCompletes = `
if [[ -n $1 ]]; then source "$1"; fi
eval "$(gatewright completion bash --no-descriptions)"
shift
COMP_WORDS=() COMP_LINE=
for word; do
  COMP_LINE+=$word
  COMP_WORDS+=("${word# }")
done
COMP_POINT=${#COMP_LINE} COMP_CWORD=$((${#COMP_WORDS[@]} - 1)) COMP_TYPE=9
__start_gatewright 2>/dev/null
printf '%s\n' "${COMPREPLY[@]}"
`

// completing makes a project with what shells complete, and returns a function that runs a
// shell there.
func completing(t *testing.T, shell string) func(args ...string) string {
	t.Helper()
	depth.Needs(t, shell)
	path, err := exec.LookPath(shell)
	if err != nil {
		t.Fatal(err)
	}
	// It is on the PATH, as in the sessions.
	gatewright, err := exec.LookPath("gatewright")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	run := func(name string, args ...string) string {
		t.Helper()
		cmd := exec.Command(name, args...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GATEWRIGHT_STATE="+t.TempDir(), "HOME="+dir)
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("%s %q: %v %s", name, args, err, out)
		}
		return strings.TrimSpace(string(out))
	}
	run(gatewright, "init", "--name", "shop", "--app-id", "app1")
	run(gatewright, "add", "group", "Editors")
	run(gatewright, "add", "api", "shop", "--path", "/books/{isbn}", "--function", "books", "--new-function", "plain")
	return func(args ...string) string { return run(path, args...) }
}

func TestBashCompletesWithAndWithoutItsPackage(t *testing.T) {
	depth.Gate(t)
	shell := completing(t, "bash")
	packages := []string{""}
	for _, name := range []string{"/usr/share/bash-completion/bash_completion", "/opt/homebrew/share/bash-completion/bash_completion"} {
		if _, err := os.Stat(name); err == nil {
			packages = append(packages, name)
		}
	}
	if len(packages) == 1 {
		t.Log("NOT TESTED with bash-completion, which is not here")
	}
	for _, bashCompletion := range packages {
		for _, c := range []struct {
			words []string
			want  string
		}{
			{[]string{"gatewright", " rou"}, "routes"},
			{[]string{"gatewright", " update", " path", " shop", " /bo"}, `/books/\{isbn\}`},
			{[]string{"gatewright", " can", " group", ":", "E"}, "Editors"},
			{[]string{"gatewright", " call", " --as", "=", "group", ":", "E"}, "Editors"},
			{[]string{"gatewright", " call", " GET", " /x", " --api", " "}, "shop"},
			{[]string{"gatewright", " add", " group", " "}, ""},
		} {
			got := shell(append([]string{"--norc", "--noprofile", "-c", bashCompletes, "bash", bashCompletion}, c.words...)...)
			if strings.ReplaceAll(got, `\`, "") != strings.ReplaceAll(c.want, `\`, "") {
				t.Errorf("with the package %q, %q completes to %q, not %q", bashCompletion, c.words, got, c.want)
			}
		}
	}
}

func TestFishCompletes(t *testing.T) {
	depth.Gate(t)
	shell := completing(t, "fish")
	for line, want := range map[string]string{
		"gatewright rou":                    "routes",
		"gatewright update path shop /bo":   "/books/{isbn}",
		"gatewright call GET /x --as group": "group:Editors",
		"gatewright can group:":             "group:Editors",
	} {
		got, _, _ := strings.Cut(shell("--no-config", "-c", "gatewright completion fish | source; complete -C $argv[1]", line), "\t")
		if strings.ReplaceAll(got, `\`, "") != want {
			t.Errorf("%q completes to %q, not %q", line, got, want)
		}
	}
}
