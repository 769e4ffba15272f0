package table

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/go-json-experiment/json"
	"go.etcd.io/bbolt"
	berrors "go.etcd.io/bbolt/errors"
)

// Options say how a Store keeps its file and who it says it is. The zero value is good.
type Options struct {
	// Sync has every write on the disk before it is acknowledged, so that it survives a power cut. Without it an acknowledged write
	// survives the end of this process in any way, and is on the disk about a second later.
	Sync bool
	// Region and Account stand in the ARNs; us-east-1 and twelve zeros where they are empty.
	Region, Account string
}

// ErrOwned is the error of Open for a file that another process has open.
var ErrOwned = errors.New("the file of the tables is in use by another process; stop it first")

// formatVersion is that of what is in the file.
const formatVersion = "1"

var (
	metaBucket   = []byte("meta")
	tablesBucket = []byte("tables")
	versionKey   = []byte("version")
)

// Store is the tables of one file. It may be used by many goroutines at once.
type Store struct {
	db      *bbolt.DB
	options Options

	// tables is every definition by name. A map that is here is never written to.
	tables atomic.Pointer[map[string]*definition]

	commits commits
	recent  recentTransactions

	dirty    chan struct{}
	stop     chan struct{}
	running  sync.WaitGroup
	closing  sync.Once
	closeErr error
	ctx      context.Context
	cancel   context.CancelFunc
	clock    func() time.Time
}

// Open opens the tables in a file, which is made where it is missing (0600). One process at a time has it: ErrOwned otherwise. A
// file whose process was killed opens as it was at the last acknowledged write.
func Open(file string, o Options) (*Store, error) {
	if o.Region == "" {
		o.Region = "us-east-1"
	}
	if o.Account == "" {
		o.Account = "000000000000"
	}
	db, err := openFile(file, o)
	switch {
	case errors.Is(err, berrors.ErrTimeout):
		return nil, ErrOwned
	case err != nil:
		return nil, fmt.Errorf("opening the tables in %q: %w", file, err)
	}
	s := &Store{db: db, options: o, dirty: make(chan struct{}, 1), stop: make(chan struct{}), clock: time.Now}
	s.ctx, s.cancel = context.WithCancel(context.Background())
	if err := s.load(); err != nil {
		return nil, errors.Join(fmt.Errorf("opening the tables in %q: %w", file, err), db.Close())
	}
	if !o.Sync {
		s.running.Go(s.flush)
	}
	s.resumeIndexes()
	return s, nil
}

// openFile opens the file. What bbolt finds to be damaged it partly panics about.
func openFile(file string, o Options) (db *bbolt.DB, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("the file is damaged: %v", p)
		}
	}()
	return bbolt.Open(file, 0o600, &bbolt.Options{
		Timeout: 200 * time.Millisecond, NoSync: !o.Sync, NoGrowSync: !o.Sync, FreelistType: bbolt.FreelistMapType, NoStatistics: true,
	})
}

// load reads the definitions, and makes a new file ready.
func (s *Store) load() error {
	tables := make(map[string]*definition)
	fresh := false
	err := s.db.View(func(tx *bbolt.Tx) error {
		meta := tx.Bucket(metaBucket)
		if meta == nil {
			fresh = true
			return nil
		}
		if version := meta.Get(versionKey); string(version) != formatVersion {
			return fmt.Errorf("the file has format %q and this program writes %s; use the program that wrote it", version, formatVersion)
		}
		return tx.Bucket(tablesBucket).ForEach(func(name, text []byte) error {
			d := new(definition)
			if err := json.Unmarshal(text, d); err != nil {
				return fmt.Errorf("the definition of a table is damaged: %w", err)
			}
			d.derive()
			tables[string(name)] = d
			return nil
		})
	})
	if err == nil && fresh {
		err = s.db.Update(func(tx *bbolt.Tx) error {
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
	return err
}

// table is a table by its name, or nil.
func (s *Store) table(name string) *definition { return (*s.tables.Load())[name] }

// view runs a reading at one point in time. What it takes from the file is good until it returns.
func (s *Store) view(read func(tx *bbolt.Tx) error) error {
	err := s.db.View(read)
	if errors.Is(err, berrors.ErrDatabaseNotOpen) {
		return errClosed
	}
	return err
}

// flush brings what was written to the disk a second after it was.
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
		// A disk that fails is told of by Close and by the writes themselves.
		_ = s.db.Sync()
	}
}

// written says that there is something to flush.
func (s *Store) written() {
	if s.options.Sync {
		return
	}
	select {
	case s.dirty <- struct{}{}:
	default:
	}
}

// Close waits for what is under way, brings everything to the disk and gives the file back. The Store is of no use afterwards.
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

// now is seconds since 1970 as the wire has them, to the millisecond.
func (s *Store) now() float64 { return float64(s.clock().UnixMilli()) / 1000 }

// putDefinition writes a definition and lets others see it once the transaction is committed.
func (s *Store) putDefinition(tx *bbolt.Tx, d *definition) error {
	d.derive()
	text, err := json.Marshal(d)
	if err != nil {
		return err
	}
	if err := tx.Bucket(tablesBucket).Put([]byte(d.TableName), text); err != nil {
		return err
	}
	tx.OnCommit(func() { s.replaceTable(d.TableName, d) })
	return nil
}

// replaceTable gives everybody who asks from now on another definition; nil is none. Only the one writer calls it.
func (s *Store) replaceTable(name string, d *definition) {
	old := *s.tables.Load()
	tables := make(map[string]*definition, len(old)+1)
	for n, t := range old {
		tables[n] = t
	}
	if d == nil {
		delete(tables, name)
	} else {
		tables[name] = d
	}
	s.tables.Store(&tables)
}
