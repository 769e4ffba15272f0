package pages

import (
	"testing"
	"testing/synctest"
	"time"
)

// A reader keeps bbolt from growing the file. So under a fake clock, which only moves when all
// wait for it, a reader that waits for a time stops a change for ever.
func TestAReaderWaitsForTheSumsOfTheChangeItSeesAndNotForATime(t *testing.T) {
	t.Parallel()
	for what, row := range map[string]struct {
		end    func(f *File, txid uint64)
		damage bool
	}{
		"the sums are known": {end: func(f *File, txid uint64) {
			f.sumsKnown(txid)
			f.committing(0)
		}},
		"damage is met": {end: func(f *File, _ uint64) {
			_ = f.met(damaged(7, "it is not what was written"))
		}},
		"the file is not trusted": {end: func(f *File, _ uint64) {
			_ = f.Distrust("it is not what was written")
		}},
		"the change failed, and is seen nevertheless": {damage: true, end: func(f *File, _ uint64) {
			f.committing(0)
		}},
	} {
		t.Run(what, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f, start := opened(t), time.Now()
				next := f.now.txid + 1
				f.committing(next)
				read := make(chan error, 3)
				for range cap(read) {
					go func() { read <- guarded(func() error { f.await(next); return nil }) }()
				}
				synctest.Wait()
				if len(read) != 0 {
					t.Fatalf("a reader did not wait: %v", <-read)
				}
				row.end(f, next)
				for range cap(read) {
					if err := <-read; IsDamage(err) != row.damage {
						t.Errorf("%v", err)
					}
				}
				if !time.Now().Equal(start) {
					t.Error("a reader waited for a time")
				}
			})
		})
	}
}
