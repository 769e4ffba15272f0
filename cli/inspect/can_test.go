package inspect_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"gatewright/cli/clitest"
	"gatewright/model/access"
)

// answered is what the tests read of a report of `can --json`.
type answered struct {
	Allowed bool       `json:"allowed"`
	Reason  string     `json:"reason"`
	Changes [][]string `json:"changes"`
}

// session is one whose commands ask who may send a request.
type session struct{ *clitest.Session }

func newSession(t *testing.T) *session {
	t.Helper()
	return &session{clitest.New(t)}
}

func sessionIn(t *testing.T, dir string) *session {
	return &session{&clitest.Session{T: t, Dir: dir}}
}

// can asks, and gives the response with the exit code that belongs to it.
func (s *session) can(args ...string) answered {
	s.T.Helper()
	out, code := s.Output(append([]string{"can", "--json", "--"}, args...)...)
	var a answered
	if err := json.Unmarshal([]byte(out), &a); err != nil {
		s.T.Fatalf("%v: %s", args, out)
	}
	if want := map[bool]int{true: 0, false: 1}[a.Allowed]; code != want {
		s.T.Fatalf("can %v exits %d, and its answer is %v", args, code, a.Allowed)
	}
	return a
}

// words are those of a command line as a shell reads it.
func words(t *testing.T, line string) []string {
	t.Helper()
	var (
		all    []string
		word   strings.Builder
		quoted bool
	)
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case c == '\'':
			quoted = !quoted
		case c == '\\' && !quoted:
			i++
			word.WriteByte(line[i])
		case c == ' ' && !quoted:
			all = append(all, word.String())
			word.Reset()
		default:
			word.WriteByte(c)
		}
	}
	all = append(all, word.String())
	if quoted || all[0] != "gatewright" {
		t.Fatalf("%s is no command line", line)
	}
	return all[1:]
}

var (
	poolGroups = []string{"Admins", "Ed,itors", "it's"}
	canPaths   = []string{"/books", "/books/{isbn}/cover", "/"}
)

// drawProject writes a project with any access.
func drawProject(t *rapid.T, s *session) {
	actions := func(label string) []string {
		set := access.Actions(rapid.IntRange(1, 15).Draw(t, label))
		var words []string
		for _, a := range set.List() {
			words = append(words, a.String())
		}
		return words
	}
	paths := map[string]any{}
	for _, name := range canPaths {
		permissions := map[string]any{"setting": rapid.SampledFrom(access.Settings).Draw(t, name)}
		if permissions["setting"] != access.Open {
			if rapid.Bool().Draw(t, "auth") {
				permissions["auth"] = actions("auth's")
			}
			if permissions["setting"] == access.Protected {
				permissions["guest"] = actions("guest's")
			}
			groups := map[string]any{}
			for _, group := range poolGroups {
				if rapid.Bool().Draw(t, group) {
					groups[group] = actions(group + "'s")
				}
			}
			if len(groups) > 0 {
				permissions["groups"] = groups
			}
		}
		paths[name] = map[string]any{"name": name, "lambdaFunction": "f", "permissions": permissions}
	}
	file := func(name string, value any) {
		text, err := json.Marshal(value)
		if err != nil {
			t.Fatal(err)
		}
		s.Put(name, string(text))
	}
	file("backend/project.json", map[string]any{"version": 1, "name": "shop", "applicationId": "a1"})
	file("backend/environments/dev.json", map[string]any{"version": 1, "provider": "local"})
	file("backend/function/f/function.json", map[string]any{"version": 1, "runtime": "nodejs"})
	file("backend/api/shop/cli-inputs.json", map[string]any{"version": 1, "paths": paths})
	file("backend/auth.json", map[string]any{
		"version": 1, "groups": rapid.Permutation(poolGroups).Draw(t, "order"), "unauthenticated_identities_enabled": rapid.Bool().Draw(t, "guests"),
	})
}

// TestWhatCanProposesTurnsTheAnswerToYes carries out each change that `can` says
// would let a request through, in a copy of the project.
func TestWhatCanProposesTurnsTheAnswerToYes(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		s := sessionIn(t, t.TempDir())
		drawProject(r, s)
		who := rapid.SampledFrom([]string{"guest", "authenticated", "group:Admins", "group:Ed,itors", "group:it's", "group:Admins,it's"}).Draw(r, "who")
		method := rapid.SampledFrom([]string{"GET", "post", "PUT", "DELETE"}).Draw(r, "method")
		path := rapid.SampledFrom([]string{"/books", "/books/1", "/books/1/cover/x", "/else"}).Draw(r, "path")
		s.proposalsWork(who, method, path)
	})
}

