package pages

import (
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
)

// edited is a map in which the lines of some keys are other ones, and those of none left out.
func edited(want map[string]string, keys []string, edit func(line string) string) map[string]string {
	for _, key := range keys {
		if line := edit(want[key]); line != "" {
			want[key] = line
		} else {
			delete(want, key)
		}
	}
	return want
}

func unsound(line string) string { return strings.Replace(line, " sound", "", 1) }

// homeless is what is said of an item to which no page leads any more.
func homeless(line string) string {
	if strings.Contains(line, "bucket") || strings.Contains(line, "b/small") {
		return ""
	}
	return strings.Replace(unsound(line), "b", "?", 1)
}

func gone(string) string { return "" }

// below are all keys but that of the outer bucket.
func (s shelf) below() []string {
	return slices.DeleteFunc(slices.Collect(maps.Keys(s.whole())), func(key string) bool { return key == "b" })
}

func TestSalvageSaysOfEachElementWhatIsKnownOfIt(t *testing.T) {
	t.Parallel()
	stale := func(line string) string {
		if line = homeless(line); line == "" {
			return ""
		}
		return strings.Replace(line, "?", "? stale", 1)
	}
	// The small bucket is within the page of the large item.
	small := func(s shelf) []string { return append(slices.Clone(s.leaves[s.leafOf("large")]), "k") }
	for name, row := range map[string]struct {
		damage func(t *testing.T, s *shelf)
		want   func(s shelf) map[string]string
		lost   []string
	}{
		"nothing": {damage: func(*testing.T, *shelf) {}, want: func(s shelf) map[string]string { return s.whole() }},
		"no checksums": {
			damage: func(_ *testing.T, s *shelf) { s.sums = nil },
			want:   func(s shelf) map[string]string { return s.whole() },
		},
		"damaged checksums": {
			damage: func(_ *testing.T, s *shelf) { s.sums[len(s.sums)-1] ^= 1 },
			want:   func(s shelf) map[string]string { return s.whole() },
		},
		"both meta pages": {
			damage: func(_ *testing.T, s *shelf) { clear(s.text[:2*os.Getpagesize()]) },
			want:   func(s shelf) map[string]string { return s.whole() },
		},
		"a byte of a leaf": {
			damage: func(_ *testing.T, s *shelf) { p := s.page(s.leafOf("0100")); p[len(p)-1] ^= 1 },
			want: func(s shelf) map[string]string {
				return edited(s.whole(), s.leaves[s.leafOf("0100")], unsound)
			},
			lost: []string{"b"},
		},
		"the end of a large item": {
			damage: func(_ *testing.T, s *shelf) { s.page(s.leafOf("large") + 1)[100] ^= 1 },
			want:   func(s shelf) map[string]string { return edited(s.whole(), small(s), unsound) },
			lost:   []string{"b"},
		},
		"a leaf": {
			damage: func(_ *testing.T, s *shelf) { clear(s.page(s.leafOf("0100"))) },
			want: func(s shelf) map[string]string {
				return edited(s.whole(), s.leaves[s.leafOf("0100")], gone)
			},
			lost: []string{"b"},
		},
		"a leaf in the place of another": {
			damage: func(_ *testing.T, s *shelf) { copy(s.page(s.leafOf("0100")), s.page(s.leafOf("0300"))) },
			want: func(s shelf) map[string]string {
				// Those that are there twice are first found in the wrong place.
				return edited(edited(s.whole(), s.leaves[s.leafOf("0300")], unsound), s.leaves[s.leafOf("0100")], gone)
			},
			lost: []string{"b"},
		},
		"a byte of the branch": {
			damage: func(_ *testing.T, s *shelf) { s.page(s.branch)[headerSize+elementSize*40] ^= 1 },
			want:   func(s shelf) map[string]string { return edited(s.whole(), s.below(), unsound) },
			lost:   []string{"b"},
		},
		"the branch": {
			damage: func(_ *testing.T, s *shelf) { clear(s.page(s.branch)) },
			want:   func(s shelf) map[string]string { return edited(s.whole(), s.below(), homeless) },
			lost:   []string{"b"},
		},
		"the branch and the list of free pages": {
			damage: func(t *testing.T, s *shelf) { clear(s.page(s.branch)); clear(s.page(s.freelist(t))) },
			want:   func(s shelf) map[string]string { return edited(s.whole(), s.below(), homeless) },
			lost:   []string{"b"},
		},
		// Nothing shows that the list of free pages is whole.
		"the branch, and no checksums": {
			damage: func(_ *testing.T, s *shelf) { clear(s.page(s.branch)); s.sums = nil },
			want:   func(s shelf) map[string]string { return edited(s.whole(), s.below(), stale) },
			lost:   []string{"b"},
		},
		"the branch and the list, after a kill": {
			damage: func(t *testing.T, s *shelf) {
				clear(s.page(s.branch))
				clear(s.page(s.freelist(t)))
				s.sums = s.killed
			},
			want: func(s shelf) map[string]string { return edited(s.whole(), s.below(), stale) },
			lost: []string{"b"},
		},
		"the branch, the list and the checksums": {
			damage: func(t *testing.T, s *shelf) { clear(s.page(s.branch)); clear(s.page(s.freelist(t))); s.sums = nil },
			want:   func(s shelf) map[string]string { return edited(s.whole(), s.below(), stale) },
			lost:   []string{"b"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newShelf(t)
			row.damage(t, &s)
			found, lost := s.salvage(t)
			want := row.want(s)
			for key, line := range want {
				if found[key] != line {
					t.Errorf("%q is %q, not %q", key, found[key], line)
				}
			}
			for key, line := range found {
				if want[key] == "" {
					t.Errorf("%q is %q", key, line)
				}
			}
			if !slices.Equal(lost, row.lost) {
				t.Errorf("lost is %q, not %q", lost, row.lost)
			}
		})
	}
}
