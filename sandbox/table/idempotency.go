package table

import (
	"crypto/sha256"
	"sync"
	"time"
)

// idempotentFor is how long a repeated transaction is not executed again.
const idempotentFor = 10 * time.Minute

// recentTransactions are the transactions of the last minutes by ClientRequestToken. They
// are not stored in the file.
type recentTransactions struct {
	mu   sync.Mutex
	seen map[string]sentTransaction
	// order is the keys of seen in the order of their arrival.
	order []string
}

type sentTransaction struct {
	sum  [sha256.Size]byte
	when time.Time
}

var errTokenMismatch = refuse("IdempotentParameterMismatchException",
	"Transaction request with the same ClientRequestToken has different parameters")

// begin reports whether the transaction was executed before; otherwise it counts as
// executed from now on.
func (t *recentTransactions) begin(requestToken string, items []byte, now time.Time) (bool, error) {
	if requestToken == "" {
		return false, nil
	}
	sum := sha256.Sum256(items)
	t.mu.Lock()
	defer t.mu.Unlock()
	for len(t.order) > 0 {
		if sent, found := t.seen[t.order[0]]; found && now.Sub(sent.when) < idempotentFor {
			break
		}
		delete(t.seen, t.order[0])
		t.order = t.order[1:]
	}
	if sent, found := t.seen[requestToken]; found {
		if sent.sum != sum {
			return true, errTokenMismatch
		}
		return true, nil
	}
	if t.seen == nil {
		t.seen = make(map[string]sentTransaction)
	}
	t.seen[requestToken] = sentTransaction{sum, now}
	t.order = append(t.order, requestToken)
	return false, nil
}

// forget undoes begin for a transaction that failed.
func (t *recentTransactions) forget(requestToken string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.seen, requestToken)
}