// proposalsWork carries out what `can` proposes, if the answer is no.
func (s *session) proposalsWork(who, method, path string) {
	s.T.Helper()
	a := s.can(who, method, path)
	if a.Allowed != (len(a.Changes) == 0) {
		s.T.Fatalf("%s %s %s: %s, and the changes are %q", who, method, path, a.Reason, a.Changes)
	}
	for _, commands := range a.Changes {
		changed := &session{s.Copy()}
		onPath := strings.HasPrefix(commands[0], "gatewright update path ")
		for _, line := range commands {
			changed.Run(0, words(s.T, line)...)
		}
		if after := changed.can(who, method, path); !after.Allowed {
			s.T.Errorf("%s %s %s: %s\n%s\nafter %q it is no: %s", who, method, path, a.Reason, s.Read("backend/api/shop/cli-inputs.json"), commands, after.Reason)
		}
		for _, other := range []string{"GET", "POST", "PUT", "DELETE"} {
			if onPath && s.can(who, other, path).Allowed && !changed.can(who, other, path).Allowed {
				s.T.Errorf("%s %s %s: %q takes %s away", who, method, path, commands, other)
			}
		}
	}
}

// TestWhatCanProposesForUsersTurnsTheAnswerToYes is the same for users, who can be
// given other groups, enabled and confirmed.
func TestWhatCanProposesForUsersTurnsTheAnswerToYes(t *testing.T) {
	t.Parallel()
	s := newSession(t)
	s.Run(0, "init", "--name", "shop")
	for _, group := range []string{"Admins", "Editors", "Readers"} {
		s.Run(0, "add", "group", group)
	}
	s.Run(0, "add", "api", "shop", "--path", "/books", "--function", "f", "--new-function", "plain",
		"--auth", "read", "--group", "Admins=read,delete", "--group", "Editors=create,update")
	users := map[string][]string{"nobody": nil, "editor": {"Editors"}, "reader": {"Readers"}, "several": {"Readers", "Admins", "Editors"}}
	for name, groups := range users {
		args := []string{"user", "add", name}
		for _, group := range groups {
			args = append(args, "--group", group)
		}
		s.Run(0, args...)
	}
	s.Run(0, "user", "add", "locked")
	s.Run(0, "user", "disable", "locked")
	s.Run(0, "user", "add", "--group", "Readers", "--", "--flag's")
	s.Run(0, "user", "disable", "--", "--flag's")
	for _, name := range []string{"nobody", "editor", "reader", "several", "locked", "--flag's"} {
		for _, method := range []string{"GET", "POST", "PUT", "DELETE"} {
			t.Run(name+" "+method, func(t *testing.T) {
				at := sessionIn(t, s.Dir)
				at.State = s.State
				at.proposalsWork(name, method, "/books/1")
			})
		}
	}
	several := s.can("several", "POST", "/books")
	if !slices.ContainsFunc(several.Changes, func(c []string) bool { return c[0] == "gatewright user groups several --remove Admins" }) ||
		!slices.ContainsFunc(several.Changes, func(c []string) bool { return c[0] == "gatewright update group Editors --before Admins" }) {
		t.Errorf("%s: neither another order nor a group less is proposed: %q", several.Reason, several.Changes)
	}
}

// TestCanAndTheMatrixAgree asks `can` for each cell of `routes --access`.
func TestCanAndTheMatrixAgree(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		s := sessionIn(t, t.TempDir())
		drawProject(r, s)
		var matrix []struct {
			Paths []struct {
				Path          string
				Guest         []string
				Authenticated []string
				Groups        []struct {
					Group   string
					Actions []string
				}
			}
		}
		if err := json.Unmarshal([]byte(s.Run(0, "routes", "--access", "--json")), &matrix); err != nil {
			t.Fatal(err)
		}
		row := rapid.SampledFrom(matrix[0].Paths).Draw(r, "path")
		cells := map[string][]string{"guest": row.Guest, "authenticated": row.Authenticated}
		for _, g := range row.Groups {
			cells["group:"+g.Group] = g.Actions
		}
		who := rapid.SampledFrom([]string{"guest", "authenticated", "group:Admins", "group:Ed,itors", "group:it's"}).Draw(r, "who")
		action := rapid.SampledFrom(access.AllActions).Draw(r, "action")
		request := strings.ReplaceAll(row.Path, "{isbn}", "1")
		if got, want := s.can(who, (access.Terms{}).Methods(action)[0], request).Allowed, slices.Contains(cells[who], action.String()); got != want {
			t.Fatalf("%s may %s under %s: can says %v, the matrix %v", who, action, row.Path, got, cells[who])
		}
	})
}
