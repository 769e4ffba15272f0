package project

import (
	"crypto/rand"
	"encoding/base32"
	"strings"

	"gatewright/project/layout"

	"github.com/spf13/afero"
)

// New returns a project without files: an empty backend on fsys, in the native layout. The commit of its first plan
// makes the files. Close calls closing, which may be nil.
func New(fsys afero.Fs, closing func() error) *Project {
	return &Project{close: closing, Loaded: layout.Begin(fsys, Native)}
}

// NewApplicationID makes a random application id.
func NewApplicationID() string {
	random := make([]byte, 8)
	_, _ = rand.Read(random)
	return "a" + strings.ToLower(base32.StdEncoding.WithPadding(base32.NoPadding).EncodeToString(random))[:12]
}
