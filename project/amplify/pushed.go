package amplify

import (
	"os"
	"strings"

	"github.com/spf13/afero"
)

// PushedFolder is the folder with the backend of the chosen environment as the Amplify CLI
// last pushed or pulled it. It is in the form of amplify/backend.
const PushedFolder = "amplify/#current-cloud-backend"

// Pushed shows the copy of a pushed backend where the project's own backend is.
func Pushed(fsys afero.Fs) afero.Fs { return pushedFs{fsys} }

// pushedFs shows the copy of a pushed backend where the project's own backend is.
type pushedFs struct{ afero.Fs }

func (f pushedFs) at(name string) string {
	own := Layout.String()
	slashed := strings.TrimPrefix(strings.ReplaceAll(name, `\`, "/"), "/")
	if slashed == own || strings.HasPrefix(slashed, own+"/") {
		return PushedFolder + slashed[len(own):]
	}
	return name
}

// Open opens a file of the copy.
func (f pushedFs) Open(name string) (afero.File, error) { return f.Fs.Open(f.at(name)) }

// OpenFile opens a file of the copy.
func (f pushedFs) OpenFile(name string, flag int, perm os.FileMode) (afero.File, error) {
	return f.Fs.OpenFile(f.at(name), flag, perm)
}

// Stat looks at a file of the copy.
func (f pushedFs) Stat(name string) (os.FileInfo, error) { return f.Fs.Stat(f.at(name)) }
