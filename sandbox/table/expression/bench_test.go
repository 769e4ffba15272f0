package expression

import "testing"

const (
	benchCondition = "#s = :s AND (size(title) > :n OR attribute_not_exists(m.k))"
	benchUpdate    = "SET #s = :s, m.k = if_not_exists(m.k, :n) + :n REMOVE gone"
	benchItem      = `{"id":{"S":"1"},"status":{"S":"a"},"title":{"S":"text"},"m":{"M":{"k":{"N":"1"}}}}`
)

func BenchmarkParseCondition(b *testing.B) {
	n := names(b, `{"#s":"status"}`, `{":s":{"S":"a"},":n":{"N":"1"}}`)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := ParseCondition("FilterExpression", benchCondition, n); err != nil {
			b.Fatal(err)
		}
	}
}

// A scan with a filter evaluates a condition for every item, and parses it once.
func BenchmarkHolds(b *testing.B) {
	c, err := ParseCondition("FilterExpression", benchCondition, names(b, `{"#s":"status"}`, `{":s":{"S":"a"},":n":{"N":"1"}}`))
	if err != nil {
		b.Fatal(err)
	}
	i := item(b, benchItem)
	b.ReportAllocs()
	for b.Loop() {
		if !c.Holds(i) {
			b.Fatal("does not hold")
		}
	}
}

func BenchmarkUpdate(b *testing.B) {
	n := names(b, `{"#s":"status"}`, `{":s":{"S":"a"},":n":{"N":"1"}}`)
	i := item(b, benchItem)
	b.ReportAllocs()
	for b.Loop() {
		u, err := ParseUpdate(benchUpdate, n)
		if err != nil {
			b.Fatal(err)
		}
		if _, _, err := u.Apply(i); err != nil {
			b.Fatal(err)
		}
	}
}
