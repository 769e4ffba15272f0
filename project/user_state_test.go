package project

import (
	"path/filepath"
	"testing"
)

func TestTheStateOfAUserIsWhereTheSystemKeepsIt(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	for _, tt := range []struct {
		system      string
		environment map[string]string
		want        string
	}{
		{"linux", map[string]string{"HOME": home}, filepath.Join(home, ".local", "state", "gatewright")},
		{"darwin", map[string]string{"HOME": home, "LOCALAPPDATA": "unused"}, filepath.Join(home, ".local", "state", "gatewright")},
		{"linux", nil, filepath.Join(home, ".local", "state", "gatewright")},
		{"linux", map[string]string{"HOME": home, "XDG_STATE_HOME": "state"}, filepath.Join("state", "gatewright")},
		{"linux", map[string]string{"GATEWRIGHT_STATE": "own", "XDG_STATE_HOME": "state"}, "own"},
		{"windows", map[string]string{"LOCALAPPDATA": "local", "HOME": "unused"}, filepath.Join("local", "gatewright", "state")},
		{"windows", nil, filepath.Join(home, "AppData", "Local", "gatewright", "state")},
		{"windows", map[string]string{"LOCALAPPDATA": "local", "GATEWRIGHT_STATE": "own"}, "own"},
	} {
		got, err := userState(tt.system, func(name string) string { return tt.environment[name] }, func() (string, error) { return home, nil })
		if err != nil || got != tt.want {
			t.Errorf("on %s with %v the state is in %s, %v, want %s", tt.system, tt.environment, got, err, tt.want)
		}
	}
}
