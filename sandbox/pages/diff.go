package pages

import "bytes"

// difference finds the pages that a change wrote, by comparing the trees before and after
// it. bbolt changes no page in place, so a page of both trees is the same. The pages that are
// only in the old tree are checked: what the change made of them would be as damaged as they.
type difference struct {
	sums     *sums
	memory   []byte
	pageSize int
	wrote    []pageSum
}

// changes is what a change wrote. Damage is a panic.
func changes(s *sums, memory []byte, pageSize int, before, after meta) []pageSum {
	d := &difference{sums: s, memory: memory, pageSize: pageSize}
	d.tree(before.root, after.root)
	if after.freelist != before.freelist && after.freelist < after.end {
		d.add(after.freelist, d.raw(after.freelist))
	}
	return d.wrote
}

func (d *difference) raw(id uint64) page { return raw(d.memory, d.pageSize, id) }

// old is a page of the tree before.
func (d *difference) old(id uint64) page {
	p := d.raw(id)
	if d.sums.get(id) != sum(p) {
		panic(damaged(id, "it is not what was written"))
	}
	return p
}

// add notes a page of the tree after, and that pages which belong to it have no sum.
func (d *difference) add(id uint64, p page) {
	d.wrote = append(d.wrote, pageSum{id, sum(p)})
	for i := uint64(1); i <= uint64(p.overflow()); i++ {
		if d.sums.get(id+i) != 0 {
			d.wrote = append(d.wrote, pageSum{id + i, 0})
		}
	}
}

// tree compares two trees, of which one may be missing (0), level by level from the top.
func (d *difference) tree(before, after uint64) {
	if before == after {
		return
	}
	var old, now []uint64
	oldHeight, height := 0, 0
	if before != 0 {
		old, oldHeight = []uint64{before}, d.height(before)
	}
	if after != 0 {
		now, height = []uint64{after}, d.height(after)
	}
	for ; max(oldHeight, height) > 0; oldHeight, height = min(oldHeight, max(oldHeight, height)-1),
		min(height, max(oldHeight, height)-1) {
		if oldHeight == height {
			old, now = without(old, now)
		}
		isOld, isNow := oldHeight >= height, height >= oldHeight
		var oldLeaves, leaves []page
		if isOld {
			old, oldLeaves = d.expand(old, func(id uint64) page { return d.old(id) })
		}
		if isNow {
			now, leaves = d.expand(now, func(id uint64) page {
				p := d.raw(id)
				d.add(id, p)
				return p
			})
		}
		if oldHeight <= 1 && height <= 1 {
			d.buckets(oldLeaves, leaves)
		}
	}
}

// height is the number of levels of a tree, which is the same on every way down.
func (d *difference) height(root uint64) int {
	p := d.raw(root)
	for n := 1; n < deepest; n++ {
		if p.kind() != branchPage {
			return n
		}
		p = d.raw(p.child(0))
	}
	panic(damaged(root, "its tree is too deep"))
}

// expand replaces branch pages by their children.
func (d *difference) expand(ids []uint64, page func(id uint64) page) (children []uint64, leaves []page) {
	for _, id := range ids {
		p := page(id)
		if p.kind() != branchPage {
			leaves = append(leaves, p)
			continue
		}
		for i := range p.count() {
			children = append(children, p.child(i))
		}
	}
	return children, leaves
}

// without removes from two lists what is in both. Most of it is at the ends.
func without(a, b []uint64) (onlyA, onlyB []uint64) {
	for len(a) > 0 && len(b) > 0 && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	for len(a) > 0 && len(b) > 0 && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	both := make(map[uint64]bool, len(a))
	for _, id := range a {
		both[id] = false
	}
	for _, id := range b {
		if _, found := both[id]; found {
			both[id] = true
		} else {
			onlyB = append(onlyB, id)
		}
	}
	for _, id := range a {
		if !both[id] {
			onlyA = append(onlyA, id)
		}
	}
	return onlyA, onlyB
}

// buckets compares the nested buckets of leaf pages, whose keys are in their order.
func (d *difference) buckets(old, now []page) {
	was, is := nested(old), nested(now)
	for len(was) > 0 || len(is) > 0 {
		compared := 0
		switch {
		case len(was) == 0:
			compared = 1
		case len(is) == 0:
			compared = -1
		default:
			compared = bytes.Compare(was[0].key, is[0].key)
		}
		switch compared {
		case -1:
			d.tree(was[0].root, 0)
			was = was[1:]
		case 1:
			d.tree(0, is[0].root)
			is = is[1:]
		default:
			d.tree(was[0].root, is[0].root)
			was, is = was[1:], is[1:]
		}
	}
}

// nestedBucket is a nested bucket; root is 0 if it is within the page.
type nestedBucket struct {
	key  []byte
	root uint64
}

func nested(leaves []page) []nestedBucket {
	var out []nestedBucket
	for _, p := range leaves {
		for i := range p.count() {
			if key, value, bucket := p.leaf(i); bucket {
				root, _, _ := bucketValue(value)
				out = append(out, nestedBucket{key, root})
			}
		}
	}
	return out
}
