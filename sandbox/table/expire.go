package table

import (
	"bytes"
	"errors"
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

// oldestExpiry is how long an item may have been expired to be deleted: a time longer ago is taken
// for a mistake (https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/time-to-live-ttl-before-you-start.html).
const oldestExpiry = 5 * 365 * 24 * time.Hour

// expirations knows when the next item of each table expires.
type expirations struct {
	mu sync.Mutex
	// next are those times by the numbers of tables. A table without one is not looked at yet.
	next map[uint64]expiration
	// sooner tells that a time came nearer.
	sooner chan struct{}
}

// expiration is when the next item expires by an attribute, in seconds since 1970.
type expiration struct {
	attribute string
	at        float64
}

// expiryOf is the time in an attribute that is a number; false for any other one.
func expiryOf(v *attribute.Value) (float64, bool) {
	if v == nil || v.Kind != attribute.N {
		return 0, false
	}
	at, err := strconv.ParseFloat(v.Text, 64)
	return at, err == nil
}

// secondsNow is the time as attributes have it.
func (s *Store) secondsNow() float64 { return float64(s.clock().UnixNano()) / float64(time.Second) }

// goes reports whether an item that expires at a time is deleted now.
func (s *Store) goes(at float64) bool {
	now := s.secondsNow()
	return at < now && at >= now-oldestExpiry.Seconds()
}

// soon notes when an item expires.
func (s *Store) soon(d *schema.Table, item attribute.Item) {
	at, expires := expiryOf(item[d.TimeToLive])
	if !expires || at < s.secondsNow()-oldestExpiry.Seconds() {
		return
	}
	x := &s.expirations
	x.mu.Lock()
	known, there := x.next[d.Number]
	sooner := there && known.attribute == d.TimeToLive && at < known.at
	if sooner {
		x.next[d.Number] = expiration{d.TimeToLive, at}
	}
	x.mu.Unlock()
	if sooner {
		s.wakeExpiry()
	}
}

func (s *Store) wakeExpiry() {
	select {
	case s.expirations.sooner <- struct{}{}:
	default:
	}
}

// due is the table whose next item expires first, and when; nil if none has any.
func (s *Store) due() (d *schema.Table, at float64) {
	x := &s.expirations
	x.mu.Lock()
	defer x.mu.Unlock()
	at = math.Inf(1)
	for _, t := range *s.tables.Load() {
		next := x.next[t.Number]
		if next.attribute != t.TimeToLive {
			next.at = 0
		}
		if t.TimeToLive != "" && next.at < at {
			d, at = t, next.at
		}
	}
	return d, at
}

// expire deletes expired items until the Store is closed. It rests after each look at a table, longer
// after a longer one, so that it leaves the machine to requests.
func (s *Store) expire() {
	const shortest, longest, share = time.Second, time.Minute, 20
	rested := time.Now()
	for {
		var wait <-chan time.Time
		if d, at := s.due(); d != nil {
			seconds := min(max(at-s.secondsNow(), 0), longest.Seconds())
			wait = time.After(max(time.Duration(seconds*float64(time.Second)), time.Until(rested)))
		}
		select {
		case <-s.stop:
			return
		case <-s.expirations.sooner:
			continue
		case <-wait:
		}
		begin := time.Now()
		if d, at := s.due(); d != nil && at < s.secondsNow() {
			// A fault of the file is told to whoever asks for the table; the next look is another attempt.
			_ = s.sweep(d)
		}
		rested = time.Now().Add(max(shortest, share*time.Since(begin)))
	}
}

// sweep deletes the expired items of a table.
func (s *Store) sweep(d *schema.Table) error {
	x := &s.expirations
	note := func(at float64) {
		x.mu.Lock()
		defer x.mu.Unlock()
		if next := x.next[d.Number]; next.attribute != d.TimeToLive || at <= next.at {
			x.next[d.Number] = expiration{d.TimeToLive, at}
		}
	}
	x.mu.Lock()
	// What is written from now on is noted beside what is found.
	x.next[d.Number] = expiration{d.TimeToLive, math.Inf(1)}
	x.mu.Unlock()
	for after := []byte(nil); ; {
		keys, last, next, err := s.expired(d, after)
		if err == nil && len(keys) > 0 {
			if err = s.removeExpired(d, keys); err != nil && s.table(d.TableName) == d {
				// One that cannot be removed must not keep the others.
				for _, key := range keys {
					err = s.removeExpired(d, []attribute.Item{key})
				}
			}
		}
		if note(next); last == nil || errors.Is(err, errClosed) {
			return err
		}
		after = last
	}
}

// expired finds expired items behind a key: their keys, the key of the last item that was looked at,
// nil if that was the last of all, and when the next of the others expires.
func (s *Store) expired(d *schema.Table, after []byte) (keys []attribute.Item, last []byte, next float64, err error) {
	const mostLooked, mostFound = 5000, 100
	next = math.Inf(1)
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
			at, expires := expiryOf(item[d.TimeToLive])
			switch {
			case err != nil || !expires:
			case s.goes(at):
				own := make(attribute.Item)
				for _, name := range d.Keys.Names() {
					own[name] = item[name]
				}
				keys = append(keys, own)
			case at >= s.secondsNow():
				next = min(next, at)
			}
		}
		last = nil
		return nil
	})
	return keys, last, next, err
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
			if err != nil {
				return err
			}
			if e.old == nil {
				continue
			}
			item, err := e.old.Pick([]string{d.TimeToLive})
			if at, expires := expiryOf(item[d.TimeToLive]); err != nil || !expires || !s.goes(at) {
				continue
			}
			if err := e.write(s, tx); err != nil {
				return err
			}
		}
		return nil
	})
}
