package prove

import (
	"slices"
	"strings"

	"gatewright/internal/cfn"
	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/model/rights"
)

// widened finds what the role of a function may do that no definition of a project gives it:
// everything, or everything of a service.
func (r *reader) widened(f *function) {
	statements, policies := r.roleOf(f)
	d := Door{Of: f.words(), function: f.id, Direction: More}
	for _, s := range statements {
		everywhere := slices.Contains(s.Resources, "*") || s.NotResource
		wide := func(a string) bool { return a == "*" || strings.HasSuffix(a, ":*") }
		if s.Effect != "Allow" || !everywhere {
			continue
		}
		if i := slices.IndexFunc(s.Actions, wide); s.NotAction {
			d.Why = "its role may do nearly everything (NotAction)"
			r.door(d, "")
		} else if i >= 0 {
			d.Why = "its role may do " + s.Actions[i] + " with every resource"
			r.door(d, "")
		}
	}
	for _, policy := range policies {
		if name := policyName(policy); strings.HasSuffix(name, "FullAccess") {
			d.Why = "its role has the policy " + name
			r.door(d, "")
		}
	}
}

// serverlessRole reads the policies that SAM puts into the role of a function. See
// https://docs.aws.amazon.com/serverless-application-model/latest/developerguide/sam-resource-function.html
func (r *reader) serverlessRole(s *stack, of *cfn.Resource, f *function) {
	if of.Properties.Get("Role") != nil {
		return
	}
	f.role = s.name(of) + "Role"
	value := s.resolver.Resolve(of.Properties.Get("Policies"))
	if value.Kind != cfn.List {
		value.List = []cfn.Value{value}
	}
	for _, one := range value.List {
		text, isText := one.String()
		switch _, document := one.Get("Statement"); {
		case isText && text != "":
			f.statements = append(f.statements, r.managedBy(text, f.key)...)
			f.policies = append(f.policies, r.outside[f.key]...)
		case document:
			f.statements = append(f.statements, cfn.Statements(one)...)
		case one.Kind == cfn.Map && len(one.Members) > 0:
			// A template of SAM, such as DynamoDBCrudPolicy.
			f.policies = append(f.policies, one.Members[0].Name)
		case !one.Known() && one.Kind != cfn.Map:
			r.notice("what the role of " + f.words() + " may do is not in the template")
		}
	}
}

// ownPool is the ARN of the user pool of either side.
const ownPool = "arn:" + partition + ":cognito-idp:" + region + ":" + account + ":userpool/{pool}"

// thing is what a function may use, as sentences name it.
type thing struct {
	kind       model.Kind
	words, arn string
}

// roleDoors compares what the roles of functions may do with the things of the project: each operation of
// package rights on each of them. The functions of an Amplify CLI project have no rights in its definition.
func (r *reader) roleDoors(b *model.Backend) (doors []Door) {
	if r == nil || r.d.place != nil || !b.Defines(model.KindFunction) || len(b.Environments) == 0 {
		return nil
	}
	names, value := r.names(b), func(name string) string { return ownARN(b, name) }
	for _, own := range b.Functions {
		i := slices.IndexFunc(r.functions, func(f *function) bool { return f.isOf(own, b.Environments[0].Name) })
		if i < 0 {
			continue
		}
		f := r.functions[i]
		theirs, outside := r.roleOf(f)
		if _, known := r.trusts[f.roleName()]; !known && theirs == nil {
			// That it is not in the template is a notice.
			continue
		}
		outside = slices.DeleteFunc(outside, func(arn string) bool { return slices.Contains(cfn.Running, arn) })
		theirs, mine := r.renamed(theirs, names), rights.Judged(b, own, value)
		for _, t := range thingsOf(b, own) {
			said := make(map[Direction][]string)
			for _, action := range rights.All(t.kind) {
				want, sure := cfn.Judge(mine, action, t.arn)
				has, certain := cfn.Judge(theirs, action, t.arn)
				direction := More
				switch more := has == cfn.Granted; {
				case more == (want == cfn.Granted) && certain == sure:
					continue
				case !certain || !sure || !more && len(outside) > 0:
					direction = Unknown
				case !more:
					direction = Less
				}
				said[direction] = append(said[direction], action)
			}
			for direction, why := range map[Direction]string{
				More: "its role may do %, which the project does not let it", Unknown: "whether its role may do % is not known",
				Less: "its role may not do %, which the project lets it",
			} {
				if actions := said[direction]; actions != nil {
					doors = append(doors, Door{
						Of: f.words(), function: f.id, Direction: direction,
						Why: strings.Replace(why, "%", phrase.List(actions)+" on "+t.words, 1),
					})
				}
			}
		}
	}
	return doors
}

// isOf reports whether a function of a template is one of the project: by its name, or by its logical id.
func (f *function) isOf(own *model.Function, environment string) bool {
	id, name := plainly(f.id), plainly(own.Name)
	return f.name != "" && (f.name == own.DeployedName()+"-"+environment || f.name == own.DeployedName()) ||
		id == name || id == name+"function" || id == "function"+name || strings.HasPrefix(f.id, "function"+own.Name+"/")
}

