package awstest

import (
	"net/http"
	"slices"
)

// Moment says when a call is cut or a function called.
type Moment int

// The moments. A call that is cut before it is handled has no effect; one that is cut
// afterwards has its effect, but the client sees no answer.
const (
	BeforeHandling Moment = iota + 1
	AfterHandling
)

// script is what the test wants to go wrong.
type script struct {
	faults  []*scriptedFault
	cuts    map[int]Moment
	cutFrom int
	kills   map[int]kill
	// expireAfter is the number of the last call with a valid token; 0 is no end.
	expireAfter int

	resources []scriptedFailure
	slow      bool
	// incomparable is why comparisons fail for the resources with these logical ids, or for all.
	incomparable    string
	incomparableIDs []string
}

type scriptedFault struct {
	action string
	fault  fault
	left   int
}

type kill struct {
	moment Moment
	call   func()
}

type scriptedFailure struct {
	name, reason string
	rollback     bool
}

// happening is what the script does to one call.
type happening struct {
	cut           Moment
	fault         *fault
	before, after func()
}

func (s *script) at(r *request) happening {
	h := happening{cut: s.cuts[r.Number]}
	if s.cutFrom > 0 && r.Number >= s.cutFrom {
		h.cut = BeforeHandling
	}
	if k, ok := s.kills[r.Number]; ok {
		if k.moment == BeforeHandling {
			h.before = k.call
		} else {
			h.after = k.call
		}
	}
	if h.cut == BeforeHandling {
		return h
	}
	if s.expireAfter != 0 && r.Number > s.expireAfter {
		h.fault = expired(r)
		return h
	}
	for _, f := range s.faults {
		if f.left > 0 && (f.action == r.Action || f.action == "*" || f.action == r.Service+":*") {
			f.left--
			h.fault = f.answer(r)
			break
		}
	}
	return h
}

// answer is the error in the way of the service that is called.
func (f *scriptedFault) answer(r *request) *fault {
	if f.fault.code == "Throttling" && r.Service == "s3" {
		return &fault{http.StatusServiceUnavailable, "SlowDown", "Please reduce your request rate."}
	}
	x := f.fault
	return &x
}

func expired(r *request) *fault {
	if r.Service == "s3" {
		return &fault{http.StatusBadRequest, "ExpiredToken", "The provided token has expired."}
	}
	return &fault{http.StatusForbidden, "ExpiredToken", "The security token included in the request is expired"}
}

// Throttle makes the next n calls of an action answer that the rate is exceeded: Throttling with status 400, in S3
// SlowDown with 503. The action may be "*", or all of a service ("s3:*").
func (s *Server) Throttle(action string, n int) { s.Fail(action, "Throttling", "Rate exceeded", n) }

// Fail makes the next n calls of an action answer an error and have no effect. The status is what AWS sends with
// common codes: 403 for AccessDenied and those about credentials, 404 for NoSuch..., 409 for conflicts, 500 for
// InternalFailure and InternalError, 503 for ServiceUnavailable, else 400.
func (s *Server) Fail(action, code, message string, n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.script.faults = append(s.script.faults, &scriptedFault{action, fault{statusOf(code), code, message}, n})
}

func statusOf(code string) int {
	switch code {
	case "AccessDenied", "InvalidClientTokenId", "UnrecognizedClientException", "SignatureDoesNotMatch",
		"InvalidAccessKeyId":
		return http.StatusForbidden
	case "NoSuchBucket", "NoSuchKey", "NoSuchUpload", "NotFound", "ChangeSetNotFound":
		return http.StatusNotFound
	case "BucketAlreadyExists", "BucketAlreadyOwnedByYou", "OperationAborted":
		return http.StatusConflict
	case "InternalFailure", "InternalError":
		return http.StatusInternalServerError
	case "ServiceUnavailable", "SlowDown":
		return http.StatusServiceUnavailable
	}
	return http.StatusBadRequest
}

// ExpireTokensAfter makes all calls after the next n answer ExpiredToken, until NewTokens.
func (s *Server) ExpireTokensAfter(n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.script.expireAfter = len(s.calls) + n
	if s.script.expireAfter == 0 {
		s.script.expireAfter = -1
	}
}

// NewTokens ends ExpireTokensAfter, as a new sign-in would.
func (s *Server) NewTokens() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.script.expireAfter = 0
}

// CutAt closes the connection of the n-th call of all, without an answer.
func (s *Server) CutAt(n int, how Moment) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.script.cuts == nil {
		s.script.cuts = make(map[int]Moment)
	}
	s.script.cuts[n] = how
}

// CutFrom closes the connections of all calls from the n-th on, before they are handled, as if
// the network were gone. 0 ends that.
func (s *Server) CutFrom(n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.script.cutFrom = n
}

// KillAt calls a function at the n-th call of all, before or after it is handled and always before it is answered.
// The function may call the server's methods. After a function the call is answered unless it is cut too.
func (s *Server) KillAt(n int, when Moment, f func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.script.kills == nil {
		s.script.kills = make(map[int]kill)
	}
	s.script.kills[n] = kill{when, f}
}

// FailResource makes a resource, by its logical id or its type, fail the next time that it is
// made, changed or deleted for any reason but a rollback. The operation then fails as in AWS.
func (s *Server) FailResource(idOrType, reason string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.script.resources = append(s.script.resources, scriptedFailure{idOrType, reason, false})
}

// FailRollback makes a resource, by its logical id or its type, fail in the next rollback that touches it: an update
// ends in UPDATE_ROLLBACK_FAILED until ContinueUpdateRollback, a first creation in ROLLBACK_FAILED.
func (s *Server) FailRollback(idOrType, reason string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.script.resources = append(s.script.resources, scriptedFailure{idOrType, reason, true})
}

// FailComparisons makes all comparisons of stacks with the account fail for resources that are
// named by their logical ids; for all if none is named.
func (s *Server) FailComparisons(reason string, logicalIDs ...string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.script.incomparable, s.script.incomparableIDs = reason, logicalIDs
}

// SlowChangeSets makes change sets stay in CREATE_PENDING and CREATE_IN_PROGRESS for one
// DescribeChangeSet each, as in AWS, where they take seconds.
func (s *Server) SlowChangeSets() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.script.slow = true
}

// Clear ends everything scripted that is still to come. State and Calls stay.
func (s *Server) Clear() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.script = script{}
}

// fails takes the scripted failure of a resource.
func (s *script) fails(id, kind string, rollback bool) (reason string, fails bool) {
	i := slices.IndexFunc(s.resources, func(f scriptedFailure) bool {
		return f.rollback == rollback && (f.name == id || f.name == kind)
	})
	if i < 0 {
		return "", false
	}
	reason = s.resources[i].reason
	s.resources = slices.Delete(s.resources, i, i+1)
	return reason, true
}
