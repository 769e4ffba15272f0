package project

import (
	"errors"
	"fmt"

	"github.com/spf13/afero"

	"gatewright/project/disk"
)

// LoadReadOnly reads the project in a folder without writing anything: it takes no lock and finishes no interrupted
// write. The filesystem is the project's, refuses every write, and is open until Close.
func LoadReadOnly(root string, layout Layout) (*Project, afero.Fs, error) {
	fsys, err := disk.Open(root)
	if err != nil {
		return nil, nil, fmt.Errorf("opening the project: %w", err)
	}
	readOnly := afero.NewReadOnlyFs(fsys)
	p, err := Load(readOnly, layout)
	if err != nil {
		return nil, nil, errors.Join(err, fsys.Close())
	}
	p.close = fsys.Close
	return p, readOnly, nil
}
