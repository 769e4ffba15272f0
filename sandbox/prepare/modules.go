package prepare

import (
	"cmp"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"gatewright/internal/file"
	"gatewright/internal/source"
	"gatewright/sandbox/artifact"
	"gatewright/sandbox/function"
)

// Lookup says where the modules of a Node.js function are besides its folder. The bootstrap reads it
// as JSON (node/lookup.cjs). What is nowhere there is not found.
type Lookup struct {
	// Modules is the folder that node_modules in the function's folder leads to, "" if there is none.
	Modules string `json:"modules"`
	// Installed are pairs: a folder of a layer, and the folder of the cache whose node_modules
	// stands for the folder's own.
	Installed [][2]string `json:"installed"`
	// Layers are the folders that Lambda merges below /opt, the later one winning.
	Layers []string `json:"layers"`
	// SDK is the folder with the packages that come with the runtime, or "".
	SDK string `json:"sdk"`
	// ESM means that the function has ES modules, for which older versions of Node.js
	// need a thread that finds modules.
	ESM bool `json:"esm"`
	// Maps means that stacks name the lines of the source that the handler was compiled from.
	Maps bool `json:"maps"`
	// Project is the folder in which nothing else is found.
	Project string `json:"project"`
}

// LookupVariable has the lookup. The bootstrap removes it.
const LookupVariable = "GATEWRIGHT_LOOKUP"

func (l *Lookup) String() string {
	// Strings and lists of them can always be encoded.
	text, _ := json.Marshal(l)
	return string(text)
}

// nodeFunction makes a Node.js function ready: its packages, those of its layers, and
// those of the runtime. add adds the program and node_modules to its files.
func (p *Preparer) nodeFunction(
	ctx context.Context, s *function.Spec, ready Prepared, reading func(),
) (_ Prepared, add func(*artifact.Listing) (string, error), err error) {
	find := &Lookup{
		Installed: [][2]string{}, Layers: append([]string{}, p.layerFolders(s)...),
		Project: file.RealPath(cmp.Or(s.Project, s.Folder)),
	}
	own := []string{ready.Source}
	for _, layer := range find.Layers {
		own = append(own, filepath.Join(layer, "nodejs"))
	}
	var stamps, shared []string
	for _, folder := range own {
		installed, err := p.node(ctx, s, folder)
		if err != nil {
			return Prepared{}, nil, err
		}
		stamps, shared = append(stamps, installed.stamp), append(shared, installed.shared...)
		switch at := cmp.Or(installed.folder, folder); {
		case folder == ready.Source && installed.stamp != "" && isFolder(filepath.Join(at, "node_modules")):
			find.Modules = file.RealPath(filepath.Join(at, "node_modules"))
		case installed.folder != "" && folder != ready.Source:
			find.Installed = append(find.Installed, [2]string{file.RealPath(folder), installed.folder})
		}
	}
	var modules []string
	for i, layer := range find.Layers {
		modules = append(append(within(layer, "nodejs/node_modules"), p.installedIn(find, own[i+1])...), modules...)
	}
	reading()
	program, module, err := p.handler(ctx, s, ready.Source)
	if err != nil {
		return Prepared{}, nil, err
	}
	if len(modules) > 0 && module {
		p.Warn(s, "its packages in layers are not found by import, as in Lambda: Node.js looks there only for require; "+
			"use createRequire of node:module, or put them into src/package.json")
	}
	uses := p.readImports(slices.Concat(own, find.Layers, shared))
	find.ESM = uses.modules || module
	if program != nil {
		find.Maps = true
		uses.addPackages(program.packages)
	}
	sdk, err := p.runtimePackages(ctx, s, ready.Source, uses, find)
	if err != nil {
		return Prepared{}, nil, err
	}
	if sdk.folder != "" {
		find.SDK = file.RealPath(sdk.folder)
		modules = append(modules, filepath.Join(find.SDK, "node_modules"))
	}
	ready.Env = addPath(p.layers(s, ready.Env), "NODE_PATH", modules)
	ready.Stamp = strings.Join(slices.Compact(append(stamps, sdk.stamp)), " ")
	ready.Lookup = find
	return ready, func(l *artifact.Listing) (string, error) {
		if l.Modules != "" {
			find.Modules = file.RealPath(l.Modules)
		}
		if program == nil {
			return find.Modules, nil
		}
		return find.Modules, l.AddProgram(program.From, program.File)
	}, nil
}

// handler looks at the handler of a source, and compiles it if it is written in TypeScript. It
// reports whether it is an ES module. One that is missing is no error here: Node.js says it as
// Lambda does.
func (p *Preparer) handler(ctx context.Context, s *function.Spec, src string) (made *compiled, module bool, err error) {
	folder := os.DirFS(filepath.Dir(src))
	handler, err := source.FindHandler(folder, s.Runtime, s.HandlerName())
	if err != nil {
		return nil, false, nil
	}
	if handler.Beside != "" && s.Build == nil {
		p.Warn(s, handler.File+" runs, as in Lambda, and not "+handler.Beside+" beside it; remove "+handler.File+
			" to have the other one compiled")
	}
	if !handler.TypeScript {
		return nil, handler.IsModule(folder), nil
	}
	if made, err = p.typescript(ctx, s, src, handler); err != nil {
		return nil, false, err
	}
	return made, made.module, nil
}

func isFolder(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.IsDir()
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
