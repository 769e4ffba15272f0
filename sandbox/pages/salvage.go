package pages

import (
	"bytes"
	"errors"
	"io"
	"os"
	"slices"
)

// Found is what Salvage finds in a file: an element of a bucket, or the bucket itself.
type Found struct {
	// Path are the names of the buckets around it; nil if no page leads there any more.
	Path [][]byte
	Key  []byte
	// Value is nil for a nested bucket, which Sequence belongs to.
	Value    []byte
	Bucket   bool
	Sequence uint64
	// Sound is set if its page and all pages on the way to it are as they were written.
	Sound bool
	// Stale is set if it may have been changed or deleted since: the list of free pages is
	// lost, so it is not known whether its page is in use.
	Stale bool
	// Lost is set if this is no element: some that are in Path, or below it, may be missing.
	Lost bool
}

// Salvage reads a file that may be damaged, which nobody has open, without changing it, and
// calls found with everything in it: first with what its pages lead to, and then with what is
// on other pages in use. If the list of free pages is lost with other pages, the rest of the
// pages follow, those that were written last first.
func Salvage(name string, found func(Found) error) error {
	seal, sealErr := readSeal(name)
	if sealErr != nil && !errors.Is(sealErr, errSeal) {
		return sealErr
	}
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	s := &salvage{
		f: f, size: uint64(info.Size()), found: found, visited: make(map[uint64]bool),
		free: make(map[uint64]bool),
	}
	if err := s.begin(seal.last, seal.sums); err != nil {
		return err
	}
	// The first record has the pages in use alone.
	s.exact = seal.records == 1
	if err := s.tree(s.now.root, nil, true, 0); err != nil {
		return err
	}
	return s.rest()
}

// salvage is one reading of a file.
type salvage struct {
	f        *os.File
	size     uint64
	pageSize uint64
	now      meta
	// known is set if sums has the sums of the present tree.
	known bool
	// exact is set if a page with a sum is certainly in use.
	exact bool
	sums  sums
	// written has the pages with sums, those that were written last first.
	written []uint64
	visited map[uint64]bool
	// free are the pages that are not in use, nil if that is unknown.
	free  map[uint64]bool
	found func(Found) error
	// lost is set if a page of the tree was.
	lost bool
}

