package table

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gatewright/sandbox/pages"
	"gatewright/test/depth"
)

// attacked is a file of tables with the items that were acknowledged, by table and key.
type attacked struct {
	t      *testing.T
	name   string
	random *rand.Rand
	items  map[string]map[string]string
}

var attackedTables = []string{"plain", "indexed"}

// newAttacked makes a file with a few hundred items, some of which span pages.
func newAttacked(t *testing.T, seed uint64) (*attacked, *Store) {
	a := &attacked{t, filepath.Join(t.TempDir(), "tables.db"), rand.New(rand.NewPCG(seed, 1)), make(map[string]map[string]string)}
	s, err := Open(a.name, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, table := range attackedTables {
		a.items[table] = make(map[string]string)
		a.must(s, "CreateTable", fmt.Sprintf(`{"TableName":%q,"BillingMode":"PAY_PER_REQUEST","AttributeDefinitions":[{"AttributeName":"id","AttributeType":"S"},`+
			`{"AttributeName":"g","AttributeType":"S"}],"KeySchema":[{"AttributeName":"id","KeyType":"HASH"}],"GlobalSecondaryIndexes":[{"IndexName":"byG",`+
			`"KeySchema":[{"AttributeName":"g","KeyType":"HASH"}],"Projection":{"ProjectionType":"ALL"}}]}`, table))
		for i := range 300 {
			a.put(s, table, fmt.Sprintf("item %d", i))
		}
		for i := range 60 {
			id := fmt.Sprintf("item %d", i*5)
			a.must(s, "DeleteItem", fmt.Sprintf(`{"TableName":%q,"Key":{"id":{"S":%q}}}`, table, id))
			delete(a.items[table], id)
		}
	}
	return a, s
}

func (a *attacked) must(s *Store, operation, input string) {
	a.t.Helper()
	if _, err := s.Do(a.t.Context(), operation, []byte(input)); err != nil {
		a.t.Fatalf("%s: %v", operation, err)
	}
}

// put puts an item with a new value, and remembers it if that is acknowledged.
func (a *attacked) put(s *Store, table, id string) error {
	value := strings.Repeat(string(rune('a'+a.random.IntN(26))), a.random.IntN(300))
	if a.random.IntN(50) == 0 {
		value = strings.Repeat(value, 40)
	}
	_, err := s.Do(a.t.Context(), "PutItem", fmt.Appendf(nil, `{"TableName":%q,"Item":{"id":{"S":%q},"v":{"S":%q},"g":{"S":"g%d"}}}`, table, id, value, len(value)%3))
	if err == nil {
		a.items[table][id] = value
	}
	return err
}

// flip changes bytes of the file beyond its meta pages, together or each anywhere.
func (a *attacked) flip(n int, together bool) {
	a.t.Helper()
	f, err := os.OpenFile(a.name, os.O_RDWR, 0)
	if err != nil {
		a.t.Fatal(err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		a.t.Fatal(err)
	}
	const from = 8192
	at := from + a.random.Int64N(info.Size()-from-int64(n))
	for i := range n {
		where := at + int64(i)
		if !together {
			where = from + a.random.Int64N(info.Size()-from)
		}
		var b [1]byte
		if _, err := f.ReadAt(b[:], where); err != nil {
			a.t.Fatal(err)
		}
		b[0] ^= byte(1 + a.random.IntN(255))
		if _, err := f.WriteAt(b[:], where); err != nil {
			a.t.Fatal(err)
		}
	}
}

// truncate cuts the file anywhere, for some files within the meta pages.
func (a *attacked) truncate() {
	a.t.Helper()
	info, err := os.Stat(a.name)
	if err != nil {
		a.t.Fatal(err)
	}
	most := info.Size()
	if a.random.IntN(3) == 0 {
		const meta = 8192
		most = meta
	}
	if err := os.Truncate(a.name, a.random.Int64N(most)); err != nil {
		a.t.Fatal(err)
	}
}

// told fails the test unless an error is nil or says that the file is damaged, with the way
// out.
func (a *attacked) told(err error) (damaged bool) {
	a.t.Helper()
	if err != nil && (!pages.IsDamage(err) || !strings.Contains(err.Error(), "gatewright sandbox repair") || strings.Contains(err.Error(), "\n")) {
		a.t.Errorf("the error is %q", err)
	}
	return err != nil
}

// use reads every item and writes some. What is answered must be right, or damage.
func (a *attacked) use(s *Store) (damaged bool) {
	a.t.Helper()
	for _, table := range attackedTables {
		for range 10 {
			damaged = a.told(a.put(s, table, fmt.Sprintf("item %d", a.random.IntN(400)))) || damaged
		}
		for id, value := range a.items[table] {
			answer, err := s.Do(a.t.Context(), "GetItem", fmt.Appendf(nil, `{"TableName":%q,"Key":{"id":{"S":%q}}}`, table, id))
			if a.told(err) {
				damaged = true
			} else if !strings.Contains(string(answer), `"v":{"S":"`+value+`"}`) {
				a.t.Errorf("%s of %s is %.200s, not %q", id, table, answer, value)
			}
		}
		for _, input := range []string{`{"TableName":%q}`, `{"TableName":%q,"IndexName":"byG"}`} {
			count, start := 0, ""
			for {
				answer, err := s.Do(a.t.Context(), "Scan", fmt.Appendf(nil, strings.TrimSuffix(input, "}")+`,"Limit":37%s}`, table, start))
				if a.told(err) {
					damaged = true
					break
				}
				count += strings.Count(string(answer), `"v":`)
				_, last, more := strings.Cut(string(answer), `"LastEvaluatedKey":`)
				if !more {
					if count != len(a.items[table]) {
						a.t.Errorf("%s has %d items, not %d", table, count, len(a.items[table]))
					}
					break
				}
				last, _, _ = strings.Cut(last, `,"ScannedCount"`)
				start = `,"ExclusiveStartKey":` + last
			}
		}
	}
	return damaged
}

// attack harms a file in use or a closed one, and uses the file.
func attack(t *testing.T, seed uint64, running bool, harm func(*attacked)) (damaged bool) {
	a, s := newAttacked(t, seed)
	defer func() { _ = s.Close() }()
	if running {
		harm(a)
		damaged = a.use(s)
	}
	if err := s.Close(); err != nil {
		a.told(err)
	}
	if !running {
		harm(a)
	}
	again, err := Open(a.name, Options{})
	if errors.Is(err, ErrOwned) {
		return damaged
	}
	if a.told(err) {
		return true
	}
	defer func() { _ = again.Close() }()
	return a.use(again) || damaged
}

func TestDamageIsToldAndNothingElseIsWrong(t *testing.T) {
	t.Parallel()
	flips := func(n int, together bool) func(*attacked) { return func(a *attacked) { a.flip(n, together) } }
	for _, c := range []struct {
		what string
		// few is set if all of it may be in free pages of every file.
		few  bool
		harm func(*attacked)
	}{
		{"2000 bytes together", false, flips(2000, true)},
		{"2000 bytes anywhere", false, flips(2000, false)},
		{"3 bytes", true, flips(3, false)},
		{"1 byte", true, flips(1, false)},
		{"truncated", false, (*attacked).truncate},
	} {
		for _, running := range []bool{false, true} {
			t.Run(fmt.Sprintf("running %v, %s", running, c.what), func(t *testing.T) {
				t.Parallel()
				met := 0
				rounds := depth.Rounds(1, 4, 12)
				for seed := range rounds {
					if attack(t, uint64(seed), running, c.harm) {
						met++
					}
				}
				const several = 6
				if !c.few && met == 0 && rounds >= several {
					t.Errorf("no damage was met in %d files", rounds)
				}
			})
		}
	}
}

// TestRepairKeepsWhatIsWhole holds what was kept against what had been acknowledged: each
// item has its right value, and as many are kept as are said.
func TestRepairKeepsWhatIsWhole(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		together bool
		n, least int
	}{{true, 2000, 400}, {false, 3, 400}, {false, 20, 380}, {false, 2000, 0}} {
		t.Run(fmt.Sprintf("together %v, %d bytes", c.together, c.n), func(t *testing.T) {
			t.Parallel()
			for seed := range depth.Rounds(1, 4, 12) {
				a, s := newAttacked(t, uint64(100+seed))
				if err := s.Close(); err != nil {
					t.Fatal(err)
				}
				a.flip(c.n, c.together)
				into := filepath.Join(t.TempDir(), "tables.db")
				kept, err := Repair(a.name, into)
				if err != nil {
					t.Fatal(err)
				}
				repaired, err := Open(into, Options{})
				if err != nil {
					t.Fatal(err)
				}
				all := 0
				for _, k := range kept {
					if k.Of >= 0 && k.Of != len(a.items[k.Table]) {
						t.Errorf("%s is said to have had %d items, not %d", k.Table, k.Of, len(a.items[k.Table]))
					}
					all += k.Items
					if got := itemCount(t, repaired, k.Table, ""); got != k.Items || itemCount(t, repaired, k.Table, "byG") != got {
						t.Errorf("%s has %d items, %d were kept", k.Table, got, k.Items)
					}
					found := 0
					for id, value := range a.items[k.Table] {
						answer, err := repaired.Do(t.Context(), "GetItem", fmt.Appendf(nil, `{"TableName":%q,"Key":{"id":{"S":%q}}}`, k.Table, id))
						if err != nil {
							t.Fatal(err)
						}
						if string(answer) == "{}" {
							continue
						}
						found++
						if !strings.Contains(string(answer), `"v":{"S":"`+value+`"}`) {
							t.Errorf("seed %d: %s of %s is %.100s, not %.100s", seed, id, k.Table, answer, value)
						}
					}
					if found != k.Items {
						t.Errorf("seed %d: %s has %d of its items, and %d were kept", seed, k.Table, found, k.Items)
					}
				}
				t.Logf("seed %d: %d of 480 items, %v", seed, all, kept)
				if all < c.least && len(kept) == len(attackedTables) {
					t.Errorf("seed %d: only %d of 480 items were kept", seed, all)
				}
				if err := repaired.Close(); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

func TestAFileOfAnOlderVersionIsCheckedByItsItems(t *testing.T) {
	t.Parallel()
	a, s := newAttacked(t, 1)
	if err := errors.Join(s.Close(), os.Remove(a.name+pages.Suffix)); err != nil {
		t.Fatal(err)
	}
	s, err := Open(a.name, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if a.use(s) {
		t.Error("a whole file without checksums of its pages is called damaged")
	}
	if err := errors.Join(s.Close(), os.Remove(a.name+pages.Suffix)); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(a.name)
	if err != nil {
		t.Fatal(err)
	}
	at := strings.LastIndex(string(text), a.items["plain"]["item 1"])
	if text[at] ^= 1; len(a.items["plain"]["item 1"]) == 0 {
		t.Fatal("the item is empty")
	}
	if err := os.WriteFile(a.name, text, 0o600); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		told := func(d *pages.DamageError) { t.Errorf("told beside the error: %v", d) }
		if s, err = Open(a.name, Options{Damaged: told}); err == nil {
			t.Fatal("an item with another byte is not noticed", s.Close())
		}
		if !a.told(err) || !strings.Contains(err.Error(), "an item is not what was written") {
			t.Error(err)
		}
	}
}
