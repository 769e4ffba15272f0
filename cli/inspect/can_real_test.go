package inspect_test

import (
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gatewright/model/access"
	"gatewright/sandbox/identity/identitypool"
	"gatewright/test/depth"
)

// TestTheMatrixOfRealProjects prints who may do what in what public projects
// committed: every path, every group, and every loss.
func TestTheMatrixOfRealProjects(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("../../../shared/real/cli-inputs/*.json")
	if err != nil {
		t.Fatal(err)
	}
	if files == nil {
		t.Skip("not tested: ../shared/real is not here")
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			file, err := filepath.Abs(file)
			if err != nil {
				t.Fatal(err)
			}
			s := newSession(t)
			s.Run(0, "init", "--name", "real")
			s.Run(0, "add", "api", "real", "--from", file, "--create-functions", "plain")
			text := s.Run(0, "routes", "real", "--access")
			var read struct {
				Paths map[string]struct {
					Permissions struct {
						Setting string
						Groups  map[string][]string
					}
				}
			}
			if err := json.Unmarshal([]byte(s.Read("backend/api/real/cli-inputs.json")), &read); err != nil {
				t.Fatal(err)
			}
			for path, p := range read.Paths {
				line := lineOf(text, "  "+path+" ")
				if open := strings.Contains(line, "open to everybody"); line == "" || open != (p.Permissions.Setting == "open") {
					t.Errorf("%s is %s and has the line %q in\n%s", path, p.Permissions.Setting, line, text)
				}
				for group := range p.Permissions.Groups {
					if !strings.Contains(lineOf(text, "  Path "), " "+group) {
						t.Errorf("the group %s has no column in\n%s", group, text)
					}
				}
			}
		})
	}
}

// lineOf is the row that begins so: what stands behind a long name is on the next
// line.
func lineOf(text, begin string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		switch {
		case strings.TrimSpace(line) == strings.TrimSpace(begin) && i+1 < len(lines):
			return line + lines[i+1]
		case strings.HasPrefix(line, begin):
			return line
		}
	}
	return ""
}

// TestRealProjectsAreServedAsTheirMatrixSays serves what public projects committed
// and asks for everything in each cell of `routes --access`.
func TestRealProjectsAreServedAsTheirMatrixSays(t *testing.T) {
	t.Parallel()
	depth.WithoutRace(t)
	files, err := filepath.Glob("../../../shared/real/cli-inputs/*.json")
	if err != nil {
		t.Fatal(err)
	}
	if files == nil {
		t.Skip("not tested: ../shared/real is not here")
	}
	grouped := 0
	for _, file := range files {
		file, err := filepath.Abs(file)
		if err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(text), `"private"`) && !strings.Contains(string(text), `"protected"`) {
			continue
		}
		t.Run(filepath.Base(file), func(t *testing.T) {
			first := newSession(t)
			first.Run(0, "init", "--name", "real", "--env", "dev")
			first.Run(0, "add", "api", "real", "--from", file, "--create-functions", "plain")
			first.Run(0, "add", "group", "Others")
			s := first.serve()
			s.Run(0, "user", "add", "emma")
			callers := map[string]func(*http.Request){
				"guest": signedWith(s.credentials(identitypool.Signer{Guest: true})), "authenticated": signedWith(s.credentials(identitypool.Signer{User: "emma"})),
				"anybody": signedWith(s.credentials(identitypool.Signer{AnyUser: true})),
			}
			var matrix []struct {
				Groups []string
				Paths  []struct {
					Path          string
					Guest         []string
					Authenticated []string
					Groups        []struct {
						Group   string
						Own     bool
						Actions []string
					}
				}
			}
			if err := json.Unmarshal([]byte(s.Run(0, "routes", "real", "--access", "--json")), &matrix); err != nil {
				t.Fatal(err)
			}
			for _, group := range matrix[0].Groups {
				callers["group:"+group] = signedWith(s.credentials(identitypool.Signer{Group: group}))
			}
			for _, row := range matrix[0].Paths {
				cells := map[string][]string{"guest": row.Guest, "authenticated": row.Authenticated, "anybody": row.Authenticated}
				for _, g := range row.Groups {
					cells["group:"+g.Group] = g.Actions
					if g.Own {
						grouped++
					}
				}
				request := access.ExamplePath([]string{row.Path})
				for who, signs := range callers {
					for _, action := range access.AllActions {
						for _, method := range (access.Terms{}).Methods(action) {
							if got, want := s.lets(method, request, signs), slices.Contains(cells[who], action.String()); got != want {
								t.Errorf("%s %s %s: served %v, and the matrix says %q", who, method, request, got, cells[who])
							}
						}
					}
				}
			}
		})
	}
	if grouped == 0 {
		t.Error("no path of a real project names a group, so the test checked nothing")
	}
}
