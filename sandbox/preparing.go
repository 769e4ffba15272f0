package sandbox

import (
	"cmp"
	"slices"
	"strings"
	"sync"

	"gatewright/sandbox/function"
)

// Preparing is a function whose calls wait until its packages are installed or its program is
// built. Text says which, such as "installing packages (npm ci)".
type Preparing struct {
	Environment string `json:"environment"`
	Function    string `json:"function"`
	Text        string `json:"text"`
}

// preparations are the functions that are being prepared, as their events say.
type preparations struct {
	mutex sync.Mutex
	of    map[[2]string]string
}

// watch returns a receiver of events that remembers what is being prepared, and passes all
// events on.
func (p *preparations) watch(next func(Event)) func(Event) {
	return func(e Event) {
		p.take(e)
		next(e)
	}
}

func (p *preparations) take(e Event) {
	begins := false
	if e.Kind == function.EventInstall || e.Kind == function.EventBuild {
		// The events of a kind also say that the work has ended.
		begins = slices.ContainsFunc([]string{"installing ", "building ", "running "},
			func(word string) bool { return strings.HasPrefix(e.Text, word) })
	}
	p.mutex.Lock()
	defer p.mutex.Unlock()
	of := [2]string{e.Environment, e.Function}
	if !begins {
		delete(p.of, of)
		return
	}
	if p.of == nil {
		p.of = make(map[[2]string]string)
	}
	p.of[of] = e.Text
}

// list is what is being prepared now.
func (p *preparations) list() []Preparing {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	all := []Preparing{}
	for of, text := range p.of {
		all = append(all, Preparing{of[0], of[1], text})
	}
	slices.SortFunc(all, func(a, b Preparing) int {
		return cmp.Or(strings.Compare(a.Environment, b.Environment), strings.Compare(a.Function, b.Function))
	})
	return all
}
