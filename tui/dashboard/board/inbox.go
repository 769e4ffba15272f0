package board

import (
	"sync"
	"time"
)

// Inbox takes what goroutines tell, until the page asks for it. Whoever tells
// never waits; of more than is kept the oldest goes.
type Inbox[T any] struct {
	mu    sync.Mutex
	items []T
	most  int
	ended bool
	err   error
	// wake has one token while there is something to take.
	wake chan struct{}
}

// NewInbox makes one that keeps so many.
func NewInbox[T any](most int) *Inbox[T] {
	return &Inbox[T]{most: most, wake: make(chan struct{}, 1)}
}

// Put adds one.
func (b *Inbox[T]) Put(item T) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.items = append(b.items, item)
	if more := len(b.items) - b.most; more > 0 {
		b.items = b.items[more:]
	}
	b.ring()
}

// End says that nothing more comes, and why.
func (b *Inbox[T]) End(err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.ended, b.err = true, err
	b.ring()
}

func (b *Inbox[T]) ring() {
	select {
	case b.wake <- struct{}{}:
	default:
	}
}

// gather is how long what comes together is waited for: a screen is not drawn more
// often than that.
const gather = 50 * time.Millisecond

// Take waits for something and gives all that there is. When ended is true, nothing
// comes after it.
func (b *Inbox[T]) Take() (items []T, ended bool, err error) {
	<-b.wake
	time.Sleep(gather)
	b.mu.Lock()
	defer b.mu.Unlock()
	items, b.items = b.items, nil
	return items, b.ended, b.err
}
