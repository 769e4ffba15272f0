package amplifycli

import (
	"fmt"
	"slices"
	"strings"

	"gatewright/internal/cfn"
	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/model/access"
	"gatewright/model/edit"
	"gatewright/model/rights"
	"gatewright/project/read"
)

// permissions gives each function the access that its policies allow, then its variables, which
// refer to what it may use.
func (c *converter) permissions() error {
	for _, f := range c.to.Functions {
		old := c.places[0].here.Function(f.Name)
		if old == nil {
			continue
		}
		next := *f
		p := &policies{converter: c, of: old, known: slices.Clone(common)}
		p.statements = slices.DeleteFunc(slices.Clone(old.Statements), func(s cfn.Statement) bool {
			return s.Effect == model.Allow && (s.NotAction || s.NotResource)
		})
		p.onTables(&next)
		p.onFunctions(&next)
		p.onAPIs(&next)
		p.onBucket(&next)
		p.keepOthers(&next)
		c.setVariables(&next, old)
		if err := edit.UpdateFunction(c.to, &next); err != nil {
			c.refused(c.templateFile(f.Name), "the variables and the access of the function", err)
		}
	}
	return nil
}

// policies are the policies of a function while they become its access.
type policies struct {
	*converter
	of *Function
	// statements are those of its policies that name what they allow.
	statements []cfn.Statement
	// known are the actions that may become access, or that every function has.
	known []string
	// told says that unknown parts of the policies were told.
	told bool
}

// allows reports whether the policies allow an action on a resource. They do not if one denies
// it for certain. If only a policy allows it of which a part is unknown, that is told once.
func (p *policies) allows(action, arn string) bool {
	permission, certain := cfn.Judge(p.statements, action, arn)
	allowed := permission == cfn.Granted
	if allowed && !certain && !p.told {
		p.told = true
		p.warn(p.of.Name, "its policies have parts that only a deployment knows, so its access may be wider than they allow",
			"see its access with: gatewright env, and reduce it with: gatewright update function "+model.ShellWord(p.of.Name)+
				" --access RESOURCE=ACTIONS")
	}
	return allowed
}

// harmless are the operations on tables that an action allows beyond what is said of it: who
// may read an item may also ask whether it has a value, and what keys its table has.
var harmless = []string{"dynamodb:ConditionCheckItem", "dynamodb:DescribeTable"}

// onThing is what the policies allow with a thing of a kind, and more that the same access allows.
func (p *policies) onThing(kind model.Kind, arn string) (actions access.Actions, more []string) {
	for _, action := range access.AllActions {
		operations := slices.DeleteFunc(rights.Operations(kind, action), func(operation string) bool {
			return slices.Contains(harmless, operation) || strings.HasPrefix(operation, "dynamodb:PartiQL")
		})
		refused := slices.DeleteFunc(slices.Clone(operations),
			func(operation string) bool { return p.allows(operation, arn) })
		if len(refused) < len(operations) {
			actions |= access.Actions(action)
			more = append(more, refused...)
		}
	}
	return actions, more
}

// onTables gives access to tables.
func (p *policies) onTables(f *model.Function) {
	named := p.namedTables(f.Name)
	for _, table := range p.to.Tables {
		actions, more := p.onThing(model.KindTable, p.places[0].here.ByName["storage"+p.tableResources[table.Name]+"Arn"])
		if actions == 0 && slices.Contains(named, table.Name) {
			actions = access.EveryAction
			p.warn(f.Name,
				fmt.Sprintf("its policies do not mention tables, but it names %s, so it may now do everything with that table",
					phrase.Quote(table.Name)),
				"allow less with: gatewright update function "+model.ShellWord(f.Name)+" --access table/"+
					model.ShellWord(table.Name)+"=read")
		}
		if len(more) > 0 {
			p.warn(f.Name,
				fmt.Sprintf("its access to the table %s also allows %s, which its policies do not allow", phrase.Quote(table.Name),
					phrase.List(withoutService(more))), "")
		}
		if actions != 0 {
			f.Access = append(f.Access, model.ResourceAccess{Resource: "table/" + table.Name, Actions: actions})
		}
	}
	p.known = append(p.known, rights.All(model.KindTable)...)
}

func withoutService(actions []string) []string {
	short := make([]string, len(actions))
	for i, action := range actions {
		_, short[i], _ = strings.Cut(action, ":")
	}
	return short
}

