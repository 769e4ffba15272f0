package awstest

import (
	"fmt"
	"slices"
	"strings"
)

// identifiers are the properties that identify a resource to import, by its type; the last one is its physical id.
// See https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/resource-import-supported-resources.html
var identifiers = map[string][]string{
	"AWS::DynamoDB::Table": {"TableName"}, "AWS::Logs::LogGroup": {"LogGroupName"},
	"AWS::Lambda::Function":  {"FunctionName"},
	"AWS::Cognito::UserPool": {"UserPoolId"}, "AWS::Cognito::UserPoolClient": {"UserPoolId", "ClientId"},
	"AWS::Cognito::UserPoolGroup": {"UserPoolId", "GroupName"}, "AWS::Cognito::IdentityPool": {"Id"},
}

// toImport is a resource that a change set takes over.
type toImport struct {
	logical, kind  string
	physical, pool string
	invalid        bool
}

// imports reads ResourcesToImport.
func (r *request) imports() []toImport {
	var all []toImport
	for _, m := range r.members("ResourcesToImport") {
		one := toImport{logical: m["LogicalResourceId"], kind: m["ResourceType"]}
		given := make(map[string]string)
		for i := 1; m[fmt.Sprintf("ResourceIdentifier.entry.%d.key", i)] != ""; i++ {
			given[m[fmt.Sprintf("ResourceIdentifier.entry.%d.key", i)]] = m[fmt.Sprintf("ResourceIdentifier.entry.%d.value", i)]
		}
		keys := identifiers[one.kind]
		one.invalid = len(keys) == 0 || len(given) != len(keys) ||
			slices.ContainsFunc(keys, func(k string) bool { return given[k] == "" })
		if !one.invalid {
			one.physical = given[keys[len(keys)-1]]
			if len(keys) > 1 {
				one.pool = given[keys[0]]
			}
		}
		all = append(all, one)
	}
	return all
}

// checkImport refuses what an import cannot do, see
// https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/import-resources.html
func (s *Server) checkImport(r *request, st *stack, to revision) *fault {
	all := r.imports()
	if len(all) == 0 {
		return invalid("Must Provide at least one resource to import")
	}
	if r.members("Tags") != nil {
		return invalid("As part of the import operation, you cannot modify or add [Tags]")
	}
	if outputsDiffer(st.deployed, to) {
		return invalid("As part of the import operation, you cannot modify or add [Outputs]")
	}
	listed := make(map[string]bool)
	for _, one := range all {
		entry := to.template.Resource(one.logical)
		switch {
		case entry == nil:
			return invalid("The logical resource ids [" + one.logical +
				"] provided in ResourceToImport do not exist in the template.")
		case one.invalid:
			return invalid("Invalid resource identifier for resource type " + one.kind + ". Expected [" +
				strings.Join(identifiers[one.kind], ", ") + "]")
		case entry.Type != one.kind:
			return invalid("Resource type of [" + one.logical +
				"] passed in ResourceToImport does not match with resource type defined in the template.")
		case textOf(entry.Node.Get("DeletionPolicy")) == "":
			return invalid("The following resources to import [" + one.logical +
				"] must have DeletionPolicy attribute specified in the template.")
		}
		listed[one.logical] = true
	}
	for _, c := range s.compare(st, to) {
		switch {
		case c.action == "Add" && !listed[c.id]:
			return invalid("Resources [" + c.id + "] is missing from ResourceToImport list")
		case c.action != "Add":
			return invalid("You have modified resources [" + c.id +
				"] in your template that are not being imported. Update, create or delete operations cannot be executed during " +
				"import operations.")
		}
	}
	return nil
}

// importChanges are the changes of an import, or the reason why it fails.
func (s *Server) importChanges(st *stack, all []toImport) (changes []change, reason string) {
	for _, one := range all {
		found := s.existing(st.account, st.region, one.kind, one.physical, one.pool)
		if found == nil {
			return nil, "Resource of type '" + one.kind + "' with identifier '" + one.physical + "' was not found."
		}
		for _, other := range s.stacks {
			if slices.Contains(other.resources, found) {
				return nil, one.physical + " already exists in stack " + other.id
			}
		}
		changes = append(changes, change{action: "Import", id: one.logical, kind: one.kind, physical: one.physical})
	}
	return changes, ""
}

// runImport begins to take resources over into a stack.
func (s *Server) runImport(st *stack, token string, to revision, all []toImport) {
	anew := st.deployed.template == nil
	op := s.begin(st, "import", token, to)
	st.executed, st.updated = append(st.executed, to.text), s.now()
	s.set(st, "IMPORT_IN_PROGRESS", "User Initiated")
	op.needs = st.needs(to)
	for _, r := range st.ordered(to) {
		i := slices.IndexFunc(all, func(one toImport) bool { return one.logical == r.ID })
		if i < 0 {
			continue
		}
		op.queue = append(op.queue,
			&task{
				verb: "create", id: r.ID, kind: r.Type, resource: entry(r), adopt: true, physical: all[i].physical,
				pool: all[i].pool,
			})
	}
	op.then = func() {
		to.tags = st.deployed.tags
		st.deployed = to
		s.set(st, "IMPORT_COMPLETE", "")
		st.running = nil
	}
	op.undo = func(reason string) {
		s.set(st, "IMPORT_ROLLBACK_IN_PROGRESS", reason)
		for _, t := range slices.Backward(op.done) {
			s.mark(st, t.now, "IMPORT_ROLLBACK_IN_PROGRESS", "")
			s.mark(st, t.now, "IMPORT_ROLLBACK_COMPLETE", "")
			s.drop(st, t.now)
		}
		status := "IMPORT_ROLLBACK_COMPLETE"
		if anew {
			status = "ROLLBACK_COMPLETE"
		}
		s.set(st, status, "")
		st.running = nil
	}
}