// roleOf are the statements of the role of a function, and the policies of it that are not in the template.
func (r *reader) roleOf(f *function) (statements []cfn.Statement, outside []string) {
	statements, outside = slices.Clone(f.statements), slices.Clone(f.policies)
	if name := f.roleName(); name != "" && r.roles[name] != nil {
		statements, outside = append(statements, r.roles[name].Statements...), append(outside, r.outside[name]...)
	}
	return statements, outside
}

// thingsOf are what a function may be let use.
func thingsOf(b *model.Backend, f *model.Function) []thing {
	value := func(name string) string { return ownARN(b, name) }
	all := []thing{{model.KindPool, "the user pool", ownPool}}
	for _, t := range b.Tables {
		all = append(all, thing{model.KindTable, "the table " + phrase.Quote(t.Name), ownARN(b, "table/"+t.Name)})
	}
	for _, other := range b.Functions {
		all = append(all,
			thing{model.KindFunction, "the function " + phrase.Quote(other.Name), ownARN(b, "function/"+other.Name)})
	}
	for _, a := range f.Access {
		kind, name, _ := model.ResourceOf(a.Resource)
		if kind != model.KindParameter && kind != model.KindSecret {
			continue
		}
		for _, s := range rights.Judged(b, &model.Function{Access: []model.ResourceAccess{a}}, value) {
			// A secret is one whose ARN a pattern for any end matches.
			arn := strings.ReplaceAll(s.Resources[0], "?", "x")
			all = append(all, thing{kind, "the " + string(kind) + " " + phrase.Quote(name), arn})
		}
	}
	return all
}

// ownARN is what a reference stands for on either side.
func ownARN(b *model.Backend, name string) string {
	switch name {
	case "AWS::Region":
		return region
	case "AWS::AccountId":
		return account
	case "AWS::Partition":
		return partition
	case model.EnvVariable:
		return b.Environments[0].Name
	case "pool":
		return ownPool
	}
	return rights.Expand(rights.ARN(b, name), func(name string) string { return ownARN(b, name) })
}

// names puts the ARNs of the things of the project instead of what the template calls them: by reference,
// by a parameter of the Amplify CLI, or by a name that only a deployment has whole.
func (r *reader) names(b *model.Backend) *strings.Replacer {
	var pairs []string
	add := func(key, arn string) {
		pairs = append(pairs, key+".Arn}", arn, key+"}", arn[strings.LastIndexAny(arn, ":/")+1:])
	}
	r.each(func(s *stack, of *cfn.Resource) {
		switch of.Type {
		case "AWS::DynamoDB::Table", "AWS::DynamoDB::GlobalTable", "AWS::Serverless::SimpleTable":
		case "AWS::Cognito::UserPool":
			add("{"+s.name(of), ownPool)
			return
		default:
			return
		}
		called := s.textOr(of.Properties.Get("TableName"), "")
		for _, t := range b.Tables {
			deployed := t.DeployedName(b.Environments[0].Name)
			if called == deployed || called == t.Name || strings.HasPrefix(called, t.Name+"-{") ||
				called == "" && strings.HasPrefix(plainly(of.ID), plainly(t.Name)) {
				add("{"+s.name(of), ownARN(b, "table/"+t.Name))
				if called != "" && called != deployed {
					pairs = append(pairs, ":table/"+called, ":table/"+deployed)
				}
				return
			}
		}
	})
	for _, t := range b.Tables {
		pairs = append(pairs, "{storage"+t.Name+"Arn}", ownARN(b, "table/"+t.Name),
			"{storage"+t.Name+"Name}", t.DeployedName(b.Environments[0].Name))
	}
	if b.Auth != nil && b.Auth.UserPoolID != "" {
		id := b.Auth.UserPoolID
		pairs = append(pairs, "arn:"+partition+":cognito-idp:"+model.PoolRegion(id)+":"+account+":userpool/"+id, ownPool)
	}
	for _, own := range b.Functions {
		for _, f := range r.functions {
			if f.isOf(own, b.Environments[0].Name) {
				add(f.key, ownARN(b, "function/"+own.Name))
			}
		}
		pairs = append(pairs, "{function"+own.Name+"Arn}", ownARN(b, "function/"+own.Name))
	}
	return strings.NewReplacer(pairs...)
}

// renamed are statements with the names of the project. One with what only a deployment knows is partly
// unknown.
func (r *reader) renamed(statements []cfn.Statement, names *strings.Replacer) []cfn.Statement {
	all := slices.Clone(statements)
	for i := range all {
		s := &all[i]
		s.Resources = slices.Clone(s.Resources)
		for j, resource := range s.Resources {
			s.Resources[j] = names.Replace(resource)
			s.Partly = s.Partly || r.open(strings.ReplaceAll(s.Resources[j], ownPool, ""))
		}
		if s.Effect == "*" {
			s.Effect, s.Partly = model.Allow, true
			s.Actions, s.Resources = []string{"*"}, []string{"*"}
		}
	}
	return all
}
