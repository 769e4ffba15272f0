package prepare

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/sandbox/function"
)

// layerFolders returns the folders of a function's layers, and warns about the others.
func (p *Preparer) layerFolders(s *function.Spec) []string {
	var folders []string
	for _, layer := range s.Layers {
		if strings.HasPrefix(layer, "arn:") {
			p.Warn(s, "the layer "+phrase.Quote(layer)+" is in the cloud; the function runs here without its content")
			continue
		}
		if info, err := os.Stat(layer); err != nil || !info.IsDir() {
			p.Warn(s, "the layer "+phrase.Quote(filepath.Base(layer))+" is not a folder; the function runs without its content")
			continue
		}
		folders = append(folders, layer)
	}
	return folders
}

// within returns the files or folders of a layer that match a pattern, the last first.
func within(layer, pattern string) []string {
	// The only possible error is a malformed pattern.
	found, _ := fs.Glob(os.DirFS(layer), pattern)
	for i, name := range found {
		found[i] = filepath.Join(layer, filepath.FromSlash(name))
	}
	return found
}

// layers adds the paths of a function's layers to its variables. As in Lambda, which
// merges layers below /opt, a later layer wins over an earlier one.
func (p *Preparer) layers(s *function.Spec, env []string) []string {
	var python, programs, libraries []string
	for _, layer := range p.layerFolders(s) {
		python = append(append(within(layer, "python"), within(layer, "python/lib/python3*/site-packages")...), python...)
		programs = append(within(layer, "bin"), programs...)
		libraries = append(within(layer, "lib"), libraries...)
	}
	if s.Runtime == model.Python {
		env = addPath(env, "PYTHONPATH", python)
	}
	// Lambda has the layers' folders last in these two.
	env = addInherited(env, "PATH", programs)
	return addInherited(env, "LD_LIBRARY_PATH", libraries)
}

// addPath appends folders to a path variable, which it adds if it is missing.
func addPath(env []string, name string, folders []string) []string {
	if len(folders) == 0 {
		return env
	}
	added := strings.Join(folders, string(os.PathListSeparator))
	for i, pair := range env {
		if value, ok := strings.CutPrefix(pair, name+"="); ok {
			env = slices.Clone(env)
			env[i] = name + "=" + value + string(os.PathListSeparator) + added
			return env
		}
	}
	return append(slices.Clip(env), name+"="+added)
}

// addInherited appends folders to those that this process has in the variable.
func addInherited(env []string, name string, folders []string) []string {
	if own := os.Getenv(name); own != "" && len(folders) > 0 {
		folders = append([]string{own}, folders...)
	}
	return addPath(env, name, folders)
}
