package function

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"os"
	"path/filepath"

	"gatewright/source"
	"gatewright/source/typescript"
)

// compiled is a handler in TypeScript that was compiled. The bootstrap loads it as if it
// were a file of the source, so that it finds packages and files where it would in Lambda.
type compiled struct {
	// File is where Lambda would have it, From where it is.
	File string `json:"file"`
	From string `json:"from"`
	// Packages are what its imports name.
	packages []string
	module   bool
}

// typescript compiles the handler of a source; nil if it is not written in TypeScript, or if
// it is missing: Node.js says that as Lambda does.
func (p *preparer) typescript(ctx context.Context, s *Spec, src string) (*compiled, error) {
	folder := filepath.Dir(src)
	handler, err := source.FindHandler(os.DirFS(folder), s.Runtime, s.handler())
	if err != nil {
		return nil, nil
	}
	if handler.Beside != "" && s.Build == nil {
		p.warn(s, handler.File+" runs, as in Lambda, and not "+handler.Beside+" beside it; remove "+handler.File+" to have the other one compiled")
	}
	if !handler.TypeScript {
		return nil, nil
	}
	program, err := typescript.Compile(typescript.Source{Folder: realPath(folder), Handler: handler, Node: runtimeMajor(s.RuntimeName)})
	if err != nil {
		return nil, notPrepared(oneLine(err.Error()), "correct the source; the next call tries again").forFunction(s)
	}
	for _, warning := range program.Warnings {
		p.warn(s, oneLine(warning))
	}
	text := program.Code
	if len(program.Map) > 0 {
		text = append(append(text, "//# sourceMappingURL=data:application/json;base64,"...), base64.StdEncoding.EncodeToString(program.Map)...)
	}
	sum := sha256.Sum256(text)
	place := filepath.Join(p.state, "typescript", s.Environment, s.Name, hex.EncodeToString(sum[:16]))
	from := filepath.Join(place, filepath.Base(program.File))
	err = p.once(ctx, s, "typescript "+place, func(context.Context) error {
		if err := os.MkdirAll(place, 0o700); err != nil {
			return notPrepared("no folder can be made for its program: "+reason(err), "make the state folder writable")
		}
		if err := replaceFile(from, text); err != nil {
			return notPrepared("its program cannot be written: "+reason(err), "make the state folder writable")
		}
		removeBuilds(filepath.Dir(place), place)
		return nil
	})
	return &compiled{
		File: filepath.Join(realPath(src), filepath.FromSlash(program.File)), From: from,
		packages: program.Packages, module: program.IsModule(),
	}, err
}
