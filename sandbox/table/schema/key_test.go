package schema

import (
	"bytes"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"gatewright/sandbox/table/attribute"
	"gatewright/sandbox/table/expression"
)

// keyValues draws values of one type that often share a prefix or are equal.
func keyValues(kind attribute.Kind) *rapid.Generator[*attribute.Value] {
	return rapid.Custom(func(t *rapid.T) *attribute.Value {
		v := &attribute.Value{Kind: kind}
		short := rapid.SliceOfN(rapid.SampledFrom([]byte{0, 1, 'a', 'b', 0x7f}), 1, 4)
		switch kind {
		case attribute.N:
			text, err := attribute.CanonicalNumber(rapid.StringMatching(`-?[0-9]{1,20}(\.[0-9]{1,15})?(e-?[0-9]{1,2})?`).Draw(t, "number"))
			if err != nil {
				t.Fatal(err)
			}
			v.Text = text
		case attribute.B:
			v.Bytes = rapid.SliceOfN(rapid.SampledFrom([]byte{0, 1, 0xfe, 0xff}), 1, 4).Draw(t, "bytes")
		default:
			v.Text = string(short.Draw(t, "text"))
		}
		return v
	})
}

// The span of a key condition has exactly the keys of the items that match it, in the order
// of their sort keys; in an index too, in which the item's key follows the sort key.
func TestASpanHasTheKeysThatMatchTheCondition(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		kind := rapid.SampledFrom([]attribute.Kind{attribute.S, attribute.N, attribute.B}).Draw(t, "kind")
		partitions := []*attribute.Value{{Kind: attribute.S, Text: "p"}, {Kind: attribute.S, Text: "p\x00"}, {Kind: attribute.S, Text: "q"}}
		sorts := rapid.SliceOfN(keyValues(kind), 1, 12).Draw(t, "sorts")
		c := expression.KeyCondition{Partition: partitions[0], Sort: &expression.Range{
			Op:  rapid.SampledFrom([]string{"=", "<", "<=", ">", ">=", "between", "begins_with"}).Draw(t, "op"),
			Low: rapid.SampledFrom(sorts).Draw(t, "low"),
		}}
		switch {
		case c.Sort.Op == "between":
			c.Sort.High = keyValues(kind).Draw(t, "high")
			if order, _ := attribute.Compare(c.Sort.Low, c.Sort.High); order > 0 {
				c.Sort.Low, c.Sort.High = c.Sort.High, c.Sort.Low
			}
		case c.Sort.Op == "begins_with" && kind == attribute.N:
			c.Sort.Op = "<="
		}
		whole := PartitionSpan(expression.KeyCondition{Partition: partitions[0]})
		narrow := PartitionSpan(c)
		tail := rapid.SliceOf(rapid.Byte()).Draw(t, "tail")
		for i, partition := range partitions {
			for _, sort := range sorts {
				key := append(attribute.AppendKey(appendPartition(nil, partition), sort), tail...)
				if got := whole.holds(key); got != (i == 0) {
					t.Fatalf("partition %q: %v", partition.Text, got)
				}
				if got, want := narrow.holds(key), i == 0 && c.Sort.Holds(sort); got != want {
					t.Fatalf("%s %v: %v is within: %v, want %v", c.Sort.Op, c.Sort.Low, sort, got, want)
				}
			}
		}
		slices.SortFunc(sorts, func(a, b *attribute.Value) int {
			order, _ := attribute.Compare(a, b)
			return order
		})
		if !slices.IsSortedFunc(sorts, func(a, b *attribute.Value) int {
			return bytes.Compare(attribute.AppendKey(nil, a), attribute.AppendKey(nil, b))
		}) {
			t.Fatalf("keys of %v are in another order", sorts)
		}
	})
}

func (s Span) holds(key []byte) bool {
	return bytes.Compare(key, s.Low) >= 0 && (s.High == nil || bytes.Compare(key, s.High) < 0)
}

func TestEveryKeyIsInExactlyOneSegment(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		total := rapid.Int64Range(1, MostSegments).Draw(t, "total")
		key := rapid.OneOf(
			rapid.SliceOfN(rapid.Byte(), 5, 5),
			rapid.SampledFrom([][]byte{{0, 0, 0, 0}, {0xff, 0xff, 0xff, 0xff, 1}, {0x80, 0, 0, 0, 1}, {0x7f, 0xff, 0xff, 0xff}}),
		).Draw(t, "key")
		// The expected segment is close to the hash's share of its range.
		hash := int64(key[0])<<24 | int64(key[1])<<16 | int64(key[2])<<8 | int64(key[3])
		near := hash * total >> 32
		found := 0
		for segment := max(0, near-2); segment <= min(total-1, near+2); segment++ {
			if SegmentSpan(segment, total).holds(key) {
				found++
			}
		}
		if found != 1 {
			t.Fatalf("%x is in %d of %d segments", key, found, total)
		}
	})
}

func TestPartitionsAreSpreadOverTheSegments(t *testing.T) {
	t.Parallel()
	const total, partitions = 8, 4000
	var got [total]int
	for i := range partitions {
		v := &attribute.Value{Kind: attribute.N, Text: string(rune('0'+i%10)) + string(rune('0'+i/10%10)) + string(rune('0'+i/100%10)) + string(rune('0'+i/1000))}
		v.Kind = attribute.S
		key := appendPartition(nil, v)
		for segment := range got {
			if SegmentSpan(int64(segment), total).holds(key) {
				got[segment]++
			}
		}
	}
	for segment, n := range got {
		if n < partitions/total*7/10 || n > partitions/total*13/10 {
			t.Errorf("segment %d has %d of %d partitions", segment, n, partitions)
		}
	}
}
