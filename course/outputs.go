package course

import (
	"maps"
	"slices"
	"strings"

	"gatewright/model"
)

// bucket is the bucket of the lesson about outputs, bucketRegion where it is, and
// supportMail the value that the lesson adds below custom.
const (
	bucket       = "bookshop-covers"
	bucketRegion = "eu-west-1"
	supportMail  = "supportMail"
)

func outputs() Lesson {
	return Lesson{
		ID:    "outputs",
		Place: InOutputs,
		Check: checkOutputs,
		Look: func(b *model.Backend) []string {
			var lines []string
			for _, o := range b.Outputs {
				lines = append(lines, "The output "+model.Quote(o.Name)+" has "+model.QuoteList(slices.Sorted(maps.Keys(o.Values))))
			}
			if lines == nil {
				return []string{"There is no output yet"}
			}
			return lines
		},
		Command: "gatewright add output covers --set storage.cloud_region=eu-west-1 --set storage.bucket_name=bookshop-covers " +
			"--set custom.supportMail=help@bookshop.example",
		solve: func(b *model.Backend) (*model.Backend, error) {
			return b.Edit(func(b *model.Backend) error {
				return b.AddNamedOutput("covers", model.Outputs{
					"storage": map[string]any{"cloud_region": bucketRegion, "bucket_name": bucket},
					"custom":  map[string]any{supportMail: "help@bookshop.example"},
				})
			})
		},
	}
}

func checkOutputs(b *model.Backend, _ Facts) []string {
	var missing []string
	region, hasRegion := given(b, "storage", "cloud_region")
	name, hasName := given(b, "storage", "bucket_name")
	switch {
	case !hasRegion && !hasName && b.Storage != nil:
		missing = append(missing, "The bucket is in storage.json, which is a definition. This lesson is about adding it as an output.")
	case !hasRegion && !hasName:
		missing = append(missing, "No output adds the section storage.")
	case !hasName:
		missing = append(missing, "The section storage has no bucket_name, so it is not complete and stays out of the file.")
	case !hasRegion:
		missing = append(missing, "The section storage has no cloud_region, so it is not complete and stays out of the file.")
	}
	if hasName && name != bucket {
		missing = append(missing, "The bucket is called "+shown(name)+": the one with the covers is "+bucket+".")
	}
	if hasRegion && region != bucketRegion {
		missing = append(missing, "The cloud_region of storage is "+shown(region)+": the bucket is in "+bucketRegion+".")
	}
	mail, found := given(b, "custom", supportMail)
	text, isText := mail.(string)
	switch {
	case !found && misspelled(b) != "":
		missing = append(missing, "custom has "+model.Quote(misspelled(b))+", but the app looks for supportMail.")
	case !found:
		missing = append(missing, "No output adds supportMail below custom.")
	case !isText || !strings.Contains(text, "@"):
		missing = append(missing, "supportMail below custom is "+shown(mail)+", which is no address: give a text with an @ in it.")
	}
	return missing
}

// given is the value that an output gives for a member of a section.
func given(b *model.Backend, section, name string) (any, bool) {
	for _, o := range b.Outputs {
		members, _ := o.Values[section].(map[string]any)
		if value, ok := members[name]; ok {
			return value, true
		}
	}
	return nil, false
}

// misspelled is a name below custom that is supportMail but for its spelling.
func misspelled(b *model.Backend) string {
	for _, o := range b.Outputs {
		members, _ := o.Values["custom"].(map[string]any)
		if near := model.Nearest(supportMail, slices.Sorted(maps.Keys(members))); near != "" {
			return near
		}
	}
	return ""
}

func shown(value any) string {
	if text, ok := value.(string); ok {
		return model.Quote(text)
	}
	return model.Quote(model.Canonical(value))
}
