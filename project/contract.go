package project

import (
	"errors"
	"io/fs"
	"path"

	"gatewright/project/read"
)

// contractFolder has the contracts of a project of the Amplify CLI.
const contractFolder = "gatewright/contract"

// ContractFile returns the path of the document of OpenAPI that is kept beside an API, its
// contract, relative to the project. The folder of the Amplify CLI has only what that made.
func (l Layout) ContractFile(label string) string {
	if l == Amplify {
		return contractFolder + "/" + label + ".json"
	}
	return path.Join(path.Dir(l.APIFile(label)), "openapi.json")
}

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
