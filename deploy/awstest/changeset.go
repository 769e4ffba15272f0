package awstest

import (
	"net/http"
	"slices"
	"strings"
	"time"
)

// changeSet is a change set of a stack.
type changeSet struct {
	stack                              *stack
	id, name, kind, description, token string
	to                                 revision
	created                            time.Time
	status, execution, reason          string
	changes                            []change
	executionToken                     string
	// polls counts down the answers in which it is not ready.
	polls int
	// imports are what a change set of the type IMPORT takes over.
	imports []toImport
}

const noChanges = "The submitted information didn't contain changes. Submit different information to create " +
	"a change set."

func (s *Server) createChangeSet(r *request) (answer, *fault) {
	name, kind := r.get("ChangeSetName"), first(r.get("ChangeSetType"), "UPDATE")
	st := s.find(r.Account, r.Region, r.get("StackName"))
	if st != nil {
		if earlier := s.changeSet(st, name); earlier != nil {
			if earlier.token != "" && earlier.token == r.get("ClientToken") {
				return result(r, tx("Id", earlier.id)+tx("StackId", st.id))
			}
			return answer{},
				&fault{
					http.StatusBadRequest, "AlreadyExistsException",
					"ChangeSet " + name + " cannot be created due to a mismatch with existing attribute ClientToken",
				}
		}
	}
	switch {
	case kind == "CREATE" && st != nil && st.status != "REVIEW_IN_PROGRESS":
		return answer{},
			invalid("Stack [" + st.name + "] already exists and cannot be created again with the changeSet [" + name + "].")
	case kind == "UPDATE" && (st == nil || st.status == "REVIEW_IN_PROGRESS"):
		return answer{}, invalid("Stack [" + r.get("StackName") + "] does not exist")
	case (kind == "UPDATE" || kind == "IMPORT" && st != nil && st.status != "REVIEW_IN_PROGRESS") && !updatable(st.status):
		return answer{}, invalid("Stack:" + st.id + " is in " + st.status + " state and can not be updated.")
	}
	to, f := s.revisionOf(r, st)
	if f != nil {
		return answer{}, f
	}
	if kind == "IMPORT" {
		probe := st
		if probe == nil {
			probe = &stack{account: r.Account, region: r.Region, name: r.get("StackName")}
		}
		if f := s.checkImport(r, probe, to); f != nil {
			return answer{}, f
		}
	}
	if st == nil {
		st = s.newStack(r.Account, r.Region, r.get("StackName"))
		s.set(st, "REVIEW_IN_PROGRESS", "User Initiated")
	}
	s.ids++
	c := &changeSet{
		stack: st, name: name, kind: kind, description: r.get("Description"), token: r.get("ClientToken"), to: to,
		created: s.now(),
		id:      st.arn("changeSet/" + name + "/" + uuid("changeset", st.id, padded(s.ids, 6))), status: "CREATE_COMPLETE",
		execution: "AVAILABLE",
	}
	c.imports = r.imports()
	if kind == "IMPORT" {
		c.changes, c.reason = s.importChanges(st, c.imports)
		if c.reason != "" {
			c.status, c.execution = "FAILED", "UNAVAILABLE"
		}
	} else if c.changes = s.compare(st, to); len(c.changes) == 0 && !outputsDiffer(st.deployed, to) &&
		slices.Equal(st.deployed.tags, to.tags) {
		c.status, c.execution, c.reason = "FAILED", "UNAVAILABLE", noChanges
	}
	if s.script.slow {
		c.polls = 2
	}
	s.changeSets = append(s.changeSets, c)
	return result(r, tx("Id", c.id)+tx("StackId", st.id))
}

func updatable(status string) bool {
	switch status {
	case "CREATE_COMPLETE", "UPDATE_COMPLETE", "UPDATE_ROLLBACK_COMPLETE", "IMPORT_COMPLETE", "IMPORT_ROLLBACK_COMPLETE":
		return true
	}
	return false
}

// changeSet finds a change set by its ARN, or by its name in a stack.
func (s *Server) changeSet(st *stack, nameOrID string) *changeSet {
	for _, c := range slices.Backward(s.changeSets) {
		if c.id == nameOrID || st != nil && c.stack == st && c.name == nameOrID {
			return c
		}
	}
	return nil
}

func (s *Server) namedChangeSet(r *request) (*changeSet, *fault) {
	name := r.get("ChangeSetName")
	st := s.find(r.Account, r.Region, r.get("StackName"))
	if st == nil && !strings.HasPrefix(name, "arn:") {
		return nil, invalid("Stack [" + r.get("StackName") + "] does not exist")
	}
	if c := s.changeSet(st, name); c != nil && c.stack.account == r.Account {
		return c, nil
	}
	return nil, &fault{http.StatusNotFound, "ChangeSetNotFound", "ChangeSet [" + name + "] does not exist"}
}

// state is the status and the execution status, which are not final while it is made.
func (c *changeSet) state() (status, execution, reason string) {
	switch c.polls {
	case 2:
		return "CREATE_PENDING", "UNAVAILABLE", ""
	case 1:
		return "CREATE_IN_PROGRESS", "UNAVAILABLE", ""
	}
	return c.status, c.execution, c.reason
}

