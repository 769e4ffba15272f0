//go:build !linux && !darwin && !freebsd && !openbsd && !netbsd && !dragonfly

package watch

func mostWatches() int  { return 0 }
func costOf(string) int { return 1 }

func noWatch() *RefusedError {
	return &RefusedError{"the system allows no more watches", "end other programs that watch files"}
}

func noInstance() *RefusedError { return noWatch() }

func silent(string) error { return nil }
