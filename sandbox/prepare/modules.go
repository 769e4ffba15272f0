package prepare

import (
	"cmp"
	"context"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"gatewright/internal/file"
	"gatewright/internal/file/fingerprint"
	"gatewright/internal/source"
	"gatewright/sandbox/function"
)

// Lookup says where the modules of a Node.js function are. The bootstrap reads it as
// JSON (node/lookup.cjs).
type Lookup struct {
	// Installed are pairs: a folder, and the folder of the cache whose node_modules
	// stands for the folder's own.
	Installed [][2]string `json:"installed"`
	// Layers are the folders that Lambda merges below /opt, the later one winning.
	Layers []string `json:"layers"`
	// SDK is the folder with the packages that come with the runtime, or "".
	SDK string `json:"sdk"`
	// ESM means that the function has ES modules, for which older versions of Node.js
	// need a thread that finds modules.
	ESM bool `json:"esm"`
	// Compiled is the handler, if it was written in TypeScript.
	Compiled *compiled `json:"compiled"`
}

// LookupVariable has the lookup. The bootstrap removes it.
const LookupVariable = "GATEWRIGHT_LOOKUP"

func (l *Lookup) String() string {
	// Strings and lists of them can always be encoded.
	text, _ := json.Marshal(l)
	return string(text)
}

// nodeFunction makes a Node.js function ready: its packages, those of its layers, and
// those of the runtime.
func (p *Preparer) nodeFunction(ctx context.Context, s *function.Spec, ready Prepared) (Prepared, error) {
	find := &Lookup{Installed: [][2]string{}, Layers: append([]string{}, p.layerFolders(s)...)}
	own := []string{ready.Dir}
	for _, layer := range find.Layers {
		own = append(own, filepath.Join(layer, "nodejs"))
	}
	var stamps, shared []string
	var err error
	for _, folder := range own {
		installed, err := p.node(ctx, s, folder)
		if err != nil {
			return Prepared{}, err
		}
		stamps, shared = append(stamps, installed.stamp), append(shared, installed.shared...)
		if installed.folder != "" {
			find.Installed = append(find.Installed, [2]string{file.RealPath(folder), installed.folder})
		}
		if folder == ready.Dir {
			find.addLinked(folder, cmp.Or(installed.folder, file.RealPath(folder)))
		}
	}
	var modules []string
	for i, layer := range find.Layers {
		modules = append(append(within(layer, "nodejs/node_modules"), p.installedIn(find, own[i+1])...), modules...)
	}
	module, err := p.handler(ctx, s, ready.Dir, find)
	if err != nil {
		return Prepared{}, err
	}
	if len(modules) > 0 && module {
		p.Warn(s, "its packages in layers are not found by import, as in Lambda: Node.js looks there only for require; "+
			"use createRequire of node:module, or put them into src/package.json")
	}
	uses := readImports(slices.Concat(own, find.Layers, shared))
	find.ESM = uses.modules || module
	if find.Compiled != nil {
		uses.addPackages(find.Compiled.packages)
	}
	sdk, err := p.runtimePackages(ctx, s, ready.Dir, uses, find)
	if err != nil {
		return Prepared{}, err
	}
	if sdk.folder != "" {
		find.SDK = file.RealPath(sdk.folder)
		modules = append(modules, filepath.Join(find.SDK, "node_modules"))
	}
	ready.Env = addPath(p.layers(s, ready.Env), "NODE_PATH", modules)
	ready.Stamp = strings.Join(slices.Compact(append(stamps, sdk.stamp)), " ")
	ready.Lookup = find
	return ready, nil
}

// handler looks at the handler of a source, and compiles it if it is written in TypeScript. It
// reports whether it is an ES module. One that is missing is no error here: Node.js says it as
// Lambda does.
func (p *Preparer) handler(ctx context.Context, s *function.Spec, src string, find *Lookup) (module bool, err error) {
	folder := os.DirFS(filepath.Dir(src))
	handler, err := source.FindHandler(folder, s.Runtime, s.HandlerName())
	if err != nil {
		return false, nil
	}
	if handler.Beside != "" && s.Build == nil {
		p.Warn(s, handler.File+" runs, as in Lambda, and not "+handler.Beside+" beside it; remove "+handler.File+
			" to have the other one compiled")
	}
	if !handler.TypeScript {
		return handler.IsModule(folder), nil
	}
	if find.Compiled, err = p.typescript(ctx, s, src, handler); err != nil {
		return false, err
	}
	return find.Compiled.module, nil
}

// addLinked gives files that links in a source lead to the packages of the source: a push has
// them in place of the links, while Node.js looks for packages beside the files themselves.
func (l *Lookup) addLinked(src, installed string) {
	root := file.RealPath(src)
	_ = filepath.WalkDir(root, func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return nil
		case entry.IsDir() && name != root && fingerprint.IsGenerated(entry.Name()):
			return fs.SkipDir
		case entry.Type()&fs.ModeSymlink == 0 || fingerprint.IsGenerated(entry.Name()):
			return nil
		}
		target, err := filepath.EvalSymlinks(name)
		if err != nil {
			return nil
		}
		if info, err := os.Stat(target); err == nil && !info.IsDir() {
			target = filepath.Dir(target)
		}
		if inside, err := filepath.Rel(root, target); err == nil && filepath.IsLocal(inside) {
			return nil
		}
		l.Installed = append(l.Installed, [2]string{target, installed})
		return nil
	})
}

// installedIn returns the node_modules in the cache that stand for a folder's own.
func (p *Preparer) installedIn(find *Lookup, folder string) []string {
	var modules []string
	for _, pair := range find.Installed {
		if pair[0] == file.RealPath(folder) {
			modules = append(modules, filepath.Join(pair[1], "node_modules"))
		}
	}
	return modules
}
