package table

import (
	"errors"
	"fmt"
	"runtime"
	"sync"

	"go.etcd.io/bbolt"
	berrors "go.etcd.io/bbolt/errors"
)

// commits gathers the writes of many goroutines into few transactions: while one is being committed, those that come meanwhile wait
// and are committed together afterwards.
type commits struct {
	mu      sync.Mutex
	waiting []*write
	busy    bool
	closed  bool
	idle    *sync.Cond
}

// write is a writing that waits. run may be called again from the start when the transaction that it was in fails for another's sake.
type write struct {
	run func(tx *bbolt.Tx) error
	// alone is for what changes definitions: nobody else may be in its transaction.
	alone bool
	err   error
	// turn gets true when the writing is done, and false when its goroutine is to lead.
	turn chan bool
}

// mostTogether is how many writes share a transaction at most.
const mostTogether = 256

// update runs a writing. A refusal (an *attribute.Error) of it must come before it has written anything; any other error undoes it.
func (s *Store) update(run func(tx *bbolt.Tx) error) error { return s.commit(&write{run: run}) }

// updateAlone is update for a change of definitions, which every error undoes.
func (s *Store) updateAlone(run func(tx *bbolt.Tx) error) error {
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
	// Whoever is ready to write gets to the queue first.
	runtime.Gosched()
	q.mu.Lock()
	together := q.take(w)
	q.mu.Unlock()

	s.commitTogether(together)
	s.written()

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

// take is a writing and those that wait behind it and may share its transaction.
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

// commitTogether runs writings in one transaction. One that fails other than by refusing is taken out, and the rest run again.
func (s *Store) commitTogether(together []*write) {
	left := append([]*write(nil), together...)
	for len(left) > 0 {
		failed := -1
		err := s.db.Update(func(tx *bbolt.Tx) error {
			for i, w := range left {
				if w.err = runRecovering(w.run, tx); w.err != nil && (w.alone || !isRefusal(w.err)) {
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
			if errors.Is(err, berrors.ErrDatabaseNotOpen) {
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

// runRecovering turns a panic of one writing into its error, since it may run in the goroutine of another.
func runRecovering(run func(tx *bbolt.Tx) error, tx *bbolt.Tx) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("a write failed: %v", p)
		}
	}()
	return run(tx)
}

// close refuses writes from now on and waits for those under way.
func (q *commits) close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.closed = true
	q.idle = sync.NewCond(&q.mu)
	for q.busy {
		q.idle.Wait()
	}
}
