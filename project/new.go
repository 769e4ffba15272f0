package project

import (
	"crypto/rand"
	"encoding/base32"
	"strings"

	"github.com/spf13/afero"

	"gatewright/model"
)

// New is a project that is not there yet: an empty backend on fsys, in the
// native layout. Its first plan makes it. closing is what Close calls; it may be
// nil.
func New(fsys afero.Fs, closing func() error) *Project {
	return &Project{close: closing, Backend: &model.Backend{}, fsys: fsys, files: make(map[string]*file), legacy: make(map[string]*file)}
}

// NewApplicationID makes an application id that no other project has.
func NewApplicationID() string {
	random := make([]byte, 8)
	_, _ = rand.Read(random)
	return "a" + strings.ToLower(base32.StdEncoding.WithPadding(base32.NoPadding).EncodeToString(random))[:12]
}
