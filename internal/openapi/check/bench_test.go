package check_test

import (
	"fmt"
	"strings"
	"testing"

	"gatewright/internal/cfn"
)

// BenchmarkRequest holds a body of 2 KB, and compares it with reading that body alone.
func BenchmarkRequest(b *testing.B) {
	c := contractOf(b, shop)
	var tags []string
	for i := 0; len(tags)*12 < 2000; i++ {
		tags = append(tags, fmt.Sprintf("%q", fmt.Sprintf("tag-%05d", i)))
	}
	body := `{"title": "a", "pages": 12, "tags": [` + strings.Join(tags, ",") + `]}`
	r := requestOf(b, "POST /books\nContent-Type: application/json\n\n"+body)
	b.Run("check", func(b *testing.B) {
		b.ReportAllocs()
		b.SetBytes(int64(len(body)))
		for b.Loop() {
			if findings := c.Request(r); len(findings) > 0 {
				b.Fatal(said(findings))
			}
		}
	})
	b.Run("read", func(b *testing.B) {
		b.ReportAllocs()
		b.SetBytes(int64(len(body)))
		for b.Loop() {
			if _, err := cfn.ParseJSON("body", r.Body); err != nil {
				b.Fatal(err)
			}
		}
	})
}
