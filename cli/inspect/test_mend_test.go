package inspect_test

import (
	"encoding/json"
	"testing"
)

// tested is what the tests read of a report of `test --json`.
type tested struct {
	Tests []struct {
		Test  string   `json:"test"`
		Holds bool     `json:"holds"`
		Mend  []string `json:"mend"`
	} `json:"tests"`
}

func (s *session) tests() (t tested) {
	s.T.Helper()
	out, _ := s.Output("test", "--json")
	if err := json.Unmarshal([]byte(out), &t); err != nil {
		s.T.Fatalf("%s: %v", out, err)
	}
	return t
}

func TestWhatWouldMendATestMendsItAndBreaksNoOther(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		tests []string
		// mended says that there are commands that mend the first test.
		mended bool
	}{
		"everybody loses an action of an open path": {[]string{"nobody may DELETE under /health"}, true},
		"guests keep what another test says":        {[]string{"nobody may DELETE under /health", "guests may GET /health"}, true},
		"a group keeps all":                         {[]string{"nobody but Admins may DELETE under /health"}, true},
		"several paths":                             {[]string{"guests never GET"}, true},
		"several callers":                           {[]string{"nobody may GET under /books"}, true},
		"an open path":                              {[]string{"no path is open"}, true},
		"more for a group":                          {[]string{"Editors may do anything under /books"}, true},
		"more for guests":                           {[]string{"everybody may POST /books"}, true},
		"a path that nobody may call":               {[]string{"nobody under /health"}, false},
		"several groups lose their entries":         {[]string{"signed-in users never POST under /orders"}, true},
		"another test is against it":                {[]string{"guests never GET under /health", "everybody may GET /health"}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSession(t)
			s.Run(0, "init", "--name", "shop")
			s.Run(0, "add", "group", "Admins")
			s.Run(0, "add", "group", "Editors")
			s.Run(0, "add", "api", "shop", "--path", "/books", "--function", "books", "--new-function", "plain", "--auth", "read", "--guest", "read", "--group", "Editors=read,update")
			s.Run(0, "add", "path", "shop", "/health", "--function", "books", "--open")
			s.Run(0, "add", "path", "shop", "/orders", "--function", "books", "--auth", "read", "--group", "Admins=create", "--group", "Editors=create")
			s.Run(0, append([]string{"add", "test"}, tt.tests...)...)
			before := s.tests()
			commands := before.Tests[0].Mend
			if before.Tests[0].Holds || (len(commands) > 0) != tt.mended {
				t.Fatalf("holds %v, and this would fix it: %q", before.Tests[0].Holds, commands)
			}
			for _, command := range commands {
				s.Run(0, words(t, command)...)
			}
			after := s.tests()
			for i, one := range after.Tests {
				if held := before.Tests[i].Holds || i == 0 && tt.mended; one.Holds != held {
					t.Errorf("after %q, %q holds: %v", commands, one.Test, one.Holds)
				}
			}
		})
	}
}
