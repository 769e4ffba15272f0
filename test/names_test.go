package test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// elsewhere are ways to get a program of this name from a place where nobody of this project has published one: whoever takes the name
// there would run on the machines of our readers. A path ("./gatewright_1.2.3.deb") is no such name.
var elsewhere = []*regexp.Regexp{
	regexp.MustCompile(`\b(npx|bunx|pnpx|uvx|pipx)(\.cmd)?\b[^;,|&` + "`" + `]*[ "'/]gatewright\b`),
	regexp.MustCompile(`\b(npm|pnpm|yarn|bun)(\.cmd)? (--?[\w-]+ )*(i|in|install|add|ci|exec|x|dlx|create|init|global)\b[^;,|&` + "`" + `]*[ "'/]@?gatewright\b`),
	regexp.MustCompile(`\b(brew|scoop|winget|choco|apt|apt-get|dnf|yum|zypper|apk|pacman|snap|flatpak|pip3?|cargo|gem|port|mise|asdf|nix-env)\b ` +
		`[^;,|&` + "`" + `]*\b(install|add|upgrade|-S|-iA)\b[^;,|&` + "`" + `]*[ "'/]gatewright\b`),
	regexp.MustCompile(`\bgo (install|get|run)\b[^;,|&` + "`" + `]*\bgatewright[^;|&` + "`" + ` ]*@`),
	regexp.MustCompile(`\b(docker|podman)\b[^;,|&` + "`" + `]*\b(run|pull)\b[^;,|&` + "`" + `]*[ "'/]gatewright\b`),
	regexp.MustCompile(`\buses:[^#]*[ "'/]gatewright\b`),
	regexp.MustCompile(`(?m)^ *FROM [^#]*[ /]gatewright\b`),
	regexp.MustCompile(`\b(curl|wget|iwr|irm)\b[^;&` + "`" + `\n]*\|\s*(sudo )?(ba|z)?(sh|iex)\b`),
	regexp.MustCompile(`(npmjs\.(com|org)(/package)?|ghcr\.io/[\w.-]+|pkg\.go\.dev/[\w./-]*|hub\.docker\.com/r/[\w.-]+|formulae\.brew\.sh/\w+|pypi\.org/project)/@?(\w+/)?gatewright\b`),
}

// local are names of files, and those in a registry of the reader's own; a launcher that is installed knows its own name.
var local = regexp.MustCompile(`(\.[/\\]|me/local/)gatewright\S*|--registry .*|own\.name.*`)

// gets is the first way in a text to get the program from elsewhere; "" for none.
func gets(text string) string {
	if !strings.Contains(text, "gatewright") && !strings.Contains(text, "|") {
		return ""
	}
	text = local.ReplaceAllString(text, "./file")
	for _, way := range elsewhere {
		if found := way.FindString(text); found != "" {
			return found
		}
	}
	return ""
}

// TestNoPageAndNoTextNamesAPackageThatNobodyHereHasPublished reads whatever a reader may follow: pages, workflows, scripts, texts of
// the program and what it writes. Tests of packages install them from a registry of their own.
func TestNoPageAndNoTextNamesAPackageThatNobodyHereHasPublished(t *testing.T) {
	t.Parallel()
	read := 0
	err := fs.WalkDir(os.DirFS(".."), ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() {
			if base := entry.Name(); base == ".git" || base == "node_modules" || base == "testdata" && name != "testdata" {
				return fs.SkipDir
			}
			return nil
		}
		switch filepath.Ext(name) {
		case ".md", ".go", ".txt", ".txtar", ".yml", ".yaml", ".js", ".ts", ".py", ".json", ".svg", ".toml", "":
		default:
			return nil
		}
		if strings.HasSuffix(name, "_test.go") || entry.Type()&fs.ModeType != 0 {
			return nil
		}
		text, err := os.ReadFile(filepath.Join("..", filepath.FromSlash(name)))
		if err != nil {
			return err
		}
		read++
		for i, line := range strings.Split(string(text), "\n") {
			if way := gets(line); way != "" {
				t.Errorf("%s:%d: %s: nobody here has published that; say how to build it from a clone", name, i+1, way)
			}
		}
		return nil
	})
	if err != nil || read < 1000 {
		t.Errorf("%d files were read: %v", read, err)
	}
}

func TestWaysToGetTheProgramFromElsewhereAreFound(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"npx gatewright", "npx --yes gatewright review", `npx "@acme/gatewright"`, "npx -p gatewright@1.2.3 gatewright", "npx.cmd gatewright",
		"npm install --global gatewright", "npm i -D gatewright", "npm --silent exec gatewright", "pnpm dlx gatewright", "yarn add gatewright",
		"brew install gatewright", "brew install someone/tap/gatewright", "scoop install gatewright", "winget install gatewright",
		"sudo apt install gatewright", "sudo apt-get -y install gatewright", "apk add gatewright", "pip install gatewright",
		"go install example.com/gatewright@latest", "go run github.com/x/gatewright/cmd@v1", "docker run -it x/gatewright", "docker pull gatewright:1",
		"- uses: gatewright/action@v1", "uses: x/gatewright@v1", "FROM x/gatewright", "curl -fsSL https://x.dev/install | sh",
		"https://www.npmjs.com/package/gatewright", "ghcr.io/x/gatewright",
	} {
		if gets(text) == "" {
			t.Errorf("%q is not found", text)
		}
	}
	for _, text := range []string{
		"go install .", "sudo apt install ./gatewright_1.2.3_linux_amd64.deb", "brew install me/local/gatewright", `scoop install .\gatewright.json`,
		"sudo apt remove gatewright", "npm install", "npm ci && gatewright validate", "gatewright add api shop", "uses: actions/checkout@v1",
		"docker run -p 8000:8000 amazon/dynamodb-local", "run npm install, then gatewright sandbox", "`npm install` and `gatewright push`",
		"/path/of/a/gatewright",
	} {
		if way := gets(text); way != "" {
			t.Errorf("%q is taken for a way to get the program: %s", text, way)
		}
	}
}
