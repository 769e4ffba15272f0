package prepare

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"gatewright/internal/file/fingerprint"
	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/sandbox/artifact"
	"gatewright/sandbox/function"
)

// CheckLayers finds a layer whose folder is not there. In Lambda there is no function with such a layer: one
// that does not exist cannot be added (https://docs.aws.amazon.com/lambda/latest/dg/adding-layers.html).
func CheckLayers(s *function.Spec) error {
	for i, layer := range s.Layers {
		if !strings.HasPrefix(layer, "arn:") && !isFolder(layer) {
			inside := filepath.ToSlash(strings.TrimPrefix(layer, s.Project+string(filepath.Separator)))
			u := notPrepared(fmt.Sprintf("its layer %s is not a folder (/layers/%d of its function.json)",
				phrase.QuotePath(inside), i), "make that folder, or correct the name")
			u.kept = true // the folder may come at any time
			return u.forFunction(s)
		}
	}
	return nil
}

// layerFolders returns the folders of a function's layers, and warns about the others.
func (p *Preparer) layerFolders(s *function.Spec) []string {
	var folders []string
	for _, layer := range s.Layers {
		if strings.HasPrefix(layer, "arn:") {
			p.Warn(s, "the layer "+phrase.Quote(layer)+" is in the cloud; the function runs here without its content")
			continue
		}
		folders = append(folders, layer)
	}
	return folders
}

// layer is the folder of a layer with its packages for Node.js.
type layer struct {
	folder string
	cached
}

// installLayers installs the packages for Node.js of a function's layers.
func (p *Preparer) installLayers(ctx context.Context, s *function.Spec) (layers []layer, err error) {
	if err := CheckLayers(s); err != nil {
		return nil, err
	}
	for _, folder := range p.layerFolders(s) {
		one := layer{folder: folder}
		if s.Runtime == model.NodeJS {
			if one.cached, err = p.node(ctx, s, filepath.Join(folder, "nodejs")); err != nil {
				return nil, err
			}
		}
		layers = append(layers, one)
	}
	return layers, nil
}

// opt lays out the layers of a function as Lambda merges them below /opt, the later one over the
// earlier, and adds the paths in it to the function's variables.
func (p *Preparer) opt(s *function.Spec, layers []layer, ready *Prepared) (err error) {
	if len(layers) == 0 {
		return nil
	}
	// Functions with the same layers have the same.
	sum := fingerprint.New()
	for _, one := range layers {
		sum.Text(one.folder + " " + s.RuntimeName)
	}
	ready.Opt, err = p.layTask(s, "opt-"+sum.String()[:16], func() (*artifact.Listing, error) {
		all := artifact.Source{Name: s.Name}.New()
		for _, one := range layers {
			of := artifact.Source{Name: filepath.Base(one.folder), Folder: one.folder, Project: s.Project, Layer: true}
			l, err := of.List(one.stamp != "")
			if err == nil && one.stamp != "" {
				err = l.Install("nodejs", one.cached.folder, one.members)
			}
			if err != nil {
				return nil, err
			}
			all.Over(l)
		}
		return all, nil
	})
	if s.Runtime == model.Python {
		ready.Env = addPath(ready.Env, "PYTHONPATH",
			append(within(ready.Opt, "python"), within(ready.Opt, "python/lib/python3*/site-packages")...))
	}
	// Lambda has the layers' folders last in these two.
	ready.Env = addInherited(ready.Env, "PATH", within(ready.Opt, "bin"))
	ready.Env = addInherited(ready.Env, "LD_LIBRARY_PATH", within(ready.Opt, "lib"))
	return err
}

// within returns the files or folders of a folder that match a pattern.
func within(folder, pattern string) []string {
	// The only possible error is a malformed pattern.
	found, _ := fs.Glob(os.DirFS(folder), pattern)
	for i, name := range found {
		found[i] = filepath.Join(folder, filepath.FromSlash(name))
	}
	return found
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
