package modeltest

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"gatewright/model"
	"gatewright/model/access"
)

// PathNames returns the names of the paths of an API.
func PathNames(api *access.API) []string {
	var names []string
	for _, p := range api.Paths {
		names = append(names, p.Name)
	}
	return names
}

// Dump returns a backend as text.
func Dump(t interface{ Fatal(...any) }, b *model.Backend) string { return DumpValue(t, b) }

// DumpValue returns a value as JSON.
func DumpValue(t interface{ Fatal(...any) }, value any) string {
	text, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// Refused tells the test if an error is not the one wanted.
func Refused(t *testing.T, what string, err error, want string) {
	t.Helper()
	if err == nil || err.Error() != want {
		t.Errorf("%s:\n got %v\nwant %s", what, err, want)
	}
}

// ReportLines are problems as lines: level, place, and what is said.
func ReportLines(problems []*model.Problem) []string {
	var lines []string
	for _, p := range problems {
		lines = append(lines, fmt.Sprintf("%s %s: %s", p.Level, p.Pointer, p.Error()))
	}
	return lines
}

// SameLines tells the test if lines are not those wanted.
func SameLines(t *testing.T, got, want []string) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// NoError ends the test at an error.
func NoError(t *rapid.T, err error) {
	if err != nil {
		t.Fatal(err)
	}
}
