package attribute

import (
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
)

// The baseline of BenchmarkParseItem: reading the same JSON without making values of it.
var benchItem = jsontext.Value(`{"id":{"S":"0190a7b2-5f3e-7c41"},"sk":{"N":"1732243200"},"title":{"S":"` + strings.Repeat("text ", 20) + `"},"price":{"N":"19.99"},"tags":{"SS":["a","b","c"]},"open":{"BOOL":true}}`)

func BenchmarkReadingJSONAlone(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if !benchItem.IsValid() {
			b.Fatal("not JSON")
		}
	}
}

func BenchmarkParseItem(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := ParseItem(benchItem); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkAppendJSON(b *testing.B) {
	item, err := ParseItem(benchItem)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	var out []byte
	for b.Loop() {
		out = item.AppendJSON(out[:0])
	}
}

func BenchmarkCompareNumbers(b *testing.B) {
	x, y := &Value{Kind: N, Text: "1732243200.25"}, &Value{Kind: N, Text: "1732243200.5"}
	b.ReportAllocs()
	for b.Loop() {
		if c, _ := Compare(x, y); c >= 0 {
			b.Fatal(c)
		}
	}
}

func BenchmarkAppendKey(b *testing.B) {
	v := &Value{Kind: N, Text: "1732243200"}
	b.ReportAllocs()
	var out []byte
	for b.Loop() {
		out = AppendKey(out[:0], v)
	}
}
