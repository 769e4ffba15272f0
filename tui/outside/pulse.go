package outside

import (
	"path/filepath"

	"gatewright/internal/file/watch"
	"gatewright/project"
)

// Beats calls beat when files of the project that dir is in change. A sandbox has some too, while it
// runs. A project that does not exist yet is expected in dir.
func Beats(beat func(), dir string) (end func()) {
	root, _, err := project.Find(dir)
	if err != nil {
		if root, err = filepath.Abs(dir); err != nil {
			return func() {}
		}
	}
	ended := make(chan struct{})
	// The first look at many files takes a while.
	go func() {
		of := watch.Of{Roots: []string{root}, Fixed: true, Wants: project.IsPrinted, Changed: beat}
		defer watch.Shared.Watch(of).Close()
		beat()
		<-ended
	}()
	return func() { close(ended) }
}
