package contract

import (
	"testing"
)

func TestBytesAreSaidInTheUnitsOfPeople(t *testing.T) {
	t.Parallel()
	for n, want := range map[int64]string{0: "0 B", 1023: "1023 B", 1024: "1 KB", 1<<20 - 1: "1023 KB", 1 << 20: "1.0 MB", 3<<20 + 1<<19: "3.5 MB"} {
		if got := BytesOf(n); got != want {
			t.Errorf("%d are %s, want %s", n, got, want)
		}
	}
	for _, p := range []struct {
		in   Progress
		want string
	}{{Progress{Text: "uploading", Done: 512, Total: 2048}, "uploading 512 B of 2 KB"}, {Progress{Text: "asking"}, "asking"}, {Progress{Resource: &ResourceProgress{}}, ""}} {
		if got := p.in.String(); got != p.want {
			t.Errorf("%+v is %q, want %q", p.in, got, p.want)
		}
	}
}
