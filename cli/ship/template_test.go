package ship_test

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gatewright/cli/clitest"
)

// TestATemplateNamesTheArchivesThatLieBesideIt has a function with a layer.
func TestATemplateNamesTheArchivesThatLieBesideIt(t *testing.T) {
	t.Parallel()
	s := clitest.New(t)
	s.Run(0, "init", "--name", "shop")
	s.Run(0, "add", "api", "shop", "--path", "/books", "--function", "books", "--new-function", "plain", "--open")
	s.Put("backend/layer/words/nodejs/words.js", "exports.hello = 'hello'\n")
	s.Put("backend/function/books/function.json", strings.Replace(s.Read("backend/function/books/function.json"), "{", `{ "layers": ["layer/words"],`, 1))
	s.Run(0, "template", "--archives", "--out", "cloud")
	made := s.Read("cloud/template.json")
	var shown struct{ SHA256 string }
	if text, code := s.Output("function", "show", "books", "--json"); code != 0 || json.Unmarshal([]byte(text), &shown) != nil {
		t.Fatalf("function show exits %d with %s", code, text)
	}
	found, err := filepath.Glob(filepath.Join(s.Dir, "cloud", "*", "*.zip"))
	if err != nil || len(found) != 2 || !strings.Contains(made, `"functions/`+shown.SHA256+`.zip"`) {
		t.Fatalf("there are %q, %v, and the template is\n%s", found, err, made)
	}
	for _, name := range found {
		text, err := os.ReadFile(name)
		sum := sha256.Sum256(text)
		key := filepath.Base(filepath.Dir(name)) + "/" + hex.EncodeToString(sum[:]) + ".zip"
		if err != nil || !strings.HasSuffix(filepath.ToSlash(name), key) || !strings.Contains(made, `"`+key+`"`) {
			t.Errorf("%s has the hash %s, %v", name, key, err)
		}
	}
	if printed := s.Run(0, "template", "--archives"); !strings.Contains(printed, shown.SHA256) {
		t.Errorf("printed is\n%s", printed)
	}
	if plain := s.Run(0, "template"); strings.Contains(plain, shown.SHA256) || !strings.Contains(plain, `"functions/books.zip"`) {
		t.Errorf("without archives it is\n%s", plain)
	}
}
