package pages_test

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"gatewright/sandbox/pages"
	"gatewright/test/depth"
)

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func open(t *testing.T, name string) *pages.File {
	t.Helper()
	f, err := pages.Open(name, pages.Options{Check: true})
	must(t, err)
	return f
}

// copied is a copy of a file and its checksums, as a process that is killed leaves them.
func copied(t *testing.T, name string) string {
	t.Helper()
	to := filepath.Join(t.TempDir(), "copy.db")
	for _, suffix := range []string{"", pages.Suffix} {
		text, err := os.ReadFile(name + suffix)
		must(t, err)
		must(t, os.WriteFile(to+suffix, text, 0o600))
	}
	return to
}

// content is all keys and values of a file, with the names of their buckets.
func content(f *pages.File) (map[string]string, error) {
	all := make(map[string]string)
	var read func(path string, b *pages.Bucket) error
	read = func(path string, b *pages.Bucket) error {
		return b.ForEach(func(key, value []byte) error {
			if value == nil {
				return read(path+string(key)+"/", b.Bucket(key))
			}
			all[path+string(key)] = string(value)
			if got := b.Get(key); !bytes.Equal(got, value) {
				return fmt.Errorf("%s is %q to Get and %q to ForEach", key, got, value)
			}
			return nil
		})
	}
	err := f.View(func(tx *pages.Tx) error {
		return tx.ForEach(func(name []byte, b *pages.Bucket) error { return read(string(name)+"/", b) })
	})
	return all, err
}

// change makes random changes in one transaction, and the same in a map.
func change(f *pages.File, random *rand.Rand, model map[string]string) error {
	next := maps.Clone(model)
	err := f.Update(func(tx *pages.Tx) error {
		for range 1 + random.IntN(30) {
			name := fmt.Sprintf("bucket %d", random.IntN(4))
			outer, err := tx.CreateBucketIfNotExists([]byte(name))
			if err != nil {
				return err
			}
			b, err := outer.CreateBucketIfNotExists(fmt.Appendf(nil, "nested %d", random.IntN(2)))
			if err != nil {
				return err
			}
			path := name + "/nested "
			switch random.IntN(60) {
			case 0:
				if err := tx.DeleteBucket([]byte(name)); err != nil {
					return err
				}
				maps.DeleteFunc(next, func(key, _ string) bool { return strings.HasPrefix(key, name+"/") })
			default:
				key := fmt.Sprintf("key %d", random.IntN(400))
				inner := ""
				for i := range 2 {
					if found := outer.Bucket(fmt.Appendf(nil, "nested %d", i)); found != nil && (inner == "" || random.IntN(2) == 0) {
						b, inner = found, fmt.Sprint(i)
					}
				}
				if random.IntN(3) == 0 {
					if err := b.Delete([]byte(key)); err != nil {
						return err
					}
					delete(next, path+inner+"/"+key)
					continue
				}
				value := strings.Repeat(string(rune('a'+random.IntN(26))), 1+random.IntN(200))
				if random.IntN(40) == 0 {
					value = strings.Repeat(value, 100)
				}
				if err := b.Put([]byte(key), []byte(value)); err != nil {
					return err
				}
				next[path+inner+"/"+key] = value
			}
		}
		return nil
	})
	if err == nil {
		clear(model)
		maps.Copy(model, next)
	}
	return err
}

func TestAFileHasWhatWasWrittenAlsoAfterAKill(t *testing.T) {
	t.Parallel()
	for seed := range depth.Rounds(2, 6, 20) {
		random := rand.New(rand.NewPCG(uint64(seed), 7))
		name := filepath.Join(t.TempDir(), "file.db")
		f, model := open(t, name), make(map[string]string)
		for n := range 60 {
			must(t, change(f, random, model))
			if n%6 == 0 {
				killed := open(t, copied(t, name))
				got, err := content(killed)
				must(t, err)
				if !maps.Equal(got, model) || killed.Taken() {
					t.Fatalf("seed %d: after a kill the file has %d of %d keys, taken: %v", seed, len(got), len(model), killed.Taken())
				}
				must(t, killed.Close())
			}
			if n%20 == 19 {
				must(t, f.Close())
				f = open(t, name)
			}
		}
		got, err := content(f)
		must(t, err)
		if !maps.Equal(got, model) {
			t.Fatalf("seed %d: the file has %d of %d keys", seed, len(got), len(model))
		}
		must(t, f.Close())
	}
}

