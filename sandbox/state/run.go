package state

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"gatewright/internal/file"
)

// Run is the content of run.json, which describes the process that owns the state folder.
// Only the user can read the file, because the token gives control of the sandbox.
type Run struct {
	Version int       `json:"version"`
	PID     int       `json:"pid"`
	Started time.Time `json:"started"`
	// Address is the base address of the APIs, Control the one of the control interface.
	Address string `json:"address"`
	Control string `json:"control"`
	Token   string `json:"token"`
}

// RunVersion is the version of run.json and of the control interface.
const RunVersion = 2

// ReadRun reads run.json.
func ReadRun(state string) (Run, error) {
	name := filepath.Join(state, RunFile)
	if info, err := os.Lstat(name); err == nil && !info.Mode().IsRegular() {
		return Run{}, refuseKind(RunFile, info.Mode().Type())
	}
	text, err := file.ReadShared(name)
	if err != nil {
		return Run{}, err
	}
	var r Run
	if err := json.Unmarshal(text, &r); err != nil {
		return Run{}, fmt.Errorf("reading %s: %w", RunFile, err)
	}
	if r.Version != RunVersion {
		return Run{}, errors.New("the running sandbox is of another version; end it, or use the gatewright that started it")
	}
	return r, nil
}

// Write replaces run.json.
func (r Run) Write(state string) error {
	text, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return err
	}
	err = file.Replace(filepath.Join(state, RunFile), file.Private, file.Text(append(text, '\n')))
	if err != nil {
		return fmt.Errorf("writing %s: %w", RunFile, err)
	}
	return nil
}
