package project

import (
	"fmt"
	"os"
	"path/filepath"
)

// UserState returns the folder of the user's state outside of projects: drafts, and the
// index of deployments. It is GATEWRIGHT_STATE, else gatewright in XDG_STATE_HOME,
// else gatewright in .local/state of the home folder.
func UserState(getenv func(string) string) (string, error) {
	if dir := getenv("GATEWRIGHT_STATE"); dir != "" {
		return dir, nil
	}
	if dir := getenv("XDG_STATE_HOME"); dir != "" {
		return filepath.Join(dir, "gatewright"), nil
	}
	home := getenv("HOME")
	if home == "" {
		var err error
		if home, err = os.UserHomeDir(); err != nil {
			return "", fmt.Errorf("finding the user's state folder: %w; set GATEWRIGHT_STATE", err)
		}
	}
	return filepath.Join(home, ".local", "state", "gatewright"), nil
}
