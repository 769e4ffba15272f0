package amplify

import (
	"slices"
	"strings"

	"gatewright/internal/cfn"
	"gatewright/model"
	"gatewright/project/document"
	"gatewright/project/read"
)

// amplifyTriggers reads the functions that the user pool of a resource of the category auth
// calls. The Amplify CLI keeps the moments in its answers, with the modules of each function
// (https://docs.amplify.aws/gen1/javascript/tools/cli/usage/lambda-triggers/), and makes a
// function for each that is named after both. A template of the owner may name others.
func (p *Project) amplifyTriggers(name string, answers document.Node, config *read.File) []model.Trigger {
	var triggers []model.Trigger
	add := func(moment, function string) {
		at, err := model.ParseMoment(moment)
		known := slices.ContainsFunc(triggers, func(t model.Trigger) bool { return t.At.Title() == at.Title() })
		if err == nil && !known && function != "" {
			triggers = append(triggers, model.Trigger{At: at, Function: function})
		}
	}
	for _, t := range p.templateTriggers(name) {
		add(string(t.At), t.Function)
	}
	needed := neededFunctions(answers)
	if config != nil {
		entry, _ := config.Doc.Find("/auth/" + model.PointerSegment(name))
		needed = append(needed, neededFunctions(entry)...)
	}
	for _, moment := range chosenMoments(answers) {
		add(moment, p.triggerFunction(name, moment, needed))
	}
	model.SortTriggers(triggers)
	return triggers
}

// chosenMoments are the members of the answer triggers: an object, or a text that holds one.
func chosenMoments(answers document.Node) []string {
	node, _ := answers.Get("triggers")
	if node.Kind() == document.String {
		inner, err := document.Parse([]byte(node.Text()))
		if err != nil {
			return nil
		}
		node = inner.Root()
	}
	var moments []string
	for moment, modules := range node.Members() {
		if modules.Kind() != document.Null {
			moments = append(moments, moment)
		}
	}
	return moments
}

// neededFunctions are the functions in the dependsOn of a resource.
func neededFunctions(of document.Node) []string {
	list, _ := of.Get("dependsOn")
	var names []string
	for _, entry := range list.Elements() {
		category, _ := entry.Get("category")
		name, _ := entry.Get("resourceName")
		if category.Text() == "function" && name.Text() != "" {
			names = append(names, name.Text())
		}
	}
	return names
}

// triggerFunction is the function of a moment: the one that is named after the resource and
// the moment, else the needed one whose name ends with the moment.
func (p *Project) triggerFunction(resource, moment string, needed []string) string {
	named := resource + moment
	if p.Backend.Function(named) != nil {
		return named
	}
	for _, name := range needed {
		if strings.HasSuffix(strings.ToLower(name), strings.ToLower(moment)) {
			return name
		}
	}
	return named
}

// templateTriggers are the functions in LambdaConfig of the template of a user pool, in its
// order. One that says the version of the token event comes before one that does not.
func (p *Project) templateTriggers(resource string) []model.Trigger {
	template := p.Template("auth", resource)
	if template == nil {
		return nil
	}
	var found []model.Trigger
	for _, r := range template.Resources() {
		if r.Type != "AWS::Cognito::UserPool" {
			continue
		}
		calls := r.Properties.Get("LambdaConfig")
		if calls == nil {
			continue
		}
		for _, m := range calls.Members {
			t, value, versioned := model.Trigger{At: model.Moment(m.Name)}, m.Value, m.Name == "PreTokenGenerationConfig"
			if versioned {
				t.At, value = model.PreTokenGeneration, m.Value.Get("LambdaArn")
				if version := m.Value.Get("LambdaVersion"); version != nil && version.Text != "V1_0" {
					t.At = model.PreTokenGenerationV2
				}
			}
			if t.Function = functionOfParameter(value); t.Function == "" {
				continue
			}
			if versioned {
				found = slices.Insert(found, 0, t)
			} else {
				found = append(found, t)
			}
		}
	}
	return found
}

// functionOfParameter is the function whose ARN a template gets in a parameter: those are named functionNAMEArn.
func functionOfParameter(value *cfn.Node) string {
	if value == nil {
		return ""
	}
	ref := value.Get("Ref")
	if ref == nil {
		return ""
	}
	return between(ref.Text, "function", "Arn")
}

// between is the text between a beginning and an end; "" if it has not both.
func between(text, begin, end string) string {
	inner, begins := strings.CutPrefix(text, begin)
	inner, ends := strings.CutSuffix(inner, end)
	if !begins || !ends {
		return ""
	}
	return inner
}

// loadAmplifyStreams reads the functions that are called with the changes of tables: those in
// the answers about a table, and those whose templates have a mapping from its stream.
func (p *Project) loadAmplifyStreams() {
	for _, f := range p.Backend.Functions {
		template := p.templates[f.Name]
		if template == nil {
			continue
		}
		resources, _ := template.file.Doc.Root().Get("Resources")
		for _, resource := range resources.Members() {
			if kind, _ := resource.Get("Type"); kind.Text() != "AWS::Lambda::EventSourceMapping" {
				continue
			}
			properties, _ := resource.Get("Properties")
			source, _ := properties.Get("EventSourceArn")
			ref, _ := source.Get("Ref")
			table := p.Backend.Table(between(ref.Text(), "storage", "StreamArn"))
			if table == nil {
				continue
			}
			trigger := amplifyMapping(template.file, properties)
			trigger.Function = f.Name
			if have := table.Trigger(f.Name); have != nil {
				*have = trigger
			} else {
				table.Triggers = append(table.Triggers, trigger)
			}
		}
	}
	for _, table := range p.Backend.Tables {
		if len(table.Triggers) > 0 && table.StreamView == "" {
			// That is what the Amplify CLI writes into the templates of tables.
			table.StreamView = "NEW_IMAGE"
		}
	}
}

// amplifyMapping reads how a mapping calls its function. What it leaves out, or says with a
// reference, has the default.
func amplifyMapping(in *read.File, properties document.Node) model.StreamTrigger {
	quiet := &read.Reader{File: in, Problems: new([]*read.Problem)}
	t := model.StreamTrigger{
		From: quiet.Text(properties, "", "StartingPosition"), BatchSize: quiet.Number(properties, "", "BatchSize"),
		BatchWindow: quiet.Number(properties, "", "MaximumBatchingWindowInSeconds"),
		Bisect:      quiet.Boolean(properties, "", "BisectBatchOnFunctionError"),
	}
	if retries, ok := properties.Get("MaximumRetryAttempts"); ok && retries.Kind() == document.Number {
		// There -1 is no limit, and 0 is one attempt.
		t.Attempts = quiet.Number(properties, "", "MaximumRetryAttempts") + 1
	}
	reports, _ := properties.Get("FunctionResponseTypes")
	for _, item := range reports.Elements() {
		t.ReportFailures = t.ReportFailures || item.Text() == "ReportBatchItemFailures"
	}
	return t
}

// amplifyStreamTriggers reads the functions in the answers about a table.
func amplifyStreamTriggers(root document.Node) []model.StreamTrigger {
	var triggers []model.StreamTrigger
	for _, name := range amplifyTexts(root, "triggerFunctions") {
		triggers = append(triggers, model.StreamTrigger{Function: name})
	}
	return triggers
}
