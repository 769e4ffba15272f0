package table

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"gatewright/sandbox/pages"
	"gatewright/sandbox/table/schema"
	"gatewright/sandbox/table/stored"
	"github.com/go-json-experiment/json"
)

// Options are the durability of a Store. The zero value is usable.
type Options struct {
	// Sync syncs every write to the disk before it is acknowledged, so that it survives a
	// power failure. Otherwise an acknowledged write survives any end of this process, and
	// reaches the disk about a second later.
	Sync bool
	// Thorough has Open check all items and records of streams, also if their pages are as they
	// were written.
	Thorough bool
	// Damaged is called once, when damage of the file is first met.
	Damaged func(*pages.DamageError)
}

// ErrOwned is the error of Open if another process has the file open.
var ErrOwned = errors.New("the file of the tables is in use by another process; stop it first")

// formatVersion is the version of the file's format.
const formatVersion = "1"

var (
	metaBucket   = []byte("meta")
	tablesBucket = []byte("tables")
	versionKey   = []byte("version")
)

// Store is the tables of one file. It is safe for concurrent use.
type Store struct {
	db      *pages.File
	options Options

	// tables is every definition by name. The map is replaced, never changed.
	tables atomic.Pointer[map[string]*schema.Table]

	// place tells where a table is; nil until Situate.
	place atomic.Pointer[func(table string) (region, account string)]

	commits     commits
	recent      recentTransactions
	expirations expirations

	dirty    chan struct{}
	changed  chan struct{}
	stop     chan struct{}
	running  sync.WaitGroup
	closing  sync.Once
	closeErr error
	ctx      context.Context
	cancel   context.CancelFunc
	clock    func() time.Time
}

// Open opens the tables in a file, and creates the file (0600) if it does not exist. Only
// one process may have it open: otherwise the error is ErrOwned. A file whose process was
// killed opens as of the last acknowledged write.
func Open(file string, o Options) (*Store, error) {
	db, err := pages.Open(file, pages.Options{Sync: o.Sync, Check: true, Damaged: o.Damaged})
	switch {
	case errors.Is(err, pages.ErrOwned):
		return nil, ErrOwned
	case err != nil:
		return nil, opening(file, err)
	}
	s := &Store{
		db: db, options: o, dirty: make(chan struct{}, 1), changed: make(chan struct{}, 1),
		stop: make(chan struct{}), clock: time.Now,
		expirations: expirations{next: make(map[uint64]expiration)},
	}
	s.ctx, s.cancel = context.WithCancel(context.Background())
	if err := s.load(); err != nil {
		return nil, errors.Join(opening(file, err), db.Close())
	}
	if !o.Sync {
		s.running.Go(s.flush)
	}
	s.running.Go(s.expire)
	s.resumeIndexes()
	return s, nil
}

// opening is the error of Open. It has the folder of the file once.
func opening(file string, err error) error {
	if damage, ok := errors.AsType[*pages.DamageError](err); ok {
		damage.File = filepath.Base(file)
	}
	return fmt.Errorf("opening the tables in %q: %w", file, err)
}

// load reads the definitions, and initializes a new file.
func (s *Store) load() error {
	tables := make(map[string]*schema.Table)
	fresh := false
	err := s.db.View(func(tx *pages.Tx) error {
		meta := tx.Bucket(metaBucket)
		if meta == nil {
			fresh = true
			return nil
		}
		if version := meta.Get(versionKey); string(version) != formatVersion {
			return fmt.Errorf("the file has format %q, but this version of gatewright uses format %q; use the version "+
				"that wrote it", version, formatVersion)
		}
		return tx.Bucket(tablesBucket).ForEach(func(name, text []byte) error {
			d := new(schema.Table)
			if err := json.Unmarshal(text, d); err != nil {
				return fmt.Errorf("the definition of a table is damaged: %w", err)
			}
			d.Derive()
			tables[string(name)] = d
			return nil
		})
	})
	if err == nil && fresh {
		err = s.db.Update(func(tx *pages.Tx) error {
			meta, err := tx.CreateBucket(metaBucket)
			if err != nil {
				return err
			}
			if _, err := tx.CreateBucket(tablesBucket); err != nil {
				return err
			}
			return meta.Put(versionKey, []byte(formatVersion))
		})
	}
	s.tables.Store(&tables)
	if err == nil && (s.db.Taken() || s.options.Thorough) {
		err = s.checkItems()
	}
	if err == nil {
		_ = s.keepDefinitions()
	}
	return err
}

