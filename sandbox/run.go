package sandbox

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"gatewright/atomicfile"
)

// run is what run.json says of the process that owns the state folder. Only its
// user can read it: who has the token may control the sandbox.
type run struct {
	Version int       `json:"version"`
	PID     int       `json:"pid"`
	Started time.Time `json:"started"`
	// Address is where the APIs answer, Control where the sandbox itself does.
	Address string `json:"address"`
	Control string `json:"control"`
	Token   string `json:"token"`
}

// runVersion is that of the file and of the control interface behind it.
const runVersion = 2

func readRun(state string) (run, error) {
	text, err := os.ReadFile(filepath.Join(state, runFile))
	if err != nil {
		return run{}, err
	}
	var r run
	if err := json.Unmarshal(text, &r); err != nil {
		return run{}, fmt.Errorf("reading %s: %w", runFile, err)
	}
	if r.Version != runVersion {
		return run{}, fmt.Errorf("the sandbox that is running is of another version; end it, or use the gatewright that started it")
	}
	return r, nil
}

// write puts the file in place whole.
func (r run) write(state string) error {
	text, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return err
	}
	err = atomicfile.Replace(filepath.Join(state, runFile), atomicfile.Private, atomicfile.Text(append(text, '\n')))
	if err != nil {
		return fmt.Errorf("writing %s: %w", runFile, err)
	}
	return nil
}
