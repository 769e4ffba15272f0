package table

import (
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
)

const benchItem = `{"id":{"S":"%d"},"name":{"S":"a name of some length"},"n":{"N":"42"},"text":{"S":"0123456789012345678901234567890123456789012345678901234567890123456789"}}`

func BenchmarkGetItem(b *testing.B) {
	s := openTables(b)
	do(b, s, "PutItem", `{"TableName":"plain","Item":`+fmt.Sprintf(benchItem, 1)+`}`)
	request := []byte(`{"TableName":"plain","Key":{"id":{"S":"1"}}}`)
	for b.Loop() {
		if _, err := s.Do(b.Context(), "GetItem", request); err != nil {
			b.Fatal(err)
		}
	}
}

// Writes of one goroutine, and of eight, which share transactions; with Sync each write is
// synced.
func BenchmarkPutItem(b *testing.B) {
	for _, o := range []Options{{}, {Sync: true}} {
		for _, writers := range []int{1, 8} {
			b.Run(fmt.Sprintf("sync=%v/writers=%d", o.Sync, writers), func(b *testing.B) {
				s := openStore(b, o)
				do(b, s, "CreateTable", plainTable)
				var n atomic.Int64
				b.SetParallelism(writers)
				b.RunParallel(func(pb *testing.PB) {
					for pb.Next() {
						if _, err := s.Do(b.Context(), "PutItem", []byte(`{"TableName":"plain","Item":`+fmt.Sprintf(benchItem, n.Add(1)%10_000)+`}`)); err != nil {
							b.Fatal(err)
						}
					}
				})
			})
		}
	}
}

// The time for one item must not grow with the table.
func BenchmarkScan(b *testing.B) {
	for _, n := range []int{10_000, 100_000, 1_000_000} {
		b.Run(fmt.Sprintf("items=%d", n), func(b *testing.B) {
			s := openTables(b)
			for i := 0; i < n; i += 2500 {
				requests := make([]string, 100)
				for r := range requests {
					var puts []string
					for j := range mostBatchWrites {
						puts = append(puts, `{"PutRequest":{"Item":`+fmt.Sprintf(benchItem, i+r*mostBatchWrites+j)+`}}`)
					}
					requests[r] = `{"RequestItems":{"plain":[` + strings.Join(puts, ",") + `]}}`
				}
				inParallel(b, s, "BatchWriteItem", requests)
			}
			for b.Loop() {
				if got := len(pagesOf(b, s, "Scan", map[string]any{"TableName": "plain", "ProjectionExpression": "id"}, "id")); got != n {
					b.Fatalf("%d items", got)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/item")
		})
	}
}

func inParallel(b *testing.B, s *Store, operation string, requests []string) {
	b.Helper()
	errs := make(chan error, len(requests))
	for _, r := range requests {
		go func() {
			_, err := s.Do(b.Context(), operation, []byte(r))
			errs <- err
		}()
	}
	for range requests {
		if err := <-errs; err != nil {
			b.Fatal(err)
		}
	}
}
