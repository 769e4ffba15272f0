package access

import "iter"

// Pairs joins two lists by key: the items of now in their order, each with its item of was,
// then the items that only was has. A missing item is the zero value.
func Pairs[T any](was, now []T, key func(T) string) iter.Seq2[T, T] {
	return func(yield func(was, now T) bool) {
		// Lists mostly begin with the same keys, which need no map.
		for len(was) > 0 && len(now) > 0 && key(was[0]) == key(now[0]) {
			if !yield(was[0], now[0]) {
				return
			}
			was, now = was[1:], now[1:]
		}
		var zero T
		unmatched := make(map[string]T, len(was))
		for _, item := range was {
			unmatched[key(item)] = item
		}
		for _, item := range now {
			k := key(item)
			before := unmatched[k]
			delete(unmatched, k)
			if !yield(before, item) {
				return
			}
		}
		for _, item := range was {
			k := key(item)
			if _, still := unmatched[k]; !still {
				continue
			}
			delete(unmatched, k)
			if !yield(item, zero) {
				return
			}
		}
	}
}
