package pages

import "sync"

// readers is where those wait who see a change whose sums are not known yet. They wait for an
// event, and not for a time, since they keep bbolt from growing the file meanwhile: under a fake
// clock, which stands still while a change waits for that, they would wait for ever.
type readers struct {
	mu   sync.Mutex
	news sync.Cond
	// committing is the change that is being committed, 0 for none.
	committing uint64
}

// wake has those who wait look again.
func (r *readers) wake() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.news.Broadcast()
}

// committing says which change is being committed, 0 for none.
func (f *File) committing(txid uint64) {
	f.readers.mu.Lock()
	defer f.readers.mu.Unlock()
	f.readers.committing = txid
	f.readers.news.Broadcast()
}

// sumsKnown says that the sums of a change are known.
func (f *File) sumsKnown(txid uint64) {
	f.readers.mu.Lock()
	defer f.readers.mu.Unlock()
	f.settled.Store(txid)
	f.readers.news.Broadcast()
}

// await waits until the sums of a change are known, which they are a moment after others can
// see it. Nobody here made a change that is neither settled nor being committed.
func (f *File) await(txid uint64) {
	if f.settled.Load() >= txid {
		return
	}
	f.readers.mu.Lock()
	defer f.readers.mu.Unlock()
	for f.settled.Load() < txid && f.broken.Load() == nil {
		if f.readers.committing != txid {
			panic(damaged(0, "another file is in its place"))
		}
		f.readers.news.Wait()
	}
}
