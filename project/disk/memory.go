package disk

import (
	"io/fs"
	"path/filepath"

	"github.com/spf13/afero"
)

// memory is afero's filesystem in memory. On Windows its Chmod finds no file by a name
// with a slash, as all other calls do.
type memory struct{ afero.MemMapFs }

// Memory returns an empty filesystem in memory, with names as those of [FS].
func Memory() afero.Fs { return &memory{} }

// Chmod sets the mode bits of the named file.
func (m *memory) Chmod(name string, mode fs.FileMode) error {
	return m.MemMapFs.Chmod(filepath.Clean(name), mode)
}
