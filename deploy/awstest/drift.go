package awstest

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"gatewright/internal/cfn"
)

// drift is what a comparison found out about a resource.
type drift struct {
	status string
	// reason is why it could not be compared.
	reason      string
	at          time.Time
	differences []propertyDrift
}

type propertyDrift struct{ path, want, is, kind string }

// detection is a comparison of a stack with what is in the account. It has ended once its status was asked for twice.
type detection struct {
	stack *stack
	began time.Time
	asked int
	// drifted counts the resources that differ.
	drifted int
	// failed is why not all could be compared; "" if all were.
	failed string
}

// uncompared are types that are not compared. Which ones AWS compares is listed in
// https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/resource-import-supported-resources.html
var uncompared = []string{
	"AWS::CloudFormation::WaitConditionHandle", "AWS::CloudFormation::Stack", "AWS::IAM::Policy",
	"AWS::Cognito::IdentityPoolRoleAttachment",
}

// Drift changes a property of a resource of any stack as if by hand: in the account, and not in the stack. pointer
// names the property, such as /MemorySize; with the value "" it is removed. An update of the resource overwrites it.
func (s *Server) Drift(logicalID, pointer, value string) {
	s.byHand(logicalID, func(r *resource) {
		if r.byHand == nil {
			r.byHand = make(map[string]string)
		}
		r.byHand[pointer] = value
	})
}

// Vanish removes a resource of any stack as if by hand: the stack still has it.
func (s *Server) Vanish(logicalID string) {
	s.byHand(logicalID, func(r *resource) { r.gone = true })
}

func (s *Server) byHand(logicalID string, change func(*resource)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, st := range s.stacks {
		if r := st.resource(logicalID); r != nil {
			change(r)
			return
		}
	}
	panic("there is no resource " + logicalID)
}

func (s *Server) detectDrift(r *request) (answer, *fault) {
	st, f := s.named(r, noStackPlain)
	if f != nil {
		return answer{}, f
	}
	if !slices.Contains([]string{
		"CREATE_COMPLETE", "UPDATE_COMPLETE", "UPDATE_ROLLBACK_COMPLETE",
		"UPDATE_ROLLBACK_FAILED",
	}, st.status) {
		return answer{}, invalid("Cannot detect drift on stack while its status is " + st.status)
	}
	d := &detection{stack: st, began: s.now()}
	for _, x := range st.resources {
		if slices.Contains(uncompared, x.kind) {
			continue
		}
		if only := s.script.incomparableIDs; s.script.incomparable != "" && (only == nil || slices.Contains(only, x.id)) {
			x.drift, d.failed = &drift{status: "UNKNOWN", reason: s.script.incomparable, at: s.now()}, s.script.incomparable
			continue
		}
		x.drift = st.compareDrift(x, s.now())
		if x.drift.status != "IN_SYNC" {
			d.drifted++
		}
	}
	s.ids++
	id := uuid("detection", st.id, strconv.Itoa(s.ids))
	s.detections[id] = d
	return result(r, tx("StackDriftDetectionId", id))
}

// compareDrift compares a resource with its entry in the template.
func (st *stack) compareDrift(x *resource, at time.Time) *drift {
	if x.gone {
		return &drift{status: "DELETED", at: at}
	}
	found := &drift{status: "IN_SYNC", at: at}
	want := cfn.Value{}
	if entry := st.deployed.template.Resource(x.id); entry != nil {
		want = st.deployed.template.With(st.given(st.deployed)).Resolve(entry.Properties)
	}
	for _, path := range slices.Sorted(maps.Keys(x.byHand)) {
		is := x.byHand[path]
		was, had := valueAt(want, path)
		switch {
		case is == was:
		case !had:
			found.differences = append(found.differences, propertyDrift{path, "null", is, "ADD"})
		case is == "":
			found.differences = append(found.differences, propertyDrift{path, was, "null", "REMOVE"})
		default:
			found.differences = append(found.differences, propertyDrift{path, was, is, "NOT_EQUAL"})
		}
	}
	if len(found.differences) > 0 {
		found.status = "MODIFIED"
	}
	return found
}

// valueAt is the value at a JSON pointer.
func valueAt(v cfn.Value, pointer string) (text string, ok bool) {
	for _, part := range strings.Split(strings.TrimPrefix(pointer, "/"), "/") {
		if i, err := strconv.Atoi(part); err == nil && v.Kind == cfn.List {
			if i >= len(v.List) {
				return "", false
			}
			v = v.List[i]
			continue
		}
		if v, ok = v.Get(part); !ok {
			return "", false
		}
	}
	return shown(v), true
}

func (s *Server) describeDetection(r *request) (answer, *fault) {
	d := s.detections[r.get("StackDriftDetectionId")]
	if d == nil {
		return answer{}, invalid("Drift detection with id [" + r.get("StackDriftDetectionId") + "] does not exist")
	}
	about := tx("StackId", d.stack.id) + tx("StackDriftDetectionId", r.get("StackDriftDetectionId")) +
		at("Timestamp", d.began)
	if d.asked++; d.asked < 2 || s.options.Speed == 0 {
		return result(r, about+tx("DetectionStatus", "DETECTION_IN_PROGRESS"))
	}
	status := "IN_SYNC"
	if d.drifted > 0 {
		status = "DRIFTED"
	}
	if d.failed != "" {
		about += tx("DetectionStatus", "DETECTION_FAILED") + tx("DetectionStatusReason", "Failed to detect drift: "+d.failed)
		return result(r, about+tx("StackDriftStatus", "UNKNOWN")+tx("DriftedStackResourceCount", strconv.Itoa(d.drifted)))
	}
	return result(r, about+tx("DetectionStatus", "DETECTION_COMPLETE")+tx("StackDriftStatus", status)+
		tx("DriftedStackResourceCount", strconv.Itoa(d.drifted)))
}

func (s *Server) describeDrifts(r *request) (answer, *fault) {
	st, f := s.named(r, noStackPlain)
	if f != nil {
		return answer{}, f
	}
	all := slices.DeleteFunc(slices.Clone(st.resources), func(x *resource) bool { return x.drift == nil })
	part, next, f := page(all, r.get("NextToken"), s.options.StacksPerPage)
	if f != nil {
		return answer{}, f
	}
	return result(r, members("StackResourceDrifts", part, func(x *resource) string {
		return tx("StackId", st.id) + tx("LogicalResourceId", x.id) + tx("PhysicalResourceId", x.physical) +
			tx("ResourceType", x.kind) +
			tx("StackResourceDriftStatus", x.drift.status) + tx("DriftStatusReason", x.drift.reason) +
			at("Timestamp", x.drift.at) +
			members("PropertyDifferences", x.drift.differences, func(p propertyDrift) string {
				return tx("PropertyPath", p.path) + el("ExpectedValue", escaped(p.want)) + el("ActualValue", escaped(p.is)) +
					tx("DifferenceType", p.kind)
			})
	})+tx("NextToken", next))
}
