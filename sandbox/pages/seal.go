package pages

import (
	"errors"
	"hash/crc32"
	"io/fs"
	"os"

	"gatewright/internal/file"
)

// Suffix is the end of the name of the file with the checksums.
const Suffix = ".sums"

// sealMark is what the file of checksums begins with. A record follows for each change: the
// length and the checksum of the rest, the numbers of the change and of its pages, and the
// sums of the pages that the change wrote.
const sealMark = "gwsums1\n"

const (
	recordHead = 8
	recordBase = 4 * 8
	recordSum  = 12
)

// seal is the open file of checksums.
type seal struct {
	name string
	f    *os.File
	size int64
	// whole is the change after which one record had all sums.
	whole uint64
	// broken is set if a record could not be written: the file is then removed, until a later
	// write makes a whole one.
	broken bool
}

// record is the state of the tree after a change.
type record struct {
	meta
	sums []pageSum
}

func (r record) append(b []byte) []byte {
	start := len(b)
	b = append(b, make([]byte, recordHead)...)
	for _, n := range []uint64{r.txid, r.root, r.freelist, r.end} {
		b = order.AppendUint64(b, n)
	}
	for _, c := range r.sums {
		b = order.AppendUint32(order.AppendUint64(b, c.id), c.sum)
	}
	body := b[start+recordHead:]
	order.PutUint32(b[start:], uint32(len(body)))
	order.PutUint32(b[start+4:], crc32.Checksum(body, castagnoli()))
	return b
}

// errSeal is the error for a file of checksums that has other bytes than were written.
var errSeal = errors.New("the file of checksums is damaged")

// sealed is what a file of checksums says.
type sealed struct {
	// last is the last change, zero without the file.
	last meta
	sums []pageSum
	// records is the number of records.
	records int
	// torn is set if a part of a record follows: the process ended while it wrote it.
	torn bool
}

// readSeal reads the file of checksums of a database.
func readSeal(name string) (sealed, error) {
	b, err := os.ReadFile(name + Suffix)
	if errors.Is(err, fs.ErrNotExist) {
		return sealed{}, nil
	}
	if err != nil {
		return sealed{}, err
	}
	if len(b) < len(sealMark) || string(b[:len(sealMark)]) != sealMark {
		return sealed{}, errSeal
	}
	var s sealed
	for b = b[len(sealMark):]; len(b) > 0; {
		if len(b) < recordHead || uint64(order.Uint32(b)) > uint64(len(b)-recordHead) {
			s.torn = true
			return s, nil
		}
		n := order.Uint32(b)
		body := b[recordHead : recordHead+n]
		if n < recordBase || (n-recordBase)%recordSum != 0 || crc32.Checksum(body, castagnoli()) != order.Uint32(b[4:]) {
			return sealed{}, errSeal
		}
		s.last.txid, s.last.root, s.last.freelist, s.last.end = order.Uint64(body), order.Uint64(body[8:]),
			order.Uint64(body[16:]), order.Uint64(body[24:])
		for at := recordBase; at < len(body); at += recordSum {
			s.sums = append(s.sums, pageSum{order.Uint64(body[at:]), order.Uint32(body[at+8:])})
		}
		b, s.records = b[recordHead+n:], s.records+1
	}
	return s, nil
}

// write replaces the file of checksums by one record.
func (s *seal) write(r record) error {
	err := s.close()
	if err == nil {
		next := s.name + Suffix + ".next"
		text := r.append([]byte(sealMark))
		if err = os.WriteFile(next, text, 0o600); err == nil {
			err = file.Rename(next, s.name+Suffix)
		}
		s.size = int64(len(text))
	}
	if err == nil {
		err = s.open(r.txid, s.size)
	}
	if err == nil {
		s.broken = false
	}
	return s.check(err)
}

// open opens the file of checksums to append to it.
func (s *seal) open(whole uint64, size int64) (err error) {
	s.whole, s.size = whole, size
	s.f, err = os.OpenFile(s.name+Suffix, os.O_WRONLY|os.O_APPEND, 0o600)
	return err
}

// add appends the record of a change. It need not reach the disk before the change does: if
// it is lost alone, the next Open finds the pages of the change.
func (s *seal) add(r record) error {
	if s.f == nil {
		return nil
	}
	n, err := s.f.Write(r.append(nil))
	s.size += int64(n)
	return s.check(err)
}

// check removes a file that lacks a record: it would make whole pages look damaged.
func (s *seal) check(err error) error {
	if err == nil || s.broken {
		return err
	}
	s.broken = true
	err = errors.Join(err, s.close())
	if removed := file.Remove(s.name + Suffix); !errors.Is(removed, fs.ErrNotExist) {
		err = errors.Join(err, removed)
	}
	return err
}

func (s *seal) close() error {
	if s.f == nil {
		return nil
	}
	f := s.f
	s.f = nil
	return f.Close()
}
