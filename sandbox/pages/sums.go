package pages

import (
	"sync/atomic"
)

// sums are the checksums of pages by their numbers; 0 is unknown. One goroutine at a time
// sets them, any may read them.
type sums struct {
	list atomic.Pointer[[]atomic.Uint32]
}

func (s *sums) get(id uint64) uint32 {
	list := s.list.Load()
	if list == nil || id >= uint64(len(*list)) {
		return 0
	}
	return (*list)[id].Load()
}

func (s *sums) set(id uint64, sum uint32) {
	s.grow(id + 1)
	(*s.list.Load())[id].Store(sum)
}

// grow makes room for the sums of pages below a number.
func (s *sums) grow(end uint64) {
	const least = 256
	list := s.list.Load()
	if list != nil && end <= uint64(len(*list)) {
		return
	}
	wider := make([]atomic.Uint32, max(end+end/2, least))
	if list != nil {
		for i := range *list {
			wider[i].Store((*list)[i].Load())
		}
	}
	s.list.Store(&wider)
}

// all are the known sums below a number.
func (s *sums) all(end uint64) []pageSum {
	var out []pageSum
	for id := uint64(firstPage); id < end; id++ {
		if sum := s.get(id); sum != 0 {
			out = append(out, pageSum{id, sum})
		}
	}
	return out
}

// put sets the sums of pages. A page has none of its own while it belongs to another.
func (s *sums) put(changed []pageSum) {
	for _, c := range changed {
		s.set(c.id, c.sum)
	}
}

type pageSum struct {
	id  uint64
	sum uint32
}