// withoutLastRecord removes the last record of the checksums, as if the process had been
// killed between a change and its record.
func withoutLastRecord(t *testing.T, name string, size int64) {
	must(t, os.Truncate(name+pages.Suffix, size))
}

func TestAKillBetweenAChangeAndItsRecordLosesNothing(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(3, 7))
	name := filepath.Join(t.TempDir(), "file.db")
	f, model := open(t, name), make(map[string]string)
	for range 30 {
		must(t, change(f, random, model))
	}
	for range 20 {
		info, err := os.Stat(name + pages.Suffix)
		must(t, err)
		before := maps.Clone(model)
		must(t, change(f, random, model))
		whole, err := os.Stat(name + pages.Suffix)
		must(t, err)
		// Nothing of the record was written, or a part of it.
		for _, size := range []int64{info.Size(), info.Size() + 1 + random.Int64N(7), whole.Size() - 1 - random.Int64N(20)} {
			killed := copied(t, name)
			withoutLastRecord(t, killed, size)
			if got := salvaged(t, killed); !maps.Equal(got, before) {
				t.Fatalf("%d keys are salvaged of %d", len(got), len(before))
			}
			again := open(t, killed)
			got, err := content(again)
			must(t, err)
			if !maps.Equal(got, model) || again.Taken() || again.Warning() != "" {
				t.Fatalf("the file has %d of %d keys, taken: %v, warning: %q", len(got), len(model), again.Taken(), again.Warning())
			}
			must(t, again.Close())
		}
	}
	must(t, f.Close())
}

func TestAnOlderCopyIsTold(t *testing.T) {
	t.Parallel()
	for _, missing := range []int{1, 3} {
		random := rand.New(rand.NewPCG(4, 7))
		name := filepath.Join(t.TempDir(), "file.db")
		f, model := open(t, name), make(map[string]string)
		must(t, change(f, random, model))
		old, err := os.ReadFile(name)
		must(t, err)
		for range missing {
			must(t, change(f, random, model))
		}
		must(t, f.Close())
		must(t, os.WriteFile(name, old, 0o600))
		want := fmt.Sprintf("its last %d changes are missing", missing)
		if _, err := pages.Open(name, pages.Options{}); !pages.IsDamage(err) || !strings.Contains(err.Error(), want) {
			t.Errorf("%v", err)
		}
	}
}

