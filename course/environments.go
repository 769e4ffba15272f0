package course

import (
	"strings"

	"gatewright/flow"
	"gatewright/model"
)

func environments() Lesson {
	return Lesson{
		ID: "environments",
		Begin: func(b *model.Backend) flow.Task {
			api := b.API(stock)
			switch {
			case api == nil:
				return flow.Task{}
			case len(api.Paths) > 0 && api.Path("/stock") == nil:
				return flow.Task{API: stock, Path: api.Paths[0].Name}
			}
			return flow.Task{API: stock, Path: "/stock"}
		},
		Check: checkEnvironments,
		Look: func(b *model.Backend) []string {
			var lines []string
			for _, e := range b.Environments {
				var have []string
				for _, api := range b.APIs {
					if e.Has(api.Label) {
						have = append(have, model.Quote(api.Label))
					}
				}
				if len(have) == 0 {
					have = []string{"no API"}
				}
				lines = append(lines, "Environment "+model.Quote(e.Name)+" has "+strings.Join(have, ", "))
			}
			return lines
		},
		Command: "gatewright add env qa && gatewright add api stock --path /stock --function stock --new-function plain --open && " +
			"gatewright update env dev --api shop",
		solve: walked(flow.Task{}, flow.Answers{
			Service: flow.REST, Label: stock, Paths: []flow.PathAnswer{open("/stock", stock)},
			Environments: []string{}, NewEnvironment: quality,
		}),
	}
}

func checkEnvironments(b *model.Backend, _ Facts) []string {
	_, missing := pathOf(b, stock, "/stock")
	qa, dev := b.Environment(quality), b.Environment(development)
	if qa == nil {
		missing = append(missing, "There is no environment qa"+otherEnvironments(b)+".")
	}
	if dev == nil {
		missing = append(missing, "The environment dev is gone: this lesson needs both.")
	}
	has := func(e *model.Environment, label string, want bool) {
		if e == nil || b.API(label) == nil || e.Has(label) == want {
			return
		}
		if want {
			missing = append(missing, "The environment "+e.Name+" does not have the API "+label+".")
		} else {
			missing = append(missing, "The environment "+e.Name+" has the API "+label+" too: it is to be in qa alone.")
		}
	}
	has(qa, stock, true)
	has(qa, shop, true)
	has(dev, shop, true)
	has(dev, stock, false)
	if qa != nil && qa.Provider != model.Local {
		missing = append(missing, "The environment qa is deployed to "+model.Quote(string(qa.Provider))+": in this course it runs on this machine, with the provider local.")
	}
	return missing
}

func otherEnvironments(b *model.Backend) string {
	var names []string
	for _, e := range b.Environments {
		names = append(names, e.Name)
	}
	if len(names) == 0 {
		return ""
	}
	return ", but " + model.QuoteList(names)
}