func (s *Server) describeChangeSet(r *request) (answer, *fault) {
	c, f := s.namedChangeSet(r)
	if f != nil {
		return answer{}, f
	}
	status, execution, reason := c.state()
	changes := c.changes
	if c.polls > 0 {
		changes = nil
		c.polls--
	}
	part, next, f := page(changes, r.get("NextToken"), s.options.ChangesPerPage)
	if f != nil {
		return answer{}, f
	}
	return result(r,
		tx("ChangeSetName", c.name)+tx("ChangeSetId", c.id)+tx("StackId", c.stack.id)+tx("StackName", c.stack.name)+
			tx("Description", c.description)+parameters(c.to)+at("CreationTime", c.created)+tx("ExecutionStatus", execution)+
			tx("Status", status)+tx("StatusReason", reason)+tags(c.to.tags)+
			members("Capabilities", c.to.capabilities, escaped)+members("Changes", part, changeXML)+tx("NextToken", next))
}

func changeXML(c change) string {
	return tx("Type", "Resource") +
		el("ResourceChange", tx("Action", c.action)+tx("PolicyAction", c.policyAction)+tx("LogicalResourceId", c.id)+
			tx("PhysicalResourceId", c.physical)+tx("ResourceType", c.kind)+tx("Replacement", c.replacement)+
			members("Scope", c.scope, escaped)+members("Details", c.details, func(d detail) string {
			return el("Target", tx("Attribute", d.attribute)+tx("Name", d.name)+tx("RequiresRecreation", d.recreation)) +
				tx("Evaluation", d.evaluation) + tx("ChangeSource", d.source) + tx("CausingEntity", d.cause)
		}))
}

func (s *Server) listChangeSets(r *request) (answer, *fault) {
	st, f := s.named(r, noStackPlain)
	if f != nil {
		return answer{}, f
	}
	var all []*changeSet
	for _, c := range s.changeSets {
		if c.stack == st {
			all = append(all, c)
		}
	}
	part, next, f := page(all, r.get("NextToken"), s.options.StacksPerPage)
	if f != nil {
		return answer{}, f
	}
	return result(r, members("Summaries", part, func(c *changeSet) string {
		status, execution, reason := c.state()
		return tx("StackId", st.id) + tx("StackName", st.name) + tx("ChangeSetId", c.id) + tx("ChangeSetName", c.name) +
			tx("ExecutionStatus", execution) +
			tx("Status", status) + tx("StatusReason", reason) + at("CreationTime", c.created) + tx("Description", c.description)
	})+tx("NextToken", next))
}

// deleteChangeSet also succeeds if there is no such change set.
func (s *Server) deleteChangeSet(r *request) (answer, *fault) {
	c, f := s.namedChangeSet(r)
	if f != nil {
		if f.code == "ChangeSetNotFound" {
			return result(r, "")
		}
		return answer{}, f
	}
	if c.execution == "EXECUTE_IN_PROGRESS" {
		return answer{},
			&fault{
				http.StatusBadRequest, "InvalidChangeSetStatus",
				"ChangeSet [" + c.id + "] cannot be deleted in its current status of [" + c.execution + "]",
			}
	}
	s.changeSets = slices.DeleteFunc(s.changeSets, func(x *changeSet) bool { return x == c })
	return result(r, "")
}

func (s *Server) executeChangeSet(r *request) (answer, *fault) {
	c, f := s.namedChangeSet(r)
	if f != nil {
		return answer{}, f
	}
	s.refresh(c)
	token := r.get("ClientRequestToken")
	if token != "" && token == c.executionToken {
		return result(r, "")
	}
	if status, execution, _ := c.state(); status != "CREATE_COMPLETE" || execution != "AVAILABLE" {
		if status == "CREATE_COMPLETE" {
			status = execution
		}
		return answer{},
			&fault{
				http.StatusBadRequest, "InvalidChangeSetStatus",
				"ChangeSet [" + c.id + "] cannot be executed in its current status of [" + status + "]",
			}
	}
	st := c.stack
	if st.status != "REVIEW_IN_PROGRESS" && !updatable(st.status) {
		return answer{}, invalid("Stack:" + st.id + " is in " + st.status + " state and can not be updated.")
	}
	if token != "" && st.tokens[token] != "" {
		return answer{},
			&fault{http.StatusBadRequest, "TokenAlreadyExistsException", "A client request token already exists: " + token}
	}
	st.tokens[token] = "execute"
	for _, other := range s.changeSets {
		if other.stack == st && other != c && other.execution == "AVAILABLE" {
			other.execution = "OBSOLETE"
		}
	}
	c.execution, c.executionToken = "EXECUTE_IN_PROGRESS", token
	st.changeSet = c.id
	switch c.kind {
	case "CREATE":
		s.runCreation(st, token, c.to)
	case "IMPORT":
		s.runImport(st, token, c.to, c.imports)
	default:
		s.runUpdate(st, token, c.to)
		s.enforcePolicy(st)
	}
	return result(r, "")
}

// refresh sets what became of an executed change set.
func (s *Server) refresh(c *changeSet) {
	if c.execution != "EXECUTE_IN_PROGRESS" || inProgress(c.stack.status) {
		return
	}
	c.execution = "EXECUTE_COMPLETE"
	if !slices.Contains([]string{"CREATE_COMPLETE", "UPDATE_COMPLETE", "IMPORT_COMPLETE"}, c.stack.status) {
		c.execution = "EXECUTE_FAILED"
	}
}

func (s *Server) refreshAll(st *stack) {
	for _, c := range s.changeSets {
		if c.stack == st {
			s.refresh(c)
		}
	}
}
