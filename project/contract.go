package project

import (
	"errors"
	"io/fs"

	"gatewright/project/read"
)

// ContractFile returns the path of the contract of an API, relative to the project.
func (p *Project) ContractFile(label string) string { return p.Layout.ContractFile(label) }

// Contract reads the contract of an API; nil if it has none. Loading a project does not read
// it. The error is a *Problem.
func (p *Project) Contract(label string) ([]byte, error) {
	text, err := read.Bytes(p.FS, p.ContractFile(label))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return text, err
}
