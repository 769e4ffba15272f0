package pages

import (
	"unsafe"

	"go.etcd.io/bbolt"
)

// snapshot is the committed tree of one change, in memory. Its pages are checked when they
// are asked for; damage is a panic with a *DamageError.
type snapshot struct {
	file *File
	root uint64
	// memory is the file up to the end of its pages, unless a change is in progress: then
	// bbolt may move it at any step.
	memory []byte
	end    uint64
	writer bool
}

// mapped is the memory of an open database, up to a page.
func mapped(db *bbolt.DB, end uint64) []byte {
	info := db.Info()
	// bbolt gives the address as a number.
	base := *(*unsafe.Pointer)(unsafe.Pointer(&info.Data))
	return unsafe.Slice((*byte)(base), end*uint64(info.PageSize))
}

// raw is a page as it is in the file.
func raw(memory []byte, pageSize int, id uint64) page {
	size := uint64(pageSize)
	if id < firstPage || id >= uint64(len(memory))/size {
		panic(damaged(id, "there is no such page"))
	}
	p := page(memory[id*size:])
	length := (uint64(p.overflow()) + 1) * size
	if length > uint64(len(p)) {
		panic(damaged(id, "it is not what was written"))
	}
	return p[:length:length]
}

func (s *snapshot) page(id uint64) page {
	memory := s.memory
	if s.writer {
		memory = mapped(s.file.db, s.end)
	}
	p := raw(memory, s.file.pageSize, id)
	if !s.file.isSound(id, p) {
		panic(damaged(id, "it is not what was written"))
	}
	return p
}

// find is the value of a key in a tree, nil without one.
func (s *snapshot) find(root uint64, inline page, key []byte) (value []byte, bucket, found bool) {
	p := inline
	if p == nil {
		p = s.page(root)
	}
	for range deepest {
		if p.kind() == branchPage {
			p = s.page(p.child(p.below(key)))
			continue
		}
		at, equal := p.search(key)
		if !equal {
			return nil, false, false
		}
		_, value, bucket = p.leaf(at)
		return value, bucket, true
	}
	panic(damaged(root, "its tree is too deep"))
}

// cursor moves over the keys of a tree in their order.
type cursor struct {
	snapshot *snapshot
	root     uint64
	inline   page
	stack    []place
}

// place is an element of a page on the way to a key.
type place struct {
	page page
	at   int
}

func (c *cursor) begin() page {
	c.stack = c.stack[:0]
	if c.inline != nil {
		return c.inline
	}
	return c.snapshot.page(c.root)
}

// down goes from a page to a leaf; pick chooses the element of each page.
func (c *cursor) down(p page, pick func(p page) int) {
	for {
		if len(c.stack) == deepest {
			panic(damaged(c.root, "its tree is too deep"))
		}
		c.stack = append(c.stack, place{p, pick(p)})
		if p.kind() != branchPage {
			return
		}
		p = c.snapshot.page(p.child(c.stack[len(c.stack)-1].at))
	}
}

func firstOf(page) int  { return 0 }
func lastOf(p page) int { return p.count() - 1 }

func (c *cursor) First() (key, value []byte) {
	c.down(c.begin(), firstOf)
	return c.forward()
}

func (c *cursor) Last() (key, value []byte) {
	c.down(c.begin(), lastOf)
	return c.backward()
}

func (c *cursor) Seek(key []byte) (found, value []byte) {
	c.down(c.begin(), func(p page) int {
		if p.kind() == branchPage {
			return p.below(key)
		}
		at, _ := p.search(key)
		return at
	})
	return c.forward()
}

func (c *cursor) Next() (key, value []byte) {
	if len(c.stack) == 0 {
		return nil, nil
	}
	c.stack[len(c.stack)-1].at++
	return c.forward()
}

func (c *cursor) Prev() (key, value []byte) {
	if len(c.stack) == 0 {
		return nil, nil
	}
	c.stack[len(c.stack)-1].at--
	return c.backward()
}

// forward is the element at the cursor or the next one.
func (c *cursor) forward() (key, value []byte) {
	for len(c.stack) > 0 {
		top := &c.stack[len(c.stack)-1]
		switch {
		case top.at >= top.page.count():
			if c.stack = c.stack[:len(c.stack)-1]; len(c.stack) > 0 {
				c.stack[len(c.stack)-1].at++
			}
		case top.page.kind() == branchPage:
			c.down(c.snapshot.page(top.page.child(top.at)), firstOf)
		default:
			return element(top.page, top.at)
		}
	}
	return nil, nil
}

// backward is the element at the cursor or the one before.
func (c *cursor) backward() (key, value []byte) {
	for len(c.stack) > 0 {
		top := &c.stack[len(c.stack)-1]
		switch {
		case top.at < 0:
			if c.stack = c.stack[:len(c.stack)-1]; len(c.stack) > 0 {
				c.stack[len(c.stack)-1].at--
			}
		case top.page.kind() == branchPage:
			c.down(c.snapshot.page(top.page.child(top.at)), lastOf)
		default:
			return element(top.page, top.at)
		}
	}
	return nil, nil
}

// element is a key with its value, which is nil for a nested bucket.
func element(p page, at int) (key, value []byte) {
	key, value, bucket := p.leaf(at)
	if bucket {
		return key, nil
	}
	return key, value
}

// seen is a cursor of a change that is in progress: the tree in memory has what the change
// did, and where it comes from is checked.
type seen struct {
	bucket *Bucket
	cursor *bbolt.Cursor
}

func (c seen) check(key, value []byte) ([]byte, []byte) {
	if key != nil {
		c.bucket.check(key)
	}
	return key, value
}

func (c seen) First() (key, value []byte)         { return c.check(c.cursor.First()) }
func (c seen) Last() (key, value []byte)          { return c.check(c.cursor.Last()) }
func (c seen) Next() (key, value []byte)          { return c.check(c.cursor.Next()) }
func (c seen) Prev() (key, value []byte)          { return c.check(c.cursor.Prev()) }
func (c seen) Seek(to []byte) (key, value []byte) { return c.check(c.cursor.Seek(to)) }
