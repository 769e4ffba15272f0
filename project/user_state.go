package project

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
)

// UserState returns the folder of the user's state outside of projects: drafts, and the index of deployments. It is
// GATEWRIGHT_STATE, else gatewright in XDG_STATE_HOME, else gatewright in .local/state of the home folder. On Windows
// the last one is gatewright\state in %LOCALAPPDATA%, which is for data that stay on a machine
// (https://learn.microsoft.com/windows/win32/shell/knownfolderid).
func UserState(getenv func(string) string) (string, error) {
	return userState(runtime.GOOS, getenv, os.UserHomeDir)
}

func userState(system string, getenv func(string) string, userHome func() (string, error)) (string, error) {
	if dir := getenv("GATEWRIGHT_STATE"); dir != "" {
		return dir, nil
	}
	if dir := getenv("XDG_STATE_HOME"); dir != "" {
		return filepath.Join(dir, "gatewright"), nil
	}
	if dir := getenv("LOCALAPPDATA"); dir != "" && system == windows {
		return filepath.Join(dir, "gatewright", "state"), nil
	}
	home := getenv("HOME")
	if home == "" || system == windows {
		var err error
		if home, err = userHome(); err != nil {
			return "", fmt.Errorf("finding the user's state folder: %w; set GATEWRIGHT_STATE", err)
		}
	}
	if system == windows {
		return filepath.Join(home, "AppData", "Local", "gatewright", "state"), nil
	}
	return filepath.Join(home, ".local", "state", "gatewright"), nil
}

const windows = "windows"

// UserCache returns the folder of what all projects of the user share and what can be
// made again, such as installed packages. It is GATEWRIGHT_CACHE, else gatewright in
// the user's folder for caches (os.UserCacheDir), on Windows its folder cache.
func UserCache(getenv func(string) string) (string, error) {
	if dir := getenv("GATEWRIGHT_CACHE"); dir != "" {
		return filepath.Abs(dir)
	}
	dir, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("finding the user's folder for caches: %w; set GATEWRIGHT_CACHE", err)
	}
	if runtime.GOOS == windows {
		// Next to it is the state, which a user who empties the cache wants to keep.
		return filepath.Join(dir, "gatewright", "cache"), nil
	}
	return filepath.Join(dir, "gatewright"), nil
}

// UserArchives returns the folder of the archives that a push uploads, and of what they were made from.
func UserArchives(getenv func(string) string) (string, error) {
	folder, err := UserState(getenv)
	if err != nil {
		return "", err
	}
	return filepath.Join(folder, "archives"), nil
}
