package template

import (
	"cmp"
	"slices"

	"gatewright/internal/cfn"
	"gatewright/model"
)

const (
	// partsOfFunction are the role, the log group and the function.
	partsOfFunction = 3
	// partsOfSchedule are the rule and its permission.
	partsOfSchedule = 2

	// retention is for how many days logs are kept, guardedRetention for how many in a guarded environment.
	retention, guardedRetention = 30, 90
)

// functionID, logGroupID and scheduleID are the logical ids of what has the name of a deployed
// function. They are made from that name: if another function gets it, the resource changes,
// while a new one could not be made before the old one is gone.
func (p *plan) functionID(name string) string { return logicalID("Function", p.nameInCloud(name)) }
func (p *plan) logGroupID(name string) string { return logicalID("Logs", p.nameInCloud(name)) }
func (p *plan) scheduleID(name string) string { return logicalID("Schedule", p.nameInCloud(name)) }

// LayerID is the logical id of a layer that is a folder of the project.
func LayerID(folder string) string { return logicalID("Layer", folder) }

// nameInCloud returns the name of a deployed function by its resource name, without the environment.
func (p *plan) nameInCloud(name string) string {
	if f := p.function[name]; f != nil {
		return f.DeployedName()
	}
	return name
}

// deployed returns the name of a deployed function by its resource name.
func (p *plan) deployed(name string) string { return p.suffixed(p.nameInCloud(name)) }

// ArchiveKey is the key of a function's archive if Options has none.
func ArchiveKey(f *model.Function) string { return "functions/" + f.DeployedName() + ".zip" }

// LayerKey is the key of the archive of a layer that is a folder of the project, if Options has none.
func LayerKey(folder string) string { return "layers/" + LayerID(folder) + ".zip" }

// functions makes the functions, with their roles, log groups, layers and schedules.
func (r *renderer) functions() {
	for _, folder := range r.folderLayers() {
		key := cmp.Or(r.options.Layers[folder], LayerKey(folder))
		r.root.add(resource{
			id: LayerID(folder), kind: "AWS::Lambda::LayerVersion", of: model.Ref{Kind: model.KindEnvironment, Name: r.env.Name},
			is: "the layer " + folder, retained: true,
			properties: cfn.MapNode().With("Content", assetAt(key)),
		})
	}
	for _, f := range r.b.Functions {
		r.logGroup(f)
		r.functionRole(f)
		r.makeFunction(f)
		if f.Schedule != "" {
			r.schedule(f)
		}
	}
	r.mappings()
}

// folderLayers lists the layers that are folders of the project, each once.
func (p *plan) folderLayers() []string {
	var folders []string
	for _, f := range p.b.Functions {
		for _, layer := range f.Layers {
			if !isARN(layer) && !slices.Contains(folders, layer) {
				folders = append(folders, layer)
			}
		}
	}
	return folders
}

// assetAt is a place in the bucket of assets.
func assetAt(key string) *cfn.Node {
	return cfn.MapNode().With("S3Bucket", cfn.Sub(Bucket)).WithText("S3Key", key)
}

func (r *renderer) logGroup(f *model.Function) {
	days := retention
	if r.env.Guarded {
		days = guardedRetention
	}
	r.root.add(resource{
		id: r.logGroupID(f.Name), kind: "AWS::Logs::LogGroup", of: model.Ref{Kind: model.KindFunction, Name: f.Name},
		is: "the log group of the function " + f.Name, kept: r.env.Guarded,
		properties: cfn.MapNode().
			WithText("LogGroupName", "/aws/lambda/"+r.deployed(f.Name)).
			WithNumber("RetentionInDays", days).
			With("Tags", r.tags()),
	})
}

func (r *renderer) makeFunction(f *model.Function) {
	variables := r.variables(f)
	r.variablesTooLarge(f, variables)
	properties := cfn.MapNode().
		WithText("FunctionName", r.deployed(f.Name)).
		WithText("Runtime", string(f.Runtime.InCloud())).
		WithTexts("Architectures", string(cmp.Or(f.Architecture, model.X86))).
		WithText("Handler", cmp.Or(f.Handler, f.Runtime.Handler())).
		With("Code", assetAt(cmp.Or(r.options.Archives[f.Name], ArchiveKey(f)))).
		With("Role", cfn.GetAtt(functionRoleID(f.Name), "Arn")).
		WithNumber("MemorySize", cmp.Or(f.Memory, model.DefaultMemory)).
		WithNumber("Timeout", cmp.Or(f.Timeout, model.DefaultTimeout)).
		With("Environment", cfn.MapNode().With("Variables", cfn.MapNode(variables...))).
		With("LoggingConfig", cfn.MapNode().With("LogGroup", cfn.Ref(r.logGroupID(f.Name))))
	if len(f.Layers) > 0 {
		layers := cfn.ListNode()
		for _, layer := range f.Layers {
			if isARN(layer) {
				layers.Items = append(layers.Items, cfn.TextNode(layer))
				continue
			}
			layers.Items = append(layers.Items, cfn.Ref(LayerID(layer)))
		}
		properties.With("Layers", layers)
	}
	r.root.add(resource{
		id: r.functionID(f.Name), kind: "AWS::Lambda::Function", of: model.Ref{Kind: model.KindFunction, Name: f.Name},
		is:         "the function " + f.Name,
		properties: properties.With("Tags", r.tags()),
	})
}

// schedule makes the rule that calls a function at the times of its schedule.
func (r *renderer) schedule(f *model.Function) {
	rule := r.scheduleID(f.Name)
	r.root.add(resource{
		id: rule, kind: "AWS::Events::Rule", of: model.Ref{Kind: model.KindFunction, Name: f.Name},
		is: "the schedule of the function " + f.Name,
		properties: cfn.MapNode().
			WithText("Name", r.deployed(f.Name)).
			WithText("ScheduleExpression", f.Schedule).
			With("Targets",
				cfn.ListNode(cfn.MapNode().WithText("Id", "function").With("Arn", cfn.GetAtt(r.functionID(f.Name), "Arn")))),
	})
	r.root.add(resource{
		id: logicalID("SchedulePermission", f.Name), kind: "AWS::Lambda::Permission",
		of: model.Ref{Kind: model.KindFunction, Name: f.Name},
		is: "the permission of the schedule to call the function " + f.Name,
		properties: cfn.MapNode().
			WithText("Action", "lambda:InvokeFunction").
			With("FunctionName", cfn.Ref(r.functionID(f.Name))).
			WithText("Principal", "events.amazonaws.com").
			With("SourceArn", cfn.GetAtt(rule, "Arn")),
	})
}
