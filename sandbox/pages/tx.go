package pages

import "go.etcd.io/bbolt"

// Tx is a transaction: a snapshot of the file, or a change. Methods that read panic with
// damage, which View and Update return.
type Tx struct {
	tx       *bbolt.Tx
	snapshot *snapshot
	top      Bucket
	// committed is what to do after a change is acknowledged.
	committed []func()
}

// Bucket is a bucket within a transaction.
type Bucket struct {
	snapshot *snapshot
	// live is the bucket of a change, which has what the change did; nil in a View.
	live *bbolt.Bucket
	// root and inline are the bucket as it was committed; missing is set if it was not.
	root     uint64
	inline   page
	sequence uint64
	missing  bool
}

// Cursor moves over the keys of a bucket. A nested bucket has a nil value.
type Cursor interface {
	First() (key, value []byte)
	Last() (key, value []byte)
	Next() (key, value []byte)
	Prev() (key, value []byte)
	Seek(to []byte) (key, value []byte)
}

// Path is the name of the file.
func (t *Tx) Path() string { return t.snapshot.file.name }

// OnCommit calls f after a change is acknowledged.
func (t *Tx) OnCommit(f func()) { t.committed = append(t.committed, f) }

// Bucket is a bucket of the file, nil if there is none.
func (t *Tx) Bucket(name []byte) *Bucket {
	return t.top.nested(name, func() *bbolt.Bucket { return t.tx.Bucket(name) })
}

// CreateBucket makes a bucket of the file.
func (t *Tx) CreateBucket(name []byte) (*Bucket, error) {
	t.top.check(name)
	return t.top.made(t.tx.CreateBucket(name))
}

// CreateBucketIfNotExists is a bucket of the file, which it makes if missing.
func (t *Tx) CreateBucketIfNotExists(name []byte) (*Bucket, error) {
	if b := t.Bucket(name); b != nil {
		return b, nil
	}
	return t.CreateBucket(name)
}

// DeleteBucket deletes a bucket of the file.
func (t *Tx) DeleteBucket(name []byte) error {
	t.top.check(name)
	return t.tx.DeleteBucket(name)
}

// ForEach calls f with the buckets of the file.
func (t *Tx) ForEach(f func(name []byte, b *Bucket) error) error {
	c := t.top.Cursor()
	for name, _ := c.First(); name != nil; name, _ = c.Next() {
		if err := f(name, t.Bucket(name)); err != nil {
			return err
		}
	}
	return nil
}

func (b *Bucket) made(live *bbolt.Bucket, err error) (*Bucket, error) {
	if err != nil {
		return nil, err
	}
	return &Bucket{snapshot: b.snapshot, live: live, missing: true}, nil
}

// nested is a bucket in this one; live asks for the one that the change sees.
func (b *Bucket) nested(name []byte, live func() *bbolt.Bucket) *Bucket {
	next := &Bucket{snapshot: b.snapshot, missing: true}
	if !b.missing {
		if value, bucket, found := b.snapshot.find(b.root, b.inline, name); found && bucket {
			next.missing = false
			next.root, next.sequence, next.inline = bucketValue(value)
		}
	}
	if !b.snapshot.writer {
		if next.missing {
			return nil
		}
		return next
	}
	if next.live = live(); next.live == nil {
		return nil
	}
	return next
}

// check checks the pages on the way to a key, from which a change reads it.
func (b *Bucket) check(key []byte) {
	if !b.missing {
		b.snapshot.find(b.root, b.inline, key)
	}
}

// Bucket is a nested bucket, nil if there is none.
func (b *Bucket) Bucket(name []byte) *Bucket {
	return b.nested(name, func() *bbolt.Bucket { return b.live.Bucket(name) })
}

// CreateBucket makes a nested bucket.
func (b *Bucket) CreateBucket(name []byte) (*Bucket, error) {
	b.check(name)
	return b.made(b.live.CreateBucket(name))
}

// CreateBucketIfNotExists is a nested bucket, which it makes if missing.
func (b *Bucket) CreateBucketIfNotExists(name []byte) (*Bucket, error) {
	if found := b.Bucket(name); found != nil {
		return found, nil
	}
	return b.CreateBucket(name)
}

// DeleteBucket deletes a nested bucket.
func (b *Bucket) DeleteBucket(name []byte) error {
	b.check(name)
	return b.live.DeleteBucket(name)
}

// Get is the value of a key, nil if there is none. It is valid until the transaction ends,
// and in a change until the next write.
func (b *Bucket) Get(key []byte) []byte {
	if b.live != nil {
		b.check(key)
		return b.live.Get(key)
	}
	value, bucket, found := b.snapshot.find(b.root, b.inline, key)
	if !found || bucket {
		return nil
	}
	return value
}

// Put sets the value of a key. The value must not change before the change ends.
func (b *Bucket) Put(key, value []byte) error {
	b.check(key)
	return b.live.Put(key, value)
}

// Delete deletes a key, if it is there.
func (b *Bucket) Delete(key []byte) error {
	b.check(key)
	return b.live.Delete(key)
}

// Cursor moves over the keys of the bucket.
func (b *Bucket) Cursor() Cursor {
	if b.live != nil {
		return seen{b, b.live.Cursor()}
	}
	return &cursor{snapshot: b.snapshot, root: b.root, inline: b.inline}
}

// ForEach calls f with every key and its value, which is nil for a nested bucket.
func (b *Bucket) ForEach(f func(key, value []byte) error) error {
	c := b.Cursor()
	for key, value := c.First(); key != nil; key, value = c.Next() {
		if err := f(key, value); err != nil {
			return err
		}
	}
	return nil
}

// Len is the number of keys, which it counts.
func (b *Bucket) Len() int {
	n := 0
	_ = b.ForEach(func(_, _ []byte) error { n++; return nil })
	return n
}

// Sequence is a number of the bucket's owner.
func (b *Bucket) Sequence() uint64 {
	if b.live != nil {
		return b.live.Sequence()
	}
	return b.sequence
}

// SetSequence sets the number of the bucket's owner.
func (b *Bucket) SetSequence(n uint64) error { return b.live.SetSequence(n) }

// NextSequence adds one to the number of the bucket's owner.
func (b *Bucket) NextSequence() (uint64, error) { return b.live.NextSequence() }
