package table

import (
	"errors"
	"runtime"
	"sync"

	"gatewright/sandbox/pages"
)

// commits gathers the writes of many goroutines into few transactions. The writes that arrive
// during a commit are committed together after it.
type commits struct {
	mu      sync.Mutex
	waiting []*write
	busy    bool
	closed  bool
	idle    *sync.Cond
}

// write is a write in the queue. run may be called again from the start if its transaction
// failed because of another write.
type write struct {
	run func(tx *pages.Tx) error
	// alone is true of changes of definitions: no other write may share the transaction.
	alone bool
	err   error
	// turn receives true when the write is done, and false when its goroutine has to commit
	// next.
	turn chan bool
}

const mostTogether = 256

// update runs a write. run must refuse (with an *attribute.Error) before it writes
// anything; any other error undoes its changes.
func (s *Store) update(run func(tx *pages.Tx) error) error { return s.commit(&write{run: run}) }

// updateAlone is update for changes of definitions; every error undoes them.
func (s *Store) updateAlone(run func(tx *pages.Tx) error) error {
	return s.commit(&write{run: run, alone: true})
}

func (s *Store) commit(w *write) error {
	q := &s.commits
	q.mu.Lock()
	if q.closed {
		q.mu.Unlock()
		return errClosed
	}
	if q.busy {
		w.turn = make(chan bool, 1)
		q.waiting = append(q.waiting, w)
		q.mu.Unlock()
		if done := <-w.turn; done {
			return w.err
		}
	} else {
		q.busy = true
		q.mu.Unlock()
	}
	// Let other goroutines that are ready to write join the queue.
	runtime.Gosched()
	q.mu.Lock()
	together := q.take(w)
	q.mu.Unlock()

	s.commitTogether(together)
	s.markDirty()

	q.mu.Lock()
	if len(q.waiting) > 0 {
		next := q.waiting[0]
		q.waiting = q.waiting[1:]
		next.turn <- false
	} else {
		q.busy = false
		if q.idle != nil {
			q.idle.Broadcast()
		}
	}
	q.mu.Unlock()
	for _, other := range together {
		if other != w {
			other.turn <- true
		}
	}
	return w.err
}

// take is a write and those behind it in the queue that may share its transaction.
func (q *commits) take(w *write) []*write {
	together := []*write{w}
	if w.alone {
		return together
	}
	n := 0
	for n < len(q.waiting) && !q.waiting[n].alone && len(together) < mostTogether {
		together = append(together, q.waiting[n])
		n++
	}
	q.waiting = q.waiting[n:]
	return together
}

// commitTogether runs writes in one transaction. A write that fails, other than by a
// refusal, is removed, and the rest runs again.
func (s *Store) commitTogether(together []*write) {
	left := append([]*write(nil), together...)
	for len(left) > 0 {
		failed := -1
		err := s.db.Update(func(tx *pages.Tx) error {
			for i, w := range left {
				// The write may run in the goroutine of another.
				if w.err = pages.Guard(func() error { return w.run(tx) }); w.err != nil && (w.alone || !isRefusal(w.err)) {
					failed = i
					return w.err
				}
			}
			return nil
		})
		switch {
		case failed >= 0:
			left = append(left[:failed:failed], left[failed+1:]...)
		case err != nil:
			if errors.Is(err, pages.ErrClosed) {
				err = errClosed
			}
			for _, w := range left {
				w.err = err
			}
			return
		default:
			return
		}
	}
}

// close refuses further writes and waits for those in progress.
func (q *commits) close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.closed = true
	q.idle = sync.NewCond(&q.mu)
	for q.busy {
		q.idle.Wait()
	}
}
