package frame

import (
	"sync"
	"time"

	"gatewright/tui/frame/waiting"
)

// Inbox holds items from goroutines until the page takes them. Put never blocks: a full
// inbox drops its oldest item.
type Inbox[T any] struct {
	mu    sync.Mutex
	items []T
	most  int
	ended bool
	err   error
	// gather is how long Take waits for more items: the screen is not drawn more often than that.
	gather time.Duration
	// wake holds a value while there is something to take.
	wake chan struct{}
}

// NewInbox makes an inbox that holds at most that many items.
func NewInbox[T any](most int) *Inbox[T] {
	const usual = 50 * time.Millisecond
	return &Inbox[T]{most: most, gather: usual, wake: make(chan struct{}, 1)}
}

// Slower makes Take wait longer for more items. It is called before the first Take.
func (b *Inbox[T]) Slower(gather time.Duration) *Inbox[T] {
	b.gather = gather
	return b
}

// Put adds an item.
func (b *Inbox[T]) Put(item T) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.items = append(b.items, item)
	if more := len(b.items) - b.most; more > 0 {
		b.items = b.items[more:]
	}
	b.ring()
}

// End says that no more items come, and why.
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

// Take waits for items and returns them all. If ended is true, no more follow.
func (b *Inbox[T]) Take() (items []T, ended bool, err error) {
	select {
	case <-b.wake:
	default:
		waiting.Begins(waiting.News)
		<-b.wake
	}
	time.Sleep(b.gather)
	b.mu.Lock()
	defer b.mu.Unlock()
	items, b.items = b.items, nil
	return items, b.ended, b.err
}
