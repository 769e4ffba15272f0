package prepare

import (
	"cmp"
	"context"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"gatewright/internal/file"
	"gatewright/internal/source"
	"gatewright/internal/source/typescript"
	"gatewright/sandbox/artifact"
	"gatewright/sandbox/function"
)

// Lookup says where the modules of a Node.js function are besides its folder. The bootstrap reads it
// as JSON (node/lookup.cjs). What is nowhere there is not found.
type Lookup struct {
	// Modules is the folder that node_modules in the function's folder is or leads to, "" if there is none.
	Modules string `json:"modules"`
	// Opt is the folder that is /opt in Lambda, or "".
	Opt string `json:"opt"`
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

// nodeFunction makes a Node.js function ready: its packages, its layers, and the packages of the
// runtime. add adds the program and the packages to its files.
func (p *Preparer) nodeFunction(
	ctx context.Context, s *function.Spec, ready Prepared, layers []layer, reading func(),
) (_ Prepared, add func(*artifact.Listing) error, err error) {
	own, err := p.node(ctx, s, ready.Source)
	if err != nil {
		return Prepared{}, nil, err
	}
	if own.stamp == "" {
		own.folder = ready.Source
	}
	reading()
	if err := p.opt(s, layers, &ready); err != nil {
		return Prepared{}, nil, err
	}
	find := &Lookup{Opt: ready.Opt, Project: file.RealPath(cmp.Or(s.Project, s.Folder))}
	program, module, err := p.handler(ctx, s, ready.Source)
	if err != nil {
		return Prepared{}, nil, err
	}
	var modules []string
	if ready.Opt != "" {
		modules = within(ready.Opt, "nodejs/node_modules")
	}
	if len(modules) > 0 && module {
		p.Warn(s, "its packages in layers are not found by import, as in Lambda: Node.js looks there only for require; "+
			"use createRequire of node:module, or put them into src/package.json")
	}
	folders, stamps := slices.Collect(maps.Values(own.members)), []string{own.stamp}
	for _, one := range layers {
		folders = slices.AppendSeq(append(folders, one.folder), maps.Values(one.members))
		stamps = append(stamps, one.stamp)
	}
	uses := p.readImports(append(folders, ready.Source))
	find.ESM = uses.modules || module
	if program != nil {
		find.Maps = true
		uses.addPackages(program.Packages)
	}
	sdk, err := p.runtimePackages(ctx, s, uses, func(name string) bool {
		return own.has(name) || ready.Opt != "" && cached{folder: filepath.Join(ready.Opt, "nodejs")}.has(name)
	})
	if err != nil {
		return Prepared{}, nil, err
	}
	if sdk.folder != "" {
		find.SDK = file.RealPath(sdk.folder)
		modules = append(modules, filepath.Join(find.SDK, "node_modules"))
	}
	ready.Env = addPath(ready.Env, "NODE_PATH", modules)
	ready.Stamp = strings.Join(slices.Compact(append(stamps, sdk.stamp)), " ")
	ready.Lookup = find
	return ready, func(l *artifact.Listing) error {
		if own.stamp != "" {
			if err := l.Install("", own.folder, own.members); err != nil {
				return err
			}
		}
		if program != nil {
			l.AddProgram(program)
		}
		return nil
	}, nil
}

// handler looks at the handler of a source, and compiles it if it is written in TypeScript. It reports
// whether it is an ES module. One that is missing is no error here: Node.js says it as Lambda does.
func (p *Preparer) handler(ctx context.Context, s *function.Spec, src string) (
	made *typescript.Program, module bool, err error,
) {
	folder := os.DirFS(filepath.Dir(src))
	handler, err := source.FindHandler(folder, s.Runtime, s.HandlerName())
	if err != nil {
		return nil, false, nil
	}
	if handler.Beside != "" && s.Build == nil {
		p.Warn(s, handler.File+" runs, as in Lambda, and not "+handler.Beside+" next to it; remove "+handler.File+
			" to have the other one compiled")
	}
	if !handler.TypeScript {
		return nil, handler.IsModule(folder), nil
	}
	if made, err = p.typescript(ctx, s, src, handler); err != nil {
		return nil, false, err
	}
	return made, made.IsModule(), nil
}

func isFolder(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.IsDir()
}
