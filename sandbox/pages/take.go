package pages

import (
	"bytes"
	"context"
	"slices"
)

// take learns the sums of all pages of the tree from the file itself, and checks its
// structure: that every page is one of the tree, is there once, and has its keys in order.
func (f *File) take(memory []byte) error {
	return guarded(func() error {
		t := &taking{file: f, memory: memory, seen: make([]bool, f.now.end)}
		if id := f.now.freelist; id < f.now.end {
			p := raw(memory, f.pageSize, id)
			t.use(id, p)
			for _, free := range p.free() {
				t.seen[free] = true
			}
		}
		t.tree(f.now.root, nil, nil, 0)
		return nil
	})
}

type taking struct {
	file   *File
	memory []byte
	seen   []bool
}

// use notes that a page is in use, and its sum.
func (t *taking) use(id uint64, p page) {
	for i := range uint64(p.overflow()) + 1 {
		if t.seen[id+i] {
			panic(damaged(id+i, "it is used twice"))
		}
		t.seen[id+i] = true
	}
	t.file.sums.set(id, sum(p))
}

// tree checks a tree whose keys are from low on and less than high; nil is no limit.
func (t *taking) tree(id uint64, low, high []byte, depth int) {
	p := raw(t.memory, t.file.pageSize, id)
	if p.id() != id || depth == deepest || p.kind() != branchPage && p.kind() != leafPage {
		panic(damaged(id, "it is not what was written"))
	}
	t.use(id, p)
	t.keys(id, p, low, high)
	for i := range p.count() {
		if p.kind() == branchPage {
			next := high
			if i+1 < p.count() {
				next = p.branchKey(i + 1)
			}
			t.tree(p.child(i), p.branchKey(i), next, depth+1)
			continue
		}
		if _, value, bucket := p.leaf(i); bucket {
			if root, _, inline := bucketValue(value); inline != nil {
				t.keys(id, inline, nil, nil)
			} else {
				t.tree(root, nil, nil, 0)
			}
		}
	}
}

// keys checks that the keys of a page are in order, within limits, and one behind the other.
func (t *taking) keys(id uint64, p page, low, high []byte) {
	end := headerSize + p.count()*elementSize
	before := low
	for i := range p.count() {
		var key []byte
		length := 0
		at := headerSize + i*elementSize
		if p.kind() == branchPage {
			key = p.branchKey(i)
			length, at = len(key), at+int(order.Uint32(p[at:]))
		} else {
			var value []byte
			key, value, _ = p.leaf(i)
			length, at = len(key)+len(value), at+int(order.Uint32(p[at+4:]))
			if order.Uint32(p[headerSize+i*elementSize:]) > 1 {
				panic(damaged(id, "it is not what was written"))
			}
		}
		sorted := i == 0 && (p.kind() == branchPage || bytes.Compare(before, key) <= 0) || i > 0 &&
			bytes.Compare(before, key) < 0
		if at != end || !sorted || high != nil && bytes.Compare(key, high) >= 0 {
			panic(damaged(id, "its keys are not what was written"))
		}
		before, end = key, end+length
	}
}

// checkAll checks all pages that are in use against their sums, until ctx ends. Others may
// use the file meanwhile.
func (f *File) checkAll(ctx context.Context) error {
	const step = 256
	for id := uint64(firstPage); ctx.Err() == nil; {
		next, err := f.checkSome(id, step)
		if err != nil || next == 0 {
			return err
		}
		id = next
	}
	return ctx.Err()
}

// checkSome checks some pages and returns the number of the next one, 0 after the last.
func (f *File) checkSome(id, step uint64) (next uint64, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.closed || f.broken.Load() != nil {
		return 0, nil
	}
	err = guarded(func() error {
		memory := mapped(f.db, f.now.end)
		for last := id + step; id < last; {
			if id >= f.now.end {
				id = 0
				return nil
			}
			want := f.sums.get(id)
			if want == 0 {
				id++
				continue
			}
			p := raw(memory, f.pageSize, id)
			if sum(p) != want {
				// A change that failed may have written into a free page.
				free := raw(memory, f.pageSize, f.now.freelist).free()
				if _, isFree := slices.BinarySearch(free, id); isFree {
					id++
					continue
				}
				return damaged(id, "it is not what was written")
			}
			id += uint64(p.overflow()) + 1
		}
		return nil
	})
	return id, err
}
