package cli

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gatewright/cli/command"
)

const others = "help says that there are others, which the AWS CLI reads too"

// unnamed are variables that the program reads and help does not name, with the reason.
var unnamed = map[string]string{
	"HOME":                        "every program reads it",
	"PATH":                        "every program reads it",
	"LOCALAPPDATA":                "every program on Windows reads it",
	"APPDATA":                     "every program on Windows reads it",
	"SystemRoot":                  "every program on Windows reads it",
	"GOFLAGS":                     "the settings of the go command",
	"CONTINUOUS_INTEGRATION":      "an older name of CI",
	"TEAMCITY_VERSION":            "a build server",
	"TMUX":                        "tmux sets it",
	"STY":                         "screen sets it",
	"SSH_CONNECTION":              "ssh sets it",
	"AWS_DEFAULT_PROFILE":         "an older name of AWS_PROFILE",
	"NPM_CONFIG_USERCONFIG":       "a setting of npm",
	"npm_config_userconfig":       "a setting of npm",
	"GATEWRIGHT_MINISTACK_PYTHON": "for tests",

	"AWS_SECRET_ACCESS_KEY":               others,
	"AWS_SESSION_TOKEN":                   others,
	"AWS_CONFIG_FILE":                     others,
	"AWS_SHARED_CREDENTIALS_FILE":         others,
	"AWS_EC2_METADATA_DISABLED":           others,
	"AWS_IGNORE_CONFIGURED_ENDPOINT_URLS": others,
}

// TestHelpNamesTheVariablesThatTheProgramReads reads the sources for names of variables.
func TestHelpNamesTheVariablesThatTheProgramReads(t *testing.T) {
	t.Parallel()
	var named []string
	for _, fact := range command.Variables {
		named = append(named, strings.Split(strings.TrimSuffix(fact.Name, " and others"), ", ")...)
	}
	read := make(map[string]string)
	err := filepath.WalkDir("..", func(name string, entry fs.DirEntry, err error) error {
		switch base := entry.Name(); {
		case err != nil:
			return err
		case entry.IsDir() && (base == "testdata" || strings.HasSuffix(base, "test") || base == "tools" || base == "templates" || base != ".." && strings.HasPrefix(base, ".")):
			return fs.SkipDir
		case entry.IsDir() || filepath.Ext(base) != ".go" || strings.HasSuffix(base, "_test.go"):
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			called := ""
			switch f := call.Fun.(type) {
			case *ast.Ident:
				called = f.Name
			case *ast.SelectorExpr:
				called = f.Sel.Name
			}
			if !slices.Contains([]string{"Getenv", "LookupEnv", "getenv", "lookup", "envValue"}, called) {
				return true
			}
			for _, arg := range call.Args {
				if text, ok := arg.(*ast.BasicLit); ok && text.Kind == token.STRING {
					variable, _ := strconv.Unquote(text.Value)
					read[variable] = name
				}
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(read) < 10 {
		t.Fatalf("only %d variables were found in the sources: %v", len(read), read)
	}
	for variable, file := range read {
		if unnamed[variable] == "" && !slices.Contains(named, variable) {
			t.Errorf("%s reads %s, which help does not name", file, variable)
		}
	}
}