// Warning says in one line what Open could not check of the file, or is "".
func (s *Store) Warning() string { return s.db.Warning() }

// checkItems checks every item by its own checksum, the numbers of items, and the form of the
// records of streams.
func (s *Store) checkItems() error {
	what := ""
	err := s.view(func(tx *pages.Tx) error {
		for _, d := range *s.tables.Load() {
			items, n := tx.Bucket(d.ItemBucket()), 0
			if items == nil {
				what = "a table has lost its items"
				return nil
			}
			c := items.Cursor()
			for key, value := c.First(); key != nil; key, value = c.Next() {
				if _, possible := stored.Item(value).IsOf(d.Number, key); !possible {
					what = "an item is not what was written"
					return nil
				}
				n++
			}
			if uint64(n) != items.Sequence() {
				what = fmt.Sprintf("a table has %d items of %d", n, items.Sequence())
			}
			if changes := tx.Bucket(d.StreamBucket()); changes != nil && changes.ForEach(checkRecord) != nil {
				what = wrongRecord
			}
		}
		return nil
	})
	if err == nil && what != "" {
		err = s.db.Distrust(what)
	}
	return err
}

// table is a table by its name, or nil.
func (s *Store) table(name string) *schema.Table { return (*s.tables.Load())[name] }

// view runs read on a snapshot. Slices of the file are valid until read returns.
func (s *Store) view(read func(tx *pages.Tx) error) error {
	err := s.db.View(read)
	if errors.Is(err, pages.ErrClosed) {
		return errClosed
	}
	return err
}

// flush syncs the file a second after each first write since the last sync.
func (s *Store) flush() {
	for {
		select {
		case <-s.dirty:
		case <-s.stop:
			return
		}
		select {
		case <-time.After(time.Second):
		case <-s.stop:
			return
		}
		// Close and the writes themselves report a failing disk.
		_ = s.db.Sync()
	}
}

// markDirty tells flush about a write.
func (s *Store) markDirty() {
	if s.options.Sync {
		return
	}
	select {
	case s.dirty <- struct{}{}:
	default:
	}
}

// Close waits for operations in progress, syncs and closes the file. The Store is unusable
// afterwards.
func (s *Store) Close() error {
	s.closing.Do(func() {
		s.cancel()
		close(s.stop)
		s.commits.close()
		s.running.Wait()
		s.closeErr = errors.Join(s.db.Sync(), s.db.Close())
	})
	return s.closeErr
}

// background runs work that Close waits for, unless the Store is closed.
func (s *Store) background(work func()) {
	s.commits.mu.Lock()
	defer s.commits.mu.Unlock()
	if !s.commits.closed {
		s.running.Go(work)
	}
}

// now is the time on the wire: seconds since 1970, with milliseconds.
func (s *Store) now() float64 { return float64(s.clock().UnixMilli()) / 1000 }

// putDefinition writes a definition, which others see once the transaction is committed.
func (s *Store) putDefinition(tx *pages.Tx, d *schema.Table) error {
	d.Derive()
	text, err := d.Text()
	if err != nil {
		return err
	}
	if err := tx.Bucket(tablesBucket).Put([]byte(d.TableName), text); err != nil {
		return err
	}
	tx.OnCommit(func() { s.replaceTable(d.TableName, d) })
	return nil
}

// replaceTable replaces a definition for all later requests, or deletes it if d is nil.
// Only the one writer calls it.
func (s *Store) replaceTable(name string, d *schema.Table) {
	old := *s.tables.Load()
	tables := make(map[string]*schema.Table, len(old)+1)
	for n, t := range old {
		tables[n] = t
	}
	if d == nil {
		delete(tables, name)
	} else {
		tables[name] = d
	}
	s.tables.Store(&tables)
	_ = s.keepDefinitions()
}
