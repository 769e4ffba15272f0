package prepare

import (
	"context"
	"errors"
	"path/filepath"
	"testing"

	"gatewright/internal/source"
	"gatewright/internal/source/typescript"
	"gatewright/model"
	"gatewright/test/await"
)

func TestTheProgramOfAnEarlierStateDoesNotTakeThePlaceOfALaterOne(t *testing.T) {
	t.Parallel()
	for _, mistake := range []error{nil, errors.New("a mistake that is corrected")} {
		p := newPreparing(t, model.NodeJS, map[string]string{"index.ts": "export const handler = async () => 2"})
		place := p.spec.Environment + "/" + p.spec.Name
		release, ended := make(chan struct{}), make(chan error, 1)
		waiting := func(n int) func() bool {
			return func() bool {
				p.Preparer.mu.Lock()
				defer p.Preparer.mu.Unlock()
				f := p.flights["typescript "+place]
				return f != nil && f.waiting == n
			}
		}
		go func() {
			ended <- p.once(t.Context(), &p.spec, "typescript "+place, func(context.Context) error {
				<-release
				p.Preparer.mu.Lock()
				defer p.Preparer.mu.Unlock()
				p.programs[place] = program{"earlier", &typescript.Program{File: "earlier.js"}}
				return mistake
			})
		}()
		await.Until(t, "the program of the earlier state is made", waiting(1))
		made := make(chan *typescript.Program, 1)
		go func() {
			c, err := p.typescript(t.Context(), &p.spec, filepath.Join(p.spec.Folder, "src"), source.Handler{File: "src/index.ts", Module: "index", TypeScript: true})
			if err != nil {
				t.Error(err)
			}
			made <- c
		}()
		await.Until(t, "that of the later one waits", waiting(2))
		close(release)
		if c := await.Next(t, "the program of the later state", made); c == nil || c.File != "index.cjs" {
			t.Errorf("after %v the later state is given %+v", mistake, c)
		}
		<-ended
	}
}