func TestReadersSeeWholeChangesWhileOthersWrite(t *testing.T) {
	t.Parallel()
	f := open(t, filepath.Join(t.TempDir(), "file.db"))
	const keys = 200
	write := func(n int) error {
		return f.Update(func(tx *pages.Tx) error {
			b, err := tx.CreateBucketIfNotExists([]byte("b"))
			for i := range keys {
				if err == nil {
					err = b.Put(fmt.Appendf(nil, "%d", i), bytes.Repeat(fmt.Appendf(nil, "%08d", n), 10))
				}
			}
			return err
		})
	}
	must(t, write(0))
	var wait sync.WaitGroup
	stop := make(chan struct{})
	for range 4 {
		wait.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				if err := f.View(func(tx *pages.Tx) error {
					b, seen := tx.Bucket([]byte("b")), make(map[string]bool)
					n := 0
					_ = b.ForEach(func(_, value []byte) error { seen[string(value)] = true; n++; return nil })
					if n != keys || len(seen) != 1 {
						return fmt.Errorf("%d keys with %d values", n, len(seen))
					}
					return nil
				}); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	for n := range 300 {
		if err := write(n); err != nil {
			t.Error(err)
			break
		}
	}
	close(stop)
	wait.Wait()
	must(t, f.Close())
	if err := f.View(func(*pages.Tx) error { return nil }); !errors.Is(err, pages.ErrClosed) {
		t.Errorf("after Close: %v", err)
	}
}

func TestFlippedBytesOfNestedBucketsAreTold(t *testing.T) {
	t.Parallel()
	const page = 4096
	for seed := range depth.Rounds(4, 13, 40) {
		random := rand.New(rand.NewPCG(uint64(seed), 8))
		name := filepath.Join(t.TempDir(), "file.db")
		f, model := open(t, name), make(map[string]string)
		for range 20 {
			must(t, change(f, random, model))
		}
		running := seed%2 == 0
		if !running {
			must(t, f.Close())
		}
		file, err := os.OpenFile(name, os.O_RDWR, 0)
		must(t, err)
		info, err := file.Stat()
		must(t, err)
		for range 1 + random.IntN(5) {
			at, b := 2*page+random.Int64N(info.Size()-2*page), make([]byte, 1)
			_, err := file.ReadAt(b, at)
			must(t, err)
			b[0] ^= byte(1 + random.IntN(255))
			_, err = file.WriteAt(b, at)
			must(t, err)
		}
		must(t, file.Close())
		if !running {
			if f, err = pages.Open(name, pages.Options{}); err != nil {
				if !pages.IsDamage(err) {
					t.Error(err)
				}
				continue
			}
		}
		for range 20 {
			if err := change(f, random, model); err != nil && !pages.IsDamage(err) {
				t.Errorf("seed %d: %v", seed, err)
			}
		}
		got, err := content(f)
		if err != nil && !pages.IsDamage(err) {
			t.Errorf("seed %d: %v", seed, err)
		}
		if err == nil && !maps.Equal(got, model) {
			t.Errorf("seed %d: the file has %d of %d keys, and that is not told", seed, len(got), len(model))
		}
		_ = f.Close()
	}
}

func TestDamageThatOpenFindsIsToldOnce(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(6, 7))
	name := filepath.Join(t.TempDir(), "file.db")
	f, model := open(t, name), make(map[string]string)
	for range 20 {
		must(t, change(f, random, model))
	}
	must(t, f.Close())
	text, err := os.ReadFile(name)
	must(t, err)
	met := 0
	for at := 8192 + 20; at < len(text); at += 4096 {
		bad := slices.Clone(text)
		bad[at] ^= 1
		must(t, os.WriteFile(name, bad, 0o600))
		f, err := pages.Open(name, pages.Options{Check: true, Damaged: func(d *pages.DamageError) { t.Errorf("told beside the error: %v", d) }})
		if err == nil {
			must(t, f.Close())
			continue
		}
		if met++; !pages.IsDamage(err) || !strings.Contains(err.Error(), "file.db") {
			t.Errorf("%v", err)
		}
	}
	if met < 5 {
		t.Errorf("of %d pages %d are found to be damaged", len(text)/4096, met)
	}
}

func TestAFileThatIsOnlyReadIsCheckedAndNotChanged(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(7, 7))
	name := filepath.Join(t.TempDir(), "file.db")
	f, model := open(t, name), make(map[string]string)
	for range 20 {
		must(t, change(f, random, model))
	}
	killed := copied(t, name)
	must(t, f.Close())
	both := func() string {
		file, err := os.ReadFile(killed)
		must(t, err)
		sums, err := os.ReadFile(killed + pages.Suffix)
		must(t, err)
		return string(file) + string(sums)
	}
	before := both()
	f, err := pages.Open(killed, pages.Options{ReadOnly: true, Check: true})
	must(t, err)
	got, err := content(f)
	must(t, err)
	must(t, f.Close())
	if !maps.Equal(got, model) || both() != before {
		t.Errorf("%d of %d keys are read, changed: %v", len(got), len(model), both() != before)
	}
	must(t, os.Truncate(killed, 3*4096))
	if _, err := pages.Open(killed, pages.Options{ReadOnly: true}); !pages.IsDamage(err) || !strings.Contains(err.Error(), "truncated") {
		t.Errorf("%v", err)
	}
	if _, err := pages.Open(filepath.Join(t.TempDir(), "none.db"), pages.Options{ReadOnly: true}); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("%v", err)
	}
}
