package project

import (
	"strings"

	"github.com/spf13/afero"

	"gatewright/model"
	"gatewright/project/journal"
)

// environmentFile holds the name of the environment that was chosen on this
// machine.
var environmentFile = journal.State[1]

// CurrentEnvironment is the environment chosen on this machine, or the only one
// there is; nil where there is no saying.
func (p *Project) CurrentEnvironment() *model.Environment {
	return environmentOf(p.Backend, p.chosen())
}

func (p *Project) chosen() string {
	name, err := afero.ReadFile(p.fsys, environmentFile)
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(name))
}

func environmentOf(b *model.Backend, chosen string) *model.Environment {
	if e := b.Environment(chosen); e != nil {
		return e
	}
	if len(b.Environments) == 1 {
		return b.Environments[0]
	}
	return nil
}

// environment is CurrentEnvironment of the planned backend. One that was chosen
// and gets another name stays chosen.
func (pl *planner) environment() (*model.Environment, error) {
	chosen := pl.chosen()
	for to, from := range pl.renames[model.KindEnvironment] {
		if from == chosen {
			return pl.next.Environment(to), pl.keep(environmentFile, []byte(to+"\n"))
		}
	}
	return environmentOf(pl.next, chosen), nil
}
