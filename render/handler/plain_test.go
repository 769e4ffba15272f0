package handler

import (
	"encoding/json"
	"testing"

	"gatewright/model"
)

func TestPlainHandlersAnswerAlike(t *testing.T) {
	t.Parallel()
	engines := map[model.Runtime]func(testing.TB) *engine{
		model.NodeJS: nodeEngine,
		model.Python: pythonEngine,
	}
	for runtime, start := range engines {
		t.Run(string(runtime), func(t *testing.T) {
			e := start(t)
			files := render(t, Spec{Function: "items", Runtime: runtime, Template: model.Plain})
			folder := e.write(t, files)
			verify(t, exchanges, e.do(t, call{Folder: folder, Events: events(exchanges)}))
		})
	}
}

func TestHandlersAnswerTheirOwnEvent(t *testing.T) {
	t.Parallel()
	for _, s := range []Spec{
		{Function: "items", Runtime: model.NodeJS, Template: model.Express},
		{Function: "books", Runtime: model.NodeJS, Template: model.Express, Paths: []string{"/book/{isbn}", "/book/1", "/"}},
		{Function: "items", Runtime: model.NodeJS, Template: model.Plain},
		{Function: "items", Runtime: model.Python, Template: model.Plain},
	} {
		t.Run(string(s.Template)+" "+string(s.Runtime), func(t *testing.T) {
			start := nodeEngine
			switch {
			case s.Runtime == model.Python:
				start = pythonEngine
			case s.Template == model.Express:
				start = packagesEngine
			}
			e := start(t)
			folder := e.write(t, render(t, s))
			got := e.do(t, call{Folder: folder, Events: []json.RawMessage{Event(s)}})
			if got[0].StatusCode != 200 {
				t.Errorf("status %d for %s: %s", got[0].StatusCode, Event(s), got[0].Body)
			}
		})
	}
}
