package sandbox

import (
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"gatewright/internal/file"
)

// run is the content of run.json, which describes the process that owns the state folder.
// Only the user can read the file, because the token gives control of the sandbox.
type run struct {
	Version int       `json:"version"`
	PID     int       `json:"pid"`
	Started time.Time `json:"started"`
	// Address is the base address of the APIs, Control the one of the control interface.
	Address string `json:"address"`
	Control string `json:"control"`
	Token   string `json:"token"`
}

// runVersion is the version of run.json and of the control interface.
const runVersion = 2

// readRun reads run.json.
func readRun(state string) (run, error) {
	text, err := file.ReadShared(filepath.Join(state, runFile))
	if err != nil {
		return run{}, err
	}
	var r run
	if err := json.Unmarshal(text, &r); err != nil {
		return run{}, fmt.Errorf("reading %s: %w", runFile, err)
	}
	if r.Version != runVersion {
		return run{}, errors.New("the running sandbox is of another version; end it, or use the gatewright that started it")
	}
	return r, nil
}

// write replaces run.json.
func (r run) write(state string) error {
	text, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return err
	}
	err = file.Replace(filepath.Join(state, runFile), file.Private, file.Text(append(text, '\n')))
	if err != nil {
		return fmt.Errorf("writing %s: %w", runFile, err)
	}
	return nil
}
