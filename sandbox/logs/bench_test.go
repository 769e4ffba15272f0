package logs_test

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"gatewright/sandbox/logs"
)

// BenchmarkAppend compares Append with writing the formatted line to a buffered file.
func BenchmarkAppend(b *testing.B) {
	l := line(0)
	l.Text = "GET /items?limit=10 gave 200 with 10 items in 4 ms for a guest, and nothing else"
	b.Run("store", func(b *testing.B) {
		s, _ := openStore(b, logs.Small{})
		b.ReportAllocs()
		for b.Loop() {
			s.Append(l)
		}
	})
	b.Run("store with three secrets", func(b *testing.B) {
		s, _ := openStore(b, logs.Small{})
		s.Redact([]string{"correct horse", "battery staple", "0123456789abcdef"})
		b.ReportAllocs()
		for b.Loop() {
			s.Append(l)
		}
	})
	b.Run("store with a reader", func(b *testing.B) {
		s, _ := openStore(b, logs.Small{})
		go func() {
			for range s.Follow(b.Context(), logs.Query{}) {
			}
		}()
		b.ReportAllocs()
		for b.Loop() {
			s.Append(l)
		}
	})
	b.Run("store in parallel", func(b *testing.B) {
		s, _ := openStore(b, logs.Small{})
		b.RunParallel(func(p *testing.PB) {
			for p.Next() {
				s.Append(l)
			}
		})
	})
	b.Run("plain buffered file", func(b *testing.B) {
		f, err := os.Create(filepath.Join(b.TempDir(), "log"))
		must(b, err)
		defer f.Close()
		var mu sync.Mutex
		w := bufio.NewWriter(f)
		b.ReportAllocs()
		for b.Loop() {
			mu.Lock()
			fmt.Fprintln(w, l)
			mu.Unlock()
		}
		must(b, w.Flush())
	})
}

// BenchmarkRead reads a long log as the command logs does.
func BenchmarkRead(b *testing.B) {
	s, folder := openStore(b, logs.Small{})
	for n := range 50000 {
		s.Append(line(n))
		if n%5000 == 0 {
			s.Read(logs.Query{})
		}
	}
	must(b, s.Close())
	for name, q := range map[string]logs.Query{"last 100": {Last: 100}, "one request": {Request: "request-77"}, "all": {}} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if _, err := logs.ReadFolder(folder, q); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
