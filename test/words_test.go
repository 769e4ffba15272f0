package test

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestWhatPeopleReadKeepsToItsWords looks for the words of words.txt in pages, in texts of the
// program, in the comments of exported names, and in the descriptions of schemas.
func TestWhatPeopleReadKeepsToItsWords(t *testing.T) {
	t.Parallel()
	rules, others := wordRules(t)
	var patterns []string
	for _, rule := range rules {
		patterns = append(patterns, rule.pattern.String())
	}
	anyRule := regexp.MustCompile(strings.Join(patterns, "|"))
	read, target := 0, regexp.MustCompile(`\]\([^)]*\)|https?://\S+`)
	look := func(place, text string) {
		read, text = read+1, target.ReplaceAllString(text, "]")
		of := func(words string) bool { return strings.Contains(text, words) }
		if !anyRule.MatchString(text) || slices.ContainsFunc(others, of) {
			return
		}
		for _, rule := range rules {
			if found := rule.pattern.FindString(text); found != "" && len(strings.Fields(text)) > 1 {
				t.Errorf("%s: %q in %.80q; write instead: %s", place, found, text, rule.instead)
			}
		}
	}
	err := filepath.WalkDir("..", func(path string, entry os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() {
			if name := entry.Name(); name == ".git" || name == "testdata" || strings.HasPrefix(name, "dist") {
				return filepath.SkipDir
			}
			return nil
		}
		switch {
		case strings.HasSuffix(path, ".md"):
			for number, line := range prose(t, path) {
				look(path+":"+strconv.Itoa(number+1), line)
			}
		case strings.HasSuffix(path, ".go") && !strings.HasSuffix(path, "_test.go"):
			textsOfSource(t, path, look)
		case strings.Contains(filepath.ToSlash(path), "schemas/published/"):
			textsOfSchema(t, path, look)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if read < 10000 {
		t.Errorf("only %d texts were read", read)
	}
}

type wordRule struct {
	pattern *regexp.Regexp
	instead string
}

// wordRules reads the rules, and the words of others that break them.
func wordRules(t *testing.T) (rules []wordRule, others []string) {
	t.Helper()
	body, err := os.ReadFile("words.txt")
	if err != nil {
		t.Fatal(err)
	}
	words, terms, _ := strings.Cut(string(body), "\n# terms\n")
	terms, kept, _ := strings.Cut(terms, "\n# the words of others, which stay as they are\n")
	others = strings.Split(strings.TrimSpace(kept), "\n")
	for flags, part := range map[string]string{"(?im)": words, "(?m)": terms} {
		for line := range strings.Lines(part) {
			if pattern, instead, ok := strings.Cut(strings.TrimSpace(line), " -> "); ok && line[0] != '#' {
				rules = append(rules, wordRule{regexp.MustCompile(flags + pattern), instead})
			}
		}
	}
	if len(rules) < 30 {
		t.Fatalf("only %d rules were read", len(rules))
	}
	return rules, others
}

// prose returns the lines of a page with nothing where there are examples, so that a line keeps its number.
func prose(t *testing.T, path string) []string {
	t.Helper()
	body, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	code := regexp.MustCompile("`[^`]*`")
	lines, fenced := strings.Split(string(body), "\n"), false
	for i, line := range lines {
		if strings.HasPrefix(line, "```") {
			fenced = !fenced
		}
		if fenced || strings.HasPrefix(line, "    ") {
			line = ""
		}
		lines[i] = code.ReplaceAllString(line, "CODE")
	}
	return lines
}

func textsOfSource(t *testing.T, path string, look func(place, text string)) {
	t.Helper()
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, path, nil, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	at := func(node ast.Node) string { return files.Position(node.Pos()).String() }
	if file.Doc != nil {
		look(at(file.Doc), file.Doc.Text())
	}
	ast.Inspect(file, func(node ast.Node) bool {
		switch node := node.(type) {
		case *ast.ImportSpec:
			return false
		case *ast.Field:
			return true
		case *ast.BasicLit:
			if text, err := strconv.Unquote(node.Value); err == nil && node.Kind == token.STRING {
				look(at(node), text)
			}
		case *ast.FuncDecl:
			if node.Doc != nil && node.Name.IsExported() {
				look(at(node), node.Doc.Text())
			}
		case *ast.TypeSpec:
			if node.Doc != nil && node.Name.IsExported() {
				look(at(node), node.Doc.Text())
			}
		case *ast.GenDecl:
			if node.Doc != nil && ast.IsExported(firstName(node)) {
				look(at(node), node.Doc.Text())
			}
		}
		return true
	})
}

// firstName is the first name that a declaration gives, "" for an import.
func firstName(d *ast.GenDecl) string {
	if len(d.Specs) == 0 {
		return ""
	}
	switch spec := d.Specs[0].(type) {
	case *ast.TypeSpec:
		return spec.Name.Name
	case *ast.ValueSpec:
		return spec.Names[0].Name
	}
	return ""
}

func textsOfSchema(t *testing.T, path string, look func(place, text string)) {
	t.Helper()
	body, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var schema any
	if err := json.Unmarshal(body, &schema); err != nil {
		t.Fatal(err)
	}
	var walk func(value any)
	walk = func(value any) {
		switch value := value.(type) {
		case map[string]any:
			if text, ok := value["description"].(string); ok {
				look(path, text)
			}
			for _, inner := range value {
				walk(inner)
			}
		case []any:
			for _, inner := range value {
				walk(inner)
			}
		}
	}
	walk(schema)
}
