package dashboard

import (
	"sync"
	"time"
)

// inbox takes what goroutines tell, until the page asks for it. Whoever tells
// never waits; of more than is kept the oldest goes.
type inbox[T any] struct {
	mu    sync.Mutex
	items []T
	most  int
	ended bool
	err   error
	// wake has one token while there is something to take.
	wake chan struct{}
}

func newInbox[T any](most int) *inbox[T] {
	return &inbox[T]{most: most, wake: make(chan struct{}, 1)}
}

func (b *inbox[T]) put(item T) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.items = append(b.items, item)
	if more := len(b.items) - b.most; more > 0 {
		b.items = b.items[more:]
	}
	b.ring()
}

// end says that nothing more comes, and why.
func (b *inbox[T]) end(err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.ended, b.err = true, err
	b.ring()
}

func (b *inbox[T]) ring() {
	select {
	case b.wake <- struct{}{}:
	default:
	}
}

// gather is how long what comes together is waited for: a screen is not drawn more
// often than that.
const gather = 50 * time.Millisecond

// take waits for something and gives all that there is. When ended is true, nothing
// comes after it.
func (b *inbox[T]) take() (items []T, ended bool, err error) {
	<-b.wake
	time.Sleep(gather)
	b.mu.Lock()
	defer b.mu.Unlock()
	items, b.items = b.items, nil
	return items, b.ended, b.err
}