// begin finds the newest meta page that is whole, or takes what the checksums say.
func (s *salvage) begin(last meta, all []pageSum) error {
	head := make([]byte, 2*largestPage)
	n, err := s.f.ReadAt(head, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	head = head[:n]
	for _, at := range []int{
		0, smallestPage, smallestPage * 2, smallestPage * 4, smallestPage * 8, smallestPage * 16,
		smallestPage * 32, largestPage,
	} {
		if m, ok := readMeta(head[min(at, len(head)):]); ok && m.txid >= s.now.txid && (at == 0 || at == int(m.pageSize)) {
			s.now = m
		}
	}
	if s.now.pageSize == 0 {
		s.now, s.now.pageSize = last, uint32(os.Getpagesize())
	}
	s.pageSize = uint64(s.now.pageSize)
	s.now.end = min(max(s.now.end, last.end), s.size/s.pageSize)
	if last.txid != 0 && last.txid <= s.now.txid+1 && s.now.txid <= last.txid+1 {
		// If the newest meta page is damaged, the checksums have one change more. If they have
		// one less, the process was killed before anybody heard of that change, and the pages
		// that it replaced are still there.
		s.known, s.now.root, s.now.freelist = true, last.root, last.freelist
		s.sums.put(all)
		for _, c := range slices.Backward(all) {
			s.written = append(s.written, c.id)
		}
	}
	return s.readFree()
}

func (s *salvage) readFree() error {
	p, sound, err := s.page(s.now.freelist)
	if err != nil {
		return err
	}
	s.visited[s.now.freelist] = true
	if !sound || guarded(func() error {
		for _, id := range p.free() {
			s.free[id] = true
		}
		return nil
	}) != nil {
		s.free = nil
	}
	return nil
}

// page reads a page. It is nil if there is none.
func (s *salvage) page(id uint64) (p page, sound bool, err error) {
	if id < firstPage || id >= s.now.end {
		return nil, false, nil
	}
	p = make(page, s.pageSize)
	if _, err := s.f.ReadAt(p, int64(id*s.pageSize)); err != nil {
		return nil, false, err
	}
	if more := uint64(p.overflow()); more > 0 && more < s.now.end-id {
		whole := make(page, (more+1)*s.pageSize)
		if _, err := s.f.ReadAt(whole, int64(id*s.pageSize)); err != nil {
			return nil, false, err
		}
		if !s.known || s.sums.get(id) == sum(whole) || p.id() == id {
			p = whole
		}
	}
	if s.known {
		return p, s.sums.get(id) == sum(p), nil
	}
	return p, p.id() == id && guarded(func() error { (&taking{}).keys(id, p, nil, nil); return nil }) == nil, nil
}

// tree reads a tree of pages. sound is set if all pages on the way there are.
func (s *salvage) tree(id uint64, path [][]byte, sound bool, depth int) error {
	if s.visited[id] || depth == deepest || s.free[id] {
		return s.lose(path)
	}
	p, whole, err := s.page(id)
	if err != nil {
		return err
	}
	if p == nil || p.kind() != branchPage && p.kind() != leafPage && !whole {
		// What this page is can no longer be told.
		return s.lose(path)
	}
	if !whole {
		if err := s.lose(path); err != nil {
			return err
		}
	}
	s.visited[id] = true
	if whole {
		for i := range uint64(p.overflow()) {
			s.visited[id+i+1] = true
		}
	}
	if p.kind() != branchPage {
		return s.leaf(p, path, sound && whole)
	}
	for i := range s.count(p) {
		child := p.child(i)
		if !whole {
			// Only a child that is whole shows that the number is right.
			if _, right, err := s.page(child); err != nil || !right || !s.inUse(child) {
				continue
			}
		}
		if err := s.tree(child, path, sound && whole, depth+1); err != nil {
			return err
		}
	}
	return nil
}

// lose tells that a page of a bucket is lost, or damaged.
func (s *salvage) lose(path [][]byte) error {
	s.lost = true
	return s.found(Found{Path: path, Lost: true})
}

// inUse reports whether a page is known to be in use.
func (s *salvage) inUse(id uint64) bool {
	// A page that belongs to another one has no sum of its own.
	hasSum := s.sums.get(id) != 0
	if s.free != nil {
		return !s.free[id] && (hasSum || !s.known)
	}
	return s.known && s.exact && hasSum
}

// count is how many elements a page has room for, if it says that it has more.
func (s *salvage) count(p page) int { return min(p.count(), (len(p)-headerSize)/elementSize) }

// leaf reads the elements of a leaf page. Damaged ones that lead out of it are left out.
func (s *salvage) leaf(p page, path [][]byte, sound bool) error {
	for i := range s.count(p) {
		var f Found
		var root uint64
		var inline page
		err := guarded(func() error {
			f = Found{Path: path, Sound: sound}
			f.Key, f.Value, f.Bucket = p.leaf(i)
			if f.Bucket {
				root, f.Sequence, inline = bucketValue(f.Value)
				f.Value = nil
			}
			return nil
		})
		if err != nil {
			continue
		}
		if err := s.found(f); err != nil {
			return err
		}
		if !f.Bucket {
			continue
		}
		below := append(slices.Clone(path), bytes.Clone(f.Key))
		if inline != nil {
			err = s.inline(inline, below, sound)
		} else {
			err = s.tree(root, below, sound, 0)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (s *salvage) inline(p page, path [][]byte, sound bool) error {
	if len(p) < headerSize {
		return nil
	}
	return s.leaf(p, path, sound)
}
