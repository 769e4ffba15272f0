package pages

// rest reads the leaf pages that no page leads to any more. Their buckets are unknown.
func (s *salvage) rest() error {
	if s.free == nil && (!s.known || !s.exact) {
		if !s.lost {
			return nil
		}
		return s.stale()
	}
	for id := uint64(firstPage); id < s.now.end; id++ {
		if s.visited[id] || !s.inUse(id) {
			continue
		}
		p, sound, err := s.page(id)
		if err != nil {
			return err
		}
		if err := s.elements(p, false); err != nil {
			return err
		}
		if sound {
			id += uint64(p.overflow())
		}
	}
	return nil
}

// stale reads the leaf pages of which it is unknown whether they are in use.
func (s *salvage) stale() error {
	ids := s.written
	if !s.known {
		for id := uint64(firstPage); id < s.now.end; id++ {
			ids = append(ids, id)
		}
	}
	for _, id := range ids {
		if s.visited[id] || s.known && s.sums.get(id) == 0 {
			continue
		}
		s.visited[id] = true
		p, sound, err := s.page(id)
		if err != nil {
			return err
		}
		// A page that is not what it says may be the inside of a large item.
		if p == nil || p.kind() != leafPage || !sound && p.id() != id {
			continue
		}
		if err := s.elements(p, true); err != nil {
			return err
		}
	}
	return nil
}

// elements reads the elements of a leaf page on its own.
func (s *salvage) elements(p page, stale bool) error {
	for i := range s.count(p) {
		f := Found{Stale: stale}
		if guarded(func() error { f.Key, f.Value, f.Bucket = p.leaf(i); return nil }) != nil || f.Bucket {
			continue
		}
		if err := s.found(f); err != nil {
			return err
		}
	}
	return nil
}
