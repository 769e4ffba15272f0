package handler

import (
	"fmt"
	"testing"

	"gatewright/model"
)

// BenchmarkFiles makes the source of a function with many paths; the time once grew with their square.
func BenchmarkFiles(b *testing.B) {
	for _, n := range []int{1_000, 10_000, 100_000} {
		s := Spec{Function: "f", Runtime: model.NodeJS, Template: model.Express}
		for i := range n {
			s.Paths = append(s.Paths, fmt.Sprintf("/p%d", i))
		}
		b.Run(fmt.Sprintf("paths=%d", n), func(b *testing.B) {
			for b.Loop() {
				if _, err := Files(s); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
