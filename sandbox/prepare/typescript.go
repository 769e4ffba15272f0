package prepare

import (
	"context"
	"os"
	"path/filepath"

	"gatewright/internal/file"
	"gatewright/internal/file/fingerprint"
	"gatewright/internal/source"
	"gatewright/internal/source/typescript"
	"gatewright/sandbox/function"
)

// program is a handler that was compiled, with the fingerprint of what it was made from.
type program struct {
	looks string
	*typescript.Program
}

// typescript compiles a handler that is written in TypeScript. Workers of the same source get
// the same program.
func (p *Preparer) typescript(
	ctx context.Context, s *function.Spec, src string, handler source.Handler,
) (*typescript.Program, error) {
	folder := file.RealPath(filepath.Dir(src))
	looks := programLooks(folder, handler, s.RuntimeName)
	place := s.Environment + "/" + s.Name
	kept := func() (program, bool) {
		p.mu.Lock()
		defer p.mu.Unlock()
		found := p.programs[place]
		return found, found.looks == looks
	}
	for {
		if found, ok := kept(); ok {
			return found.Program, nil
		}
		// One at a time: the program of an earlier state of the source must not take the place of a
		// later one, nor is its error that of the later one.
		own := false
		err := p.once(ctx, s, "typescript "+place, func(context.Context) error {
			own = true
			if _, ok := kept(); ok {
				return nil
			}
			made, err := p.compile(s, folder, handler)
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

// programLooks is the fingerprint of what a program is made from: the function's folder, what the folders
// around it say of TypeScript, and the runtime. Packages that a tsconfig.json extends are not in it.
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

// compile compiles a handler.
func (p *Preparer) compile(s *function.Spec, folder string, handler source.Handler) (*typescript.Program, error) {
	made, err := typescript.Compile(typescript.Source{
		Folder: folder, Handler: handler,
		Node: source.NodeMajor(s.RuntimeName),
	})
	if err != nil {
		return nil, notPrepared(function.OneLine(err.Error()), "correct the source; the next call tries again")
	}
	for _, warning := range made.Warnings {
		p.Warn(s, function.OneLine(warning))
	}
	return made, nil
}
