package frame

import (
	"os"
	"testing"
	"time"
)

func TestEscAloneIsItsOwnSequenceAndAnyOtherStaysWhole(t *testing.T) {
	t.Parallel()
	in, keys, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	for _, sequence := range []string{"\x1b[B", "\x1bOA", "\x1b[1;5C", "\x1b[200~\x1b\x1b[201~", "\x1bj"} {
		for cut := range sequence {
			go func() {
				_, _ = keys.WriteString(sequence[:cut])
				time.Sleep(escapeWait * 4 / 5)
				_, _ = keys.WriteString(sequence[cut:])
			}()
			got := ""
			for len(got) < len(sequence) {
				text := make([]byte, 100)
				n, err := escapeReader{in, time.Hour}.Read(text)
				if err != nil {
					t.Fatal(err)
				}
				got += string(text[:n])
			}
			if got != sequence {
				t.Errorf("%q, cut at %d, is read as %q", sequence, cut, got)
			}
		}
	}
	for written, want := range map[string]string{"\x1b": "\x1b[27u", "j": "j", "\x1b[A": "\x1b[A"} {
		_, _ = keys.WriteString(written)
		text := make([]byte, 100)
		if n, err := (escapeReader{in, time.Millisecond}).Read(text); err != nil || string(text[:n]) != want {
			t.Errorf("%q alone is read as %q, want %q (%v)", written, text[:n], want, err)
		}
	}
}
