package course

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"gatewright/flow"
	"gatewright/internal/text/phrase"
	"gatewright/internal/text/spelling"
	"gatewright/model"
)

func beginEnvironments(b *model.Backend) flow.Task {
	api := b.API(stock)
	switch {
	case api == nil:
		return flow.Task{}
	case len(api.Paths) > 0 && api.Path("/stock") == nil:
		return flow.Task{API: stock, Path: api.Paths[0].Name}
	}
	return flow.Task{API: stock, Path: "/stock"}
}

func checkEnvironments(b *model.Backend, _ Facts) []string {
	_, missing := findPath(b, stock, "/stock")
	qa, dev := b.Environment(quality), b.Environment(development)
	missing.addIf(qa == nil, "There is no environment qa%s.", nameOthers(b.Names(model.KindEnvironment), "", ", but "))
	missing.addIf(dev == nil, "The environment dev no longer exists, but this lesson needs both.")
	has := func(e *model.Environment, label string, want bool) {
		if e != nil && b.API(label) != nil {
			missing.addIf(want && !e.Has(label), "The environment %s does not have the API %s.", e.Name, label)
			missing.addIf(!want && e.Has(label),
				"The environment %s has the API %s too, but only qa should have it.", e.Name, label)
		}
	}
	has(qa, stock, true)
	has(qa, shop, true)
	has(dev, shop, true)
	has(dev, stock, false)
	if qa != nil {
		missing.addIf(qa.Provider != model.Local,
			"The environment qa has the provider %s. In this course it must be local, which is this machine.",
			phrase.Quote(string(qa.Provider)))
	}
	return missing
}

func summarizeEnvironments(b *model.Backend) []string {
	var lines []string
	for _, e := range b.Environments {
		have := slices.DeleteFunc(b.Names(model.KindAPI), func(label string) bool { return !e.Has(label) })
		lines = append(lines, "Environment "+phrase.Quote(e.Name)+" has "+cmp.Or(phrase.QuoteList(have), "no API"))
	}
	return lines
}

// The values of the lesson about outputs: the bucket, its region, and the field that the lesson adds below custom.
const (
	bucket       = "bookshop-covers"
	bucketRegion = "eu-west-1"
	supportMail  = "supportMail"
)

func summarizeOutputs(b *model.Backend) []string {
	var lines []string
	for _, o := range b.Outputs {
		lines = append(lines, "The output "+phrase.Quote(o.Name)+" has "+phrase.QuoteList(slices.Sorted(maps.Keys(o.Values))))
	}
	if lines == nil {
		return []string{"There is no output yet"}
	}
	return lines
}

func checkOutputs(b *model.Backend, _ Facts) []string {
	var missing findings
	storage, custom := outputMembers(b, "storage"), outputMembers(b, "custom")
	region, hasRegion := storage["cloud_region"]
	name, hasName := storage["bucket_name"]
	none := !hasRegion && !hasName
	missing.addIf(none && b.Storage != nil,
		"The bucket is in storage.json, which is a definition. In this lesson, add it as an output.")
	missing.addIf(none && b.Storage == nil, "No output adds the section storage.")
	missing.addIf(!none && !hasName,
		"The section storage has no bucket_name. A section that is not complete is left out of the file.")
	missing.addIf(!none && !hasRegion,
		"The section storage has no cloud_region. A section that is not complete is left out of the file.")
	missing.addIf(hasName && name != bucket,
		"The bucket_name of storage is %s, but the bucket with the covers is "+bucket+".", quoteValue(name))
	missing.addIf(hasRegion && region != bucketRegion,
		"The cloud_region of storage is %s, but the bucket is in "+bucketRegion+".", quoteValue(region))
	mail, found := custom[supportMail]
	// The error shows a misspelled name, because the misspelling is hard to see.
	slip := spelling.Nearest(supportMail, slices.Sorted(maps.Keys(custom)))
	missing.addIf(!found && slip != "", "custom has %s, but the app looks for supportMail.", phrase.Quote(slip))
	missing.addIf(!found && slip == "", "No output adds supportMail below custom.")
	text, _ := mail.(string)
	missing.addIf(found && !strings.Contains(text, "@"),
		"supportMail below custom is %s, which is not an email address: it has no @.", quoteValue(mail))
	return missing
}

// outputMembers returns the members that all outputs add to a section. If several outputs
// have a member, the value of the first one counts.
func outputMembers(b *model.Backend, section string) map[string]any {
	all := make(map[string]any)
	for _, o := range slices.Backward(b.Outputs) {
		members, _ := o.Values[section].(map[string]any)
		maps.Copy(all, members)
	}
	return all
}

func checkTesting(b *model.Backend, f Facts) []string {
	path, missing := findPath(b, shop, listPath)
	if path == nil {
		return missing
	}
	missing = append(missing, checkEvent(path.Function, f.Events[path.Function])...)
	ran := f.Called[development+"/"+path.Function]
	missing.addIf(f.Node && !ran, "No request for "+listPath+
		" has reached the function %s in dev: start the sandbox and send a GET from the console.",
		phrase.Quote(path.Function))
	push, known := f.Pushed[development]
	missing.addIf(!known, "The environment dev no longer exists, so it cannot be pushed.")
	missing.addIf(push.Never, "dev was never pushed.")
	missing.addIf(!push.Never && push.Behind > 0,
		"dev was pushed before the last change: another push would change %s. Push it again.",
		phrase.Count(push.Behind, "thing"))
	return missing
}

// checkEvent checks the event that a mock calls the function with.
func checkEvent(function, text string) (missing findings) {
	file := "The event of the function " + phrase.Quote(function)
	if text == "" {
		return findings{file + " is missing: it is the file src/event.json."}
	}
	var event struct {
		HTTPMethod any            `json:"httpMethod"`
		Path       any            `json:"path"`
		Query      map[string]any `json:"queryStringParameters"`
	}
	if err := json.Unmarshal([]byte(text), &event); err != nil {
		return findings{file + " is not valid JSON: " + phrase.Quote(err.Error()) + "."}
	}
	method, _ := event.HTTPMethod.(string)
	missing.addIf(!strings.EqualFold(method, "GET"), "%s has the httpMethod %s, not GET.", file,
		quoteValue(event.HTTPMethod))
	missing.addIf(event.Path != listPath, "%s has the path %s, not "+listPath+".", file, quoteValue(event.Path))
	limit, hasLimit := event.Query["limit"]
	isNumber := limit == 5.0
	missing.addIf(!hasLimit, "%s has no limit in queryStringParameters.", file)
	missing.addIf(isNumber,
		"%s has the limit 5, which is a number. The values of a query string are texts: \"5\", with quotes.", file)
	missing.addIf(hasLimit && !isNumber && limit != "5", "%s has the limit %s, not the text \"5\".", file,
		quoteValue(limit))
	return missing
}
