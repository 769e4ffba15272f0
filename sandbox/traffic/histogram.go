package traffic

import (
	"math/bits"
	"slices"
	"time"
)

// histogram counts durations in classes, each about 3 % wide, so that a percentile is at most
// that far from the exact one. It grows with the number of classes in use, which is small.
type histogram struct {
	classes []class
	total   uint32
	least   time.Duration
	most    time.Duration
}

// class counts the durations of one class.
type class struct {
	of    uint16
	count uint32
}

// parts is the number of classes between a duration and its double.
const parts = 32

// classOf is the class of a duration: exact below 2*parts microseconds, then parts for each
// power of two.
func classOf(d time.Duration) uint16 {
	micro := uint64(max(d, 0) / time.Microsecond)
	if micro < 2*parts {
		return uint16(micro)
	}
	shift := bits.Len64(micro) - bits.Len64(2*parts-1)
	return uint16(shift*parts) + uint16(micro>>shift)
}

// middleOf is the middle of a class.
func middleOf(of uint16) time.Duration {
	if of < 2*parts {
		return time.Duration(of) * time.Microsecond
	}
	shift := of/parts - 1
	from := uint64(of%parts+parts) << shift
	return time.Duration(from+(1<<shift)/2) * time.Microsecond
}

func (h *histogram) add(d time.Duration) {
	if h.total == 0 || d < h.least {
		h.least = d
	}
	h.most = max(h.most, d)
	h.total++
	h.put(classOf(d), 1)
}

func (h *histogram) put(of uint16, count uint32) {
	at, found := slices.BinarySearchFunc(h.classes, of, func(c class, of uint16) int { return int(c.of) - int(of) })
	if !found {
		h.classes = slices.Insert(h.classes, at, class{of: of})
	}
	h.classes[at].count += count
}

// merge adds what another histogram has counted.
func (h *histogram) merge(other *histogram) {
	if other.total == 0 {
		return
	}
	if h.total == 0 || other.least < h.least {
		h.least = other.least
	}
	h.most = max(h.most, other.most)
	h.total += other.total
	for _, c := range other.classes {
		h.put(c.of, c.count)
	}
}

// percentile is the duration that percent of all durations do not exceed (the nearest rank);
// 0 if there are none.
func (h *histogram) percentile(percent int) time.Duration {
	rank := (uint64(h.total)*uint64(percent) + 99) / 100
	if rank == uint64(h.total) {
		return h.most
	}
	var seen uint64
	for _, c := range h.classes {
		if seen += uint64(c.count); seen >= rank && seen > 0 {
			return min(max(middleOf(c.of), h.least), h.most)
		}
	}
	return 0
}
