package logs

// known is what is known of a log at one moment.
type known struct {
	log *stream
	// memory are the matching lines in memory; complete says that no older ones match.
	memory   []Line
	complete bool
	// number is how many lines were appended until then.
	number int
}

// known tells what the logs of a query have. Callers hold mu, so that no line is appended.
func (s *Store) known(q Query) []known {
	var all []known
	for _, log := range s.matching(q) {
		lines, complete := log.inMemory(q)
		all = append(all, known{log, lines, complete, log.appended})
	}
	return all
}

// lines are the matching lines until that moment, from disk if memory lacks some.
func (k known) lines(q Query) []Line {
	if k.complete {
		return k.memory
	}
	// The files may have fewer lines than memory if lines are long.
	if kept, err := k.log.until(k.number); err == nil {
		var matching []Line
		for _, l := range kept {
			if q.wants(l) {
				matching = append(matching, l)
			}
		}
		if len(matching) > len(k.memory) {
			return last(matching, q.Last)
		}
	}
	return k.memory
}

// until reads the lines on disk up to the line of a number.
func (s *stream) until(number int) ([]Line, error) {
	s.disk.Lock()
	defer s.disk.Unlock()
	if err := s.flushHeld(); err != nil {
		return nil, err
	}
	s.mu.Lock()
	newer := s.appended - len(s.pending) - number
	s.mu.Unlock()
	lines, err := readLog(s.store.root, s.file(), Query{})
	return lines[:max(0, len(lines)-max(0, newer))], err
}
