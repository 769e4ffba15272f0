package sandbox

import "path/filepath"

// What lies in a state folder. data is all that outlives a run and is worth
// keeping: it is what Export writes, Import replaces and Reset removes. Two
// folders beside it stand for it while Import works.
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
	// keysFile has what tokens and credentials are signed with. It is no part of
	// data: it is not exported.
	keysFile = "keys.json"
)

// LogFolder is where the logs of a state folder lie (logs.ReadFolder).
func LogFolder(state string) string { return filepath.Join(state, dataFolder, "logs") }

// SourceFolder is where copies of functions' sources may lie that are served
// from elsewhere than their own folder. Reset removes it.
func SourceFolder(state string) string { return filepath.Join(state, sourceFolder) }

// MockFolder makes the folder of a function.Runner that runs beside the sandbox,
// for a single call: what it builds is kept for the next one.
func MockFolder(state string) (string, error) {
	if err := makeState(state); err != nil {
		return "", err
	}
	return filepath.Join(state, mockFolder), refuseLinks(state)
}
