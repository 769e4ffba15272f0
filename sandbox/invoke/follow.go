package invoke

import (
	"net/http"
	"slices"

	"gatewright/internal/text/phrase"
)

// follow finds out of which chain of calls a request is a part, and refuses it if that is a
// loop. trace is the trace header of the request.
func (s *Service) follow(q *request, trace string) *fault {
	made, known := readLineage(trace)
	if !known && q.caller != nil {
		made = s.deepest(*q.caller)
	}
	next, ok := made.calling(q.caller, q.called)
	if !ok {
		return &fault{
			status: http.StatusBadRequest, code: recursive,
			text: "Lambda has detected your function being invoked in a recursive loop with other AWS resources and stopped " +
				"your function's invocation.",
			note: "function " + phrase.Quote(q.called.Name) +
				" is not called: it was called 16 times in one chain of calls, which is a loop; Lambda stops it too. Let the " +
				"chain end earlier",
		}
	}
	q.lineage = next
	return nil
}

// deepest is the lineage of a caller that sent no trace header: the longest of its calls that
// run.
func (s *Service) deepest(caller Function) lineage {
	s.mu.Lock()
	defer s.mu.Unlock()
	var found lineage
	for _, l := range s.running[caller] {
		if l.longest() > found.longest() {
			found = l
		}
	}
	return found
}

// track remembers the lineage of a call while it runs.
func (s *Service) track(q *request) (over func()) {
	s.mu.Lock()
	s.running[q.called] = append(s.running[q.called], q.lineage)
	s.mu.Unlock()
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		all := s.running[q.called]
		if at := slices.IndexFunc(all, q.lineage.same); at >= 0 {
			all = slices.Delete(all, at, at+1)
		}
		if s.running[q.called] = all; len(all) == 0 {
			delete(s.running, q.called)
		}
	}
}
