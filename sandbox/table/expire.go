package table

import (
	"bytes"
	"errors"
	"maps"
	"math"
	"strconv"
	"sync"
	"time"

	"gatewright/sandbox/pages"
	"gatewright/sandbox/table/attribute"
	"gatewright/sandbox/table/schema"
	"gatewright/sandbox/table/stored"
)

// Items whose time to live is over are deleted in the background, here within seconds, in the cloud
// within days. Until then requests see them, as there
// (https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/howitworks-ttl.html).

// oldestExpiry is how long an item may have been expired to be deleted, in seconds: a time longer ago is
// taken for a mistake
// (https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/time-to-live-ttl-before-you-start.html).
const oldestExpiry = 5 * 365 * 24 * 60 * 60

// expirations are when the next item of each table expires, by the number of the table. A table without
// one, or with that of another attribute, is not looked at yet.
type expirations struct {
	mu   sync.Mutex
	next map[uint64]expiration
}

type expiration struct {
	attribute string
	at        float64 // in seconds since 1970
}

// expiryOf is when an item expires; +Inf if it never does.
func (s *Store) expiryOf(d *schema.Table, item attribute.Item) float64 {
	v := item[d.TimeToLive]
	if v == nil || v.Kind != attribute.N {
		return math.Inf(1)
	}
	at, err := strconv.ParseFloat(v.Text, 64)
	if err != nil || at < s.now()-oldestExpiry {
		return math.Inf(1)
	}
	return at
}

// soon notes when an item expires, if that is sooner than all others.
func (s *Store) soon(d *schema.Table, at float64) {
	s.expirations.mu.Lock()
	defer s.expirations.mu.Unlock()
	if known, there := s.expirations.next[d.Number]; there && known.attribute == d.TimeToLive && at < known.at {
		s.expirations.next[d.Number] = expiration{d.TimeToLive, at}
	}
}

// expire deletes expired items until the Store is closed. It rests after it looked at tables, longer
// after a longer look, so that it leaves the machine to requests.
func (s *Store) expire() {
	const shortest, share = time.Second, 20
	for rest := shortest; ; {
		select {
		case <-s.stop:
			return
		case <-time.After(rest):
		}
		begin := time.Now()
		for _, d := range *s.tables.Load() {
			s.expirations.mu.Lock()
			known := s.expirations.next[d.Number]
			due := d.TimeToLive != "" && (known.attribute != d.TimeToLive || known.at < s.now())
			if due {
				// What is written from now on is noted next to what is found.
				s.expirations.next[d.Number] = expiration{d.TimeToLive, math.Inf(1)}
			}
			s.expirations.mu.Unlock()
			if due {
				s.sweep(d)
			}
		}
		rest = max(shortest, share*time.Since(begin))
	}
}

// sweep deletes the expired items of a table. A fault of the file is told to whoever asks for the item.
func (s *Store) sweep(d *schema.Table) {
	for after, more := []byte(nil), true; more; {
		var keys []attribute.Item
		var err error
		if keys, after, err = s.expired(d, after); err == nil && len(keys) > 0 {
			err = s.removeExpired(d, keys)
		}
		more = after != nil && !errors.Is(err, errClosed)
	}
}

// expired finds the keys of expired items behind a key, and the key of the last item that was looked
// at, nil if there are no more. It notes when the others expire.
func (s *Store) expired(d *schema.Table, after []byte) (keys []attribute.Item, last []byte, err error) {
	const mostLooked, mostFound = 5000, 100
	err = s.view(func(tx *pages.Tx) error {
		items := tx.Bucket(d.ItemBucket())
		if items == nil {
			return nil
		}
		c := items.Cursor()
		key, value := c.Seek(after)
		if after != nil && bytes.Equal(key, after) {
			key, value = c.Next()
		}
		for n := 0; key != nil; key, value = c.Next() {
			if n++; n > mostLooked || len(keys) == mostFound {
				return nil
			}
			last = bytes.Clone(key)
			item, err := stored.Item(value).Pick(append(d.Keys.Names(), d.TimeToLive))
			switch at := s.expiryOf(d, item); {
			case err != nil:
			case at < s.now():
				maps.DeleteFunc(item, func(name string, _ *attribute.Value) bool { return !d.Keys.Has(name) })
				keys = append(keys, item)
			default:
				s.soon(d, at)
			}
		}
		last = nil
		return nil
	})
	return keys, last, err
}

// removeExpired deletes items that are expired still.
func (s *Store) removeExpired(d *schema.Table, keys []attribute.Item) error {
	return s.update(func(tx *pages.Tx) error {
		for _, key := range keys {
			c := &change{kind: deleteKind, table: d.TableName, item: key, expired: true}
			if _, err := c.bindIn(s); err != nil || c.def.Number != d.Number || c.def.TimeToLive != d.TimeToLive {
				return err
			}
			e, err := c.prepare(s, tx)
			if err != nil || e.old == nil {
				continue
			}
			item, err := e.old.Pick([]string{d.TimeToLive})
			if err != nil || s.expiryOf(d, item) >= s.now() {
				continue
			}
			if err := e.write(s, tx); err != nil {
				return err
			}
		}
		return nil
	})
}
