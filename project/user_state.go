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

// UserCache returns the folder of what all projects of the user share and what can be
// made again, such as installed packages. It is GATEWRIGHT_CACHE, else gatewright in
// the user's folder for caches (os.UserCacheDir).
func UserCache(getenv func(string) string) (string, error) {
	if dir := getenv("GATEWRIGHT_CACHE"); dir != "" {
		return filepath.Abs(dir)
	}
	dir, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("finding the user's folder for caches: %w; set GATEWRIGHT_CACHE", err)
	}
	return filepath.Join(dir, "gatewright"), nil
}
