// Package state is the folder in which a sandbox keeps its state: who owns it and how clients reach the
// owner ([Own], [Run]), what is in it, its archives ([Export], [Import]), and the repair of damaged
// files ([Repair]).
package state

import (
	"fmt"
	"os"
	"path/filepath"
)

// Names in a state folder. The data folder has what Export writes and Import replaces;
// Import uses nextData and lastData while it works.
const (
	lockFile   = "lock"
	RunFile    = "run.json"
	ignoreFile = ".gitignore"
	DataFolder = "data"
	nextData   = "data.next"
	lastData   = "data.last"
	// UserFile is the file of all users in the data folder, TableFile that of all tables.
	UserFile     = "users.db"
	TableFile    = "tables.db"
	WorkFolder   = "function"
	mockFolder   = "mock"
	sourceFolder = "source"
	// damagedFolder has damaged files of the data. Nothing of the sandbox removes it.
	damagedFolder = "damaged"
	// KeysFile has the keys that sign tokens and credentials. It is not exported.
	KeysFile = "keys.json"
)

// LogFolder is the folder of the logs of a state, for logs.ReadFolder.
func LogFolder(state string) string { return filepath.Join(state, DataFolder, "logs") }

// UsersFile is the file of all users in a state folder: it changes whenever a user does.
func UsersFile(state string) string { return filepath.Join(state, DataFolder, UserFile) }

// SourceFolder is the folder for copies of functions' sources that are not served from
// their own folders. Reset removes it.
func SourceFolder(state string) string { return filepath.Join(state, sourceFolder) }

// MakeData creates the data folder of a state folder.
func MakeData(state string) (string, error) {
	data := filepath.Join(state, DataFolder)
	if err := os.MkdirAll(data, 0o700); err != nil {
		return "", fmt.Errorf("making the folder of the sandbox's data: %w", err)
	}
	return data, nil
}

// MockFolder creates the folder for a worker.Runner that makes single calls without the
// sandbox, and keeps what it builds for the next call.
func MockFolder(state string) (string, error) {
	if err := makeState(state); err != nil {
		return "", err
	}
	return filepath.Join(state, mockFolder), CheckFiles(state)
}
