package sandbox

import "path/filepath"

// Files and folders of a state folder. data is what Export writes, Import replaces and
// Reset removes: everything worth keeping after a run. data.next and data.last are the
// imported data and the former data while Import runs.
const (
	lockFile     = "lock"
	runFile      = "run.json"
	ignoreFile   = ".gitignore"
	dataFolder   = "data"
	nextData     = "data.next"
	lastData     = "data.last"
	workFolder   = "function"
	mockFolder   = "mock"
	sourceFolder = "source"
	// keysFile has the keys that sign tokens and credentials. It is not in data, and so
	// not exported.
	keysFile = "keys.json"
)

// LogFolder is the folder of the logs, for logs.ReadFolder.
func LogFolder(state string) string { return filepath.Join(state, dataFolder, "logs") }

// SourceFolder is the folder for copies of functions' sources that are not served from
// the project. Reset removes it.
func SourceFolder(state string) string { return filepath.Join(state, sourceFolder) }

// MockFolder makes the folder of a function.Runner for single calls without a sandbox.
// It keeps what the runner builds for the next call.
func MockFolder(state string) (string, error) {
	if err := makeState(state); err != nil {
		return "", err
	}
	return filepath.Join(state, mockFolder), refuseLinks(state)
}
