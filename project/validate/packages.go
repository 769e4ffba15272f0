package validate

import (
	"errors"
	"fmt"
	"path"
	"strings"

	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/project"
)

// packages adds what is wrong with the packages in folders of a function.
func (v *validation) packages(p *project.Project, f *model.Function) {
	var wrong *model.Problem
	if errors.As(p.CheckPackages(f), &wrong) {
		problem := *wrong
		problem.Of = model.Ref{Kind: model.KindFunction, Name: f.Name}
		v.add(byRules, located(p, &problem))
	}
}

// layers adds the layers of a function that are no folders, and those of another runtime
// (https://docs.aws.amazon.com/lambda/latest/dg/packaging-layers.html).
func (v *validation) layers(p *project.Project, f *model.Function) {
	for i, layer := range f.Layers {
		say := func(text, fix string) {
			v.add(byRules, located(p, &model.Problem{
				Of: model.Ref{Kind: model.KindFunction, Name: f.Name}, Pointer: fmt.Sprintf("/layers/%d", i),
				Text: "the layer " + phrase.Quote(layer) + " " + text, Fix: fix,
			}))
		}
		folder := p.LayerFolder(layer)
		if strings.HasPrefix(layer, "arn:") {
			continue
		}
		if info, err := p.FS.Stat(folder); err != nil || !info.IsDir() {
			name := path.Join("layer", path.Base(layer))
			say("is not a folder of the project", "create the folder "+phrase.QuotePath(path.Join(p.Layout.String(), name))+
				", and name it "+phrase.Quote(name))
			continue
		}
		has := func(names ...string) bool {
			for _, name := range names {
				if len(p.Folders(path.Join(folder, name)))+len(p.Files(path.Join(folder, name))) > 0 {
					return true
				}
			}
			return false
		}
		for of, other := range map[model.Runtime]model.Runtime{model.NodeJS: model.Python, model.Python: model.NodeJS} {
			language, of, other := f.Runtime.Language(), string(of), string(other)
			if string(language) == of && has(other) && !has(of) && !has("bin", "lib") {
				say("is for "+other+" alone, and the function runs "+of, "put what it needs into "+
					phrase.QuotePath(path.Join(folder, of))+", or leave the layer out")
			}
		}
	}
}
