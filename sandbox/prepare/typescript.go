package prepare

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"os"
	"path/filepath"

	"gatewright/internal/file"
	"gatewright/internal/file/fingerprint"
	"gatewright/internal/source"
	"gatewright/internal/source/typescript"
	"gatewright/sandbox/function"
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

// program is a handler that was compiled, with the fingerprint of what it was made from.
type program struct {
	looks string
	compiled
}

// typescript compiles a handler that is written in TypeScript. Workers of the same source get
// the same program.
func (p *Preparer) typescript(
	ctx context.Context, s *function.Spec, src string, handler source.Handler,
) (*compiled, error) {
	folder := file.RealPath(filepath.Dir(src))
	looks := programLooks(folder, handler, s.RuntimeName)
	place := filepath.Join(p.state, "typescript", s.Environment, s.Name)
	kept := func() (program, bool) {
		p.mu.Lock()
		defer p.mu.Unlock()
		found := p.programs[place]
		return found, found.looks == looks
	}
	for {
		if found, ok := kept(); ok {
			return &found.compiled, nil
		}
		// One at a time: the program of an earlier state of the source must not take the place of a
		// later one, nor is its error that of the later one.
		own := false
		err := p.once(ctx, s, "typescript "+place, func(context.Context) error {
			own = true
			if _, ok := kept(); ok {
				return nil
			}
			made, err := p.compile(s, folder, place, handler)
			if err != nil {
				return err
			}
			p.mu.Lock()
			defer p.mu.Unlock()
			p.programs[place] = program{looks, made}
			return nil
		})
		if err != nil && (ctx.Err() != nil || own) {
			return nil, err
		}
	}
}

// programLooks is the fingerprint of what a program is made from: the function's folder, what the
// folders around it say of TypeScript, and the runtime. Packages that a tsconfig.json extends are
// not in it.
func programLooks(folder string, handler source.Handler, runtime string) string {
	sum := fingerprint.New()
	looks, err := fingerprint.Attributes(folder)
	if err != nil {
		// The compiler says what cannot be read.
		looks = err.Error()
	}
	sum.Text(looks + " " + handler.File + " " + handler.Module + " " + runtime)
	for at := filepath.Dir(folder); ; at = filepath.Dir(at) {
		name := filepath.Join(at, "tsconfig.json")
		if info, err := os.Stat(name); err == nil {
			sum.Attributes(name, info)
		}
		if at == filepath.Dir(at) {
			return sum.String()
		}
	}
}

// compile compiles a handler and writes the program into a folder of its own below place.
func (p *Preparer) compile(s *function.Spec, folder, place string, handler source.Handler) (compiled, error) {
	made, err := typescript.Compile(typescript.Source{
		Folder: folder, Handler: handler,
		Node: source.NodeMajor(s.RuntimeName),
	})
	if err != nil {
		return compiled{}, notPrepared(function.OneLine(err.Error()), "correct the source; the next call tries again")
	}
	for _, warning := range made.Warnings {
		p.Warn(s, function.OneLine(warning))
	}
	text := made.Code
	if len(made.Map) > 0 {
		text = append(append(text, "//# sourceMappingURL=data:application/json;base64,"...),
			base64.StdEncoding.EncodeToString(made.Map)...)
	}
	sum := sha256.Sum256(text)
	version := filepath.Join(place, hex.EncodeToString(sum[:16]))
	from := filepath.Join(version, filepath.Base(made.File))
	if err := os.MkdirAll(version, 0o700); err != nil {
		return compiled{},
			notPrepared("no folder can be made for its program: "+reason(err), "make the state folder writable")
	}
	if err := file.Ensure(from, text); err != nil {
		return compiled{}, notPrepared("its program cannot be written: "+reason(err), "make the state folder writable")
	}
	removeBuilds(place, version)
	return compiled{
		File: filepath.Join(file.RealPath(filepath.Join(folder, source.Folder)), filepath.FromSlash(made.File)), From: from,
		packages: made.Packages, module: made.IsModule(),
	}, nil
}
