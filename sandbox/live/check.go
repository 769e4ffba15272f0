package live

import (
	"cmp"
	"errors"
	"fmt"
	"os"

	"gatewright/internal/source"
	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/sandbox/function"
	"gatewright/sandbox/prepare"
)

// check checks that the function of each path exists, and that each function has the source file that its
// handler names.
func (l *live) check() error {
	var wrong []error
	for _, s := range l.serving {
		for _, spec := range s.Functions {
			// A script may make the source.
			if err := cmp.Or(prepare.CheckLayers(&spec), checkSource(spec)); err != nil && spec.Build == nil {
				wrong = append(wrong, err)
			}
		}
		for _, endpoint := range s.record.APIs {
			for _, p := range s.backend.API(endpoint.API).Paths {
				if s.backend.Function(p.Function) == nil {
					wrong = append(wrong, fmt.Errorf("path %s of the API %s names the function %s, which does not exist; add "+
						"it with: %s", phrase.QuotePath(p.Name), phrase.Quote(endpoint.API), phrase.Quote(p.Function),
						s.backend.Command("gatewright add function "+model.ShellWord(p.Function))))
				}
			}
		}
	}
	if len(wrong) > 1 {
		return fmt.Errorf("%w (and %d more)", wrong[0], len(wrong)-1)
	}
	return errors.Join(wrong...)
}

// checkSource checks that the file which a handler names exists. A layer may have it.
func checkSource(spec function.Spec) error {
	if spec.Fault != "" {
		return fmt.Errorf("function %s is not run: %s", phrase.Quote(spec.Name), spec.Fault)
	}
	_, err := source.FindHandler(os.DirFS(spec.Folder), spec.Runtime, spec.Handler)
	if problem, ok := errors.AsType[*model.Problem](err); ok && (len(spec.Layers) == 0 || problem.Field == "") {
		wrong := *problem
		wrong.Of = model.Ref{Kind: model.KindFunction, Name: spec.Name}
		return &wrong
	}
	return nil
}
