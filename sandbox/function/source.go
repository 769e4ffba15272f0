package function

import (
	"path/filepath"
	"slices"
)

// readOnly returns the folders that a worker must not write into, because the cloud's
// functions have a read-only file system but for /tmp
// (https://docs.aws.amazon.com/lambda/latest/dg/configuration-ephemeral-storage.html): its
// own, what its source was made into, and its layers.
func (w *worker) readOnly(p prepared) []string {
	folders := append([]string{w.spec.Folder}, w.spec.Layers...)
	inside, err := filepath.Rel(w.spec.Folder, p.Dir)
	if p.Dir != "" && (err != nil || !filepath.IsLocal(inside)) && !slices.Contains(folders, p.Dir) {
		folders = append(folders, p.Dir)
	}
	return folders
}