// onFunctions gives access to other functions.
func (p *policies) onFunctions(f *model.Function) {
	const invoke = "lambda:InvokeFunction"
	said := cfn.Speaks(p.statements, "lambda")
	for _, other := range p.to.Functions {
		arn := p.places[0].here.ByName["function"+other.Name+"Arn"]
		allowed := p.allows(invoke, arn)
		if !allowed && !said && p.hasParameter("function"+other.Name) {
			allowed = true
			p.warn(f.Name,
				"its policies do not mention functions, but it names "+phrase.Quote(other.Name)+", so it may now call that "+
					"function",
				"")
		}
		if allowed {
			f.Access = append(f.Access,
				model.ResourceAccess{Resource: "function/" + other.Name, Actions: access.ActionSet(access.Read)})
		}
	}
	p.known = append(p.known, invoke)
}

// onAPIs gives access to the APIs.
func (p *policies) onAPIs(f *model.Function) {
	const invoke = "execute-api:Invoke"
	for _, api := range p.to.APIs {
		id := mark(model.ResourcePrefix("api/"+api.Label) + "ID")
		var actions access.Actions
		for _, action := range access.AllActions {
			if slices.ContainsFunc(p.to.Terms().Methods(action), func(method string) bool {
				return slices.ContainsFunc(api.Paths, func(path *access.Path) bool {
					arn := strings.Join([]string{"arn:aws:execute-api", markRegion, markAccount, id}, ":") + "/" +
						p.places[0].environment.Name + "/" + method + path.Name
					return p.allows(invoke, arn) || p.allows(invoke, arn+"/x")
				})
			}) {
				actions |= access.Actions(action)
			}
		}
		if actions != 0 {
			f.Access = append(f.Access, model.ResourceAccess{Resource: "api/" + api.Label, Actions: actions})
		}
	}
	p.known = append(p.known, invoke)
}

// onBucket gives access to the bucket that came along.
func (p *policies) onBucket(f *model.Function) {
	if p.bucket == "" {
		return
	}
	name := p.places[0].here.ByName["storage"+p.bucket+"BucketName"]
	actions, _ := p.onThing(model.KindStorage, "arn:aws:s3:::"+name+"/x")
	if actions != 0 {
		f.Access = append(f.Access, model.ResourceAccess{Resource: "storage/" + p.bucket, Actions: actions})
	}
	p.known = append(append(p.known, rights.All(model.KindStorage)...), "s3:ListBucket")
}

// common are the services whose actions every function has: it writes its log, and reads the
// stream of a table that calls it.
var common = []string{
	"logs:CreateLogGroup", "logs:CreateLogStream", "logs:PutLogEvents", "dynamodb:GetRecords",
	"dynamodb:GetShardIterator", "dynamodb:DescribeStream", "dynamodb:ListStreams",
}

// isUsual reports whether an action is one of those that the Amplify CLI adds to the policies of
// any function that may use a table or another function, such as dynamodb:RestoreTable*: what a
// function does with items or calls does not need it.
func isUsual(pattern string) bool {
	service, _, _ := strings.Cut(pattern, ":")
	return strings.HasSuffix(pattern, "*") && (service == "dynamodb" || service == "lambda")
}

// hasParameter reports whether the template has a parameter of a resource.
func (p *policies) hasParameter(resource string) bool {
	return slices.ContainsFunc(p.of.Template.Parameters(),
		func(of cfn.Parameter) bool { return of.Name == resource+"Name" || of.Name == resource+"Arn" })
}

// namedTables are the tables that a function names in its template or its source, if its
// policies say nothing of any table.
func (p *policies) namedTables(function string) []string {
	if cfn.Speaks(p.statements, "dynamodb") {
		return nil
	}
	var names []string
	for _, table := range p.to.Tables {
		if p.hasParameter("storage"+p.tableResources[table.Name]) || p.sourceNames(function, table.Name) {
			names = append(names, table.Name)
		}
	}
	return names
}

// warn adds a warning about a function's template.
func (c *converter) warn(function, text, fix string) {
	c.leave(c.templateFile(function), text, fix)
}

// leaveAt adds what could not come along of a variable of a function.
func (c *converter) leaveAt(function, variable, text, fix string) {
	c.leaveNode(function,
		c.places[0].here.Function(function).Resource.Properties.Get("Environment", "Variables", variable), text, fix)
}

// leaveNode adds what could not come along of a node in a function's template, which may be nil.
func (c *converter) leaveNode(function string, node *cfn.Node, text, fix string) {
	problem := &read.Problem{File: c.templateFile(function), Text: text, Fix: fix, Level: model.Warning}
	if node != nil {
		problem.Line, problem.Column, problem.Pointer = node.Line, node.Column, node.Pointer
	}
	c.left = append(c.left, problem)
}

// templateFile is the file of the template of a function, or the folder of one without.
func (c *converter) templateFile(function string) string {
	if of := c.places[0].here.Function(function); of != nil {
		return of.Template.Name
	}
	return c.from.Layout.FunctionFolder(function)
}
