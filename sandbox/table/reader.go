package table

import (
	"bytes"
	"encoding/binary"
	"errors"
	"slices"
	"time"

	"gatewright/sandbox/pages"
	"gatewright/sandbox/table/schema"
)

// Readers of streams are the functions that are called with the changes of a table. The file
// keeps the position of each next to the stream, so that no change is lost or forgotten when
// the sandbox is killed, and a copy of the file is whole.

// ErrNoStream is the error for a table without a stream, or that does not exist.
var ErrNoStream = errors.New("the table has no stream")

// Change is a record of a stream.
type Change struct {
	// Sequence is the record's SequenceNumber.
	Sequence string
	Time     time.Time
	// Record is the record in the event of a function, but for eventSourceARN and awsRegion:
	// members of a JSON object without its braces.
	Record []byte

	number uint64
}

// Changes are what a reader has not read yet.
type Changes struct {
	// Label is the label of the stream.
	Label string
	List  []Change
	// Full says that more did not fit into the size.
	Full bool

	table  string
	number uint64
}

// Changed has a value after changes were recorded in any stream.
func (s *Store) Changed() <-chan struct{} { return s.changed }

// noteChanges reports that a transaction recorded changes.
func (s *Store) noteChanges() {
	select {
	case s.changed <- struct{}{}:
	default:
	}
}

// BeginReading gives a reader of a table's stream a position, if it has none: before the
// oldest change that the stream has, or after all.
func (s *Store) BeginReading(table, reader string, latest bool) error {
	known := false
	err := s.view(func(tx *pages.Tx) error {
		d := s.table(table)
		if d == nil || d.StreamView == "" {
			return ErrNoStream
		}
		_, known = position(tx, d, reader)
		return nil
	})
	if err != nil || known {
		return err
	}
	return s.updateAlone(func(tx *pages.Tx) error {
		d := s.table(table)
		if d == nil || d.StreamView == "" {
			return ErrNoStream
		}
		at := uint64(0)
		if changes := tx.Bucket(d.StreamBucket()); changes != nil && latest {
			at = changes.Sequence()
		}
		return putPosition(tx, d, reader, at)
	})
}

// ReadChanges reads the changes after a reader's position, the oldest first, up to a number
// of them and a size in bytes, but at least one. A reader without a position, whose stream
// began after the reader did, reads from the beginning. Expired changes are left out.
func (s *Store) ReadChanges(table, reader string, most, largest int) (Changes, error) {
	var read Changes
	now := s.clock()
	err := s.view(func(tx *pages.Tx) error {
		d := s.table(table)
		if d == nil || d.StreamView == "" {
			return ErrNoStream
		}
		read.Label, read.table, read.number = d.StreamLabel, table, d.Number
		changes := tx.Bucket(d.StreamBucket())
		if changes == nil {
			return nil
		}
		after, _ := position(tx, d, reader)
		size := 0
		records := spanCursor{cursor: changes.Cursor(), span: schema.Span{Low: sequenceKey(after + 1)}}
		for key, value := records.first(); key != nil && len(read.List) < most; key, value = records.next() {
			if err := checkRecord(key, value); err != nil {
				return err
			}
			at := time.UnixMilli(int64(binary.BigEndian.Uint64(value)))
			if now.Sub(at) >= streamLife {
				continue
			}
			if size += len(value); size > largest && len(read.List) > 0 {
				read.Full = true
				return nil
			}
			number := sequenceOf(key)
			read.List = append(read.List,
				Change{
					Sequence: sequenceNumber(number), Time: at, Record: withoutRegion(value[timeLength:]),
					number: number,
				})
		}
		return nil
	})
	return read, err
}

// withoutRegion copies the members of a record for a function, without its region, which comes first.
func withoutRegion(record []byte) []byte {
	_, record, _ = bytes.Cut(record, []byte(","))
	record = bytes.TrimSuffix(record, []byte("}"))
	if change, expired := bytes.CutSuffix(record, []byte(byExpiry)); expired {
		return slices.Concat(change, []byte(byExpiryForFunctions))
	}
	return bytes.Clone(record)
}

// DoneReading moves a reader behind the first n of the changes that it read. It does nothing
// if the table or its stream has been replaced since.
func (s *Store) DoneReading(c Changes, reader string, n int) error {
	if n == 0 {
		return nil
	}
	at := c.List[n-1].number
	return s.update(func(tx *pages.Tx) error {
		d := s.table(c.table)
		if d == nil || d.Number != c.number || d.StreamLabel != c.Label {
			return nil
		}
		if have, _ := position(tx, d, reader); have >= at {
			return nil
		}
		return putPosition(tx, d, reader, at)
	})
}

// EndReading forgets the positions of all readers of a table's stream but those that keep.
func (s *Store) EndReading(table string, keep func(reader string) bool) error {
	var gone [][]byte
	find := func(tx *pages.Tx) error {
		gone = nil
		d := s.table(table)
		if d == nil {
			return nil
		}
		positions := tx.Bucket(d.ReaderBucket())
		if positions == nil {
			return nil
		}
		return positions.ForEach(func(reader, _ []byte) error {
			if !keep(string(reader)) {
				gone = append(gone, append([]byte{}, reader...))
			}
			return nil
		})
	}
	if err := s.view(find); err != nil || len(gone) == 0 {
		return err
	}
	return s.updateAlone(func(tx *pages.Tx) error {
		if err := find(tx); err != nil {
			return err
		}
		for _, reader := range gone {
			if err := tx.Bucket(s.table(table).ReaderBucket()).Delete(reader); err != nil {
				return err
			}
		}
		return nil
	})
}

// position is the number of the last change that a reader has read.
func position(tx *pages.Tx, d *schema.Table, reader string) (number uint64, known bool) {
	positions := tx.Bucket(d.ReaderBucket())
	if positions == nil {
		return 0, false
	}
	value := positions.Get([]byte(reader))
	if len(value) != len(sequenceKey(0)) {
		return 0, false
	}
	return sequenceOf(value), true
}

func putPosition(tx *pages.Tx, d *schema.Table, reader string, number uint64) error {
	positions, err := tx.CreateBucketIfNotExists(d.ReaderBucket())
	if err != nil {
		return err
	}
	return positions.Put([]byte(reader), sequenceKey(number))
}
