package project

import (
	"crypto/rand"
	"encoding/base32"
	"strings"

	"github.com/spf13/afero"

	"gatewright/model"
	"gatewright/project/read"
)

// New returns a project without files: an empty backend on fsys, in the native layout.
// The commit of its first plan makes the files. Close calls closing, which may be
// nil.
func New(fsys afero.Fs, closing func() error) *Project {
	return &Project{
		close: closing, Backend: &model.Backend{}, FS: fsys, Definitions: make(map[string]*read.File),
		Legacy: make(map[string]*read.File),
	}
}

// NewApplicationID makes a random application id.
func NewApplicationID() string {
	random := make([]byte, 8)
	_, _ = rand.Read(random)
	return "a" + strings.ToLower(base32.StdEncoding.WithPadding(base32.NoPadding).EncodeToString(random))[:12]
}
