package refuse

import (
	"os"
	"slices"

	"gatewright/deploy/archive"
	"gatewright/deploy/contract"
	"gatewright/model"
	"gatewright/project"
)

// Weights are the errors of functions whose files have, with those of their layers, more bytes than
// Lambda takes, and a note for each of which that is not known. weigh returns what a source has unpacked.
func Weights(
	target contract.Target, weigh func(i int, s archive.Source) (size int64, known bool),
) (problems []*model.Problem) {
	type weight struct {
		size  int64
		known bool
	}
	weights := make(map[model.Ref]weight)
	sources := Sources(target)
	for i, s := range sources {
		size, known := weigh(i, s)
		weights[s.Ref()] = weight{size, known}
	}
	for _, s := range sources {
		if s.Layer {
			continue
		}
		all := weights[s.Ref()]
		for _, layer := range sources {
			if layer.Layer && slices.Contains(target.Project.Backend.Function(s.Name).Layers, layer.Name) {
				all.size, all.known = all.size+weights[layer.Ref()].size, all.known && weights[layer.Ref()].known
			}
		}
		switch {
		case all.size > archive.MostUnzipped:
			problems = append(problems, archive.TooLarge(s, all.size, archive.MostUnzipped, ", here or in its layers"))
		case !all.known:
			problems = append(problems, &model.Problem{
				Of: s.Ref(), Level: model.Note, Text: "its size is unknown until its packages are installed for a push",
				Fix: "see it with: gatewright function show " + model.ShellWord(s.Name),
			})
		}
	}
	return problems
}

// KnownWeights are the Weights as far as this machine knows them: nothing is installed or built.
func KnownWeights(target contract.Target) []*model.Problem {
	// Without the folder nothing is installed.
	cache, _ := project.UserArchives(os.Getenv)
	builder := archive.New(cache)
	return Weights(target, func(_ int, s archive.Source) (int64, bool) {
		size, known, err := builder.Weigh(s)
		// What is wrong with a source is told where it is checked.
		return size, known || err != nil
	})
}
