package state

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// bomb writes an archive; add writes its entries after the manifest.
func bomb(t *testing.T, add func(a *tar.Writer, packed *gzip.Writer)) []byte {
	t.Helper()
	var b bytes.Buffer
	packed, err := gzip.NewWriterLevel(&b, gzip.BestSpeed)
	check(t, err)
	archive := tar.NewWriter(packed)
	text := `{"version": 1}`
	check(t, archive.WriteHeader(&tar.Header{Name: manifestFile, Size: int64(len(text)), Mode: 0o600}))
	_, err = io.WriteString(archive, text)
	check(t, err)
	add(archive, packed)
	_ = archive.Close()
	check(t, packed.Close())
	return b.Bytes()
}

// zeros writes a file of zeros into an archive.
func zeros(t *testing.T, a *tar.Writer, name string, size int64) {
	t.Helper()
	check(t, a.WriteHeader(&tar.Header{Name: name, Size: size, Mode: 0o600}))
	_, err := io.CopyN(a, zeroReader{}, size)
	check(t, err)
}

// holes writes a file that is one hole into the tar of an archive, in format 0.1 of GNU tar.
func holes(t *testing.T, a *tar.Writer, packed io.Writer, name string, size int64) {
	t.Helper()
	check(t, a.Flush())
	var records strings.Builder
	for _, r := range [][2]string{
		{"GNU.sparse.size", fmt.Sprint(size)}, {"GNU.sparse.numblocks", "1"}, {"GNU.sparse.map", fmt.Sprintf("%d,0", size)}, {"GNU.sparse.name", name},
	} {
		text := " " + r[0] + "=" + r[1] + "\n"
		// The length of a record counts its own two digits.
		fmt.Fprintf(&records, "%d%s", len(text)+2, text)
	}
	for _, entry := range []struct {
		kind byte
		data string
	}{{tar.TypeXHeader, records.String()}, {tar.TypeReg, ""}} {
		block := make([]byte, 512)
		copy(block, name)
		copy(block[100:], "0000600\x000000000\x000000000\x00")
		copy(block[124:], fmt.Sprintf("%011o\x0000000000000\x00        ", len(entry.data)))
		block[156] = entry.kind
		copy(block[257:], "ustar\x0000")
		sum := 0
		for _, b := range block {
			sum += int(b)
		}
		copy(block[148:], fmt.Sprintf("%06o\x00 ", sum))
		_, err := packed.Write(append(block, entry.data+strings.Repeat("\x00", -len(entry.data)&511)...))
		check(t, err)
	}
}

type zeroReader struct{}

func (zeroReader) Read(b []byte) (int, error) { clear(b); return len(b), nil }

func TestAnArchiveThatUnpacksToTooMuchIsRefused(t *testing.T) {
	t.Parallel()
	const limit, files = 4 << 20, 100
	for what, tt := range map[string]struct {
		data []byte
		want string
	}{
		"one large file": {
			bomb(t, func(a *tar.Writer, _ *gzip.Writer) { zeros(t, a, TableFile, limit+1) }),
			"the archive unpacks to more than 4 MB: its tables.db has 4 MB; nothing is changed; ",
		},
		"many files": {
			bomb(t, func(a *tar.Writer, _ *gzip.Writer) {
				for i := range 50 {
					zeros(t, a, fmt.Sprintf("logs/%d", i), 100<<10)
				}
			}),
			"the archive unpacks to more than 4 MB: its logs/",
		},
		"too many empty files": {
			bomb(t, func(a *tar.Writer, _ *gzip.Writer) {
				for i := range files + 1 {
					zeros(t, a, fmt.Sprintf("logs/%d", i), 0)
				}
			}),
			"more than 100 files",
		},
		"a file of holes": {
			bomb(t, func(a *tar.Writer, packed *gzip.Writer) { holes(t, a, packed, "logs/a", limit) }),
			"logs/a, which is not a file of a sandbox",
		},
		"a larger file of holes": {
			bomb(t, func(a *tar.Writer, packed *gzip.Writer) { holes(t, a, packed, "logs/a", 1<<50) }),
			"the archive unpacks to more than 4 MB: its logs/a has 1024 TB; ",
		},
		"more after the last file": {
			bomb(t, func(a *tar.Writer, packed *gzip.Writer) {
				check(t, a.Close())
				_, err := io.CopyN(packed, zeroReader{}, 2*limit)
				check(t, err)
			}),
			"the archive unpacks to more than 4 MB",
		},
		"a large manifest": {
			func() []byte {
				var b bytes.Buffer
				packed := gzip.NewWriter(&b)
				a := tar.NewWriter(packed)
				check(t, a.WriteHeader(&tar.Header{Name: manifestFile, Size: 2 * limit, Mode: 0o600}))
				_, err := io.WriteString(a, `{"version": 1}`)
				check(t, err)
				_, err = io.CopyN(a, zeroReader{}, 2*limit-14)
				check(t, err)
				check(t, a.Close())
				check(t, packed.Close())
				return b.Bytes()
			}(),
			"the archive unpacks to more than 4 MB",
		},
		"a long name": {
			bomb(t, func(a *tar.Writer, _ *gzip.Writer) { zeros(t, a, strings.Repeat("n", longestName+1), 0) }),
			"a name of 513 bytes",
		},
		"deep folders": {
			bomb(t, func(a *tar.Writer, _ *gzip.Writer) { zeros(t, a, strings.Repeat("d/", 200)+"a", 0) }),
			"a name of 401 bytes",
		},
		"a file twice": {
			bomb(t, func(a *tar.Writer, _ *gzip.Writer) { zeros(t, a, "logs/a", 1); zeros(t, a, "logs/a", 1) }),
			"logs/a twice",
		},
		"a file below a file": {
			bomb(t, func(a *tar.Writer, _ *gzip.Writer) { zeros(t, a, "logs", 1); zeros(t, a, "logs/a", 1) }),
			"logs/a twice, or a file in the place of a folder",
		},
		"a hard link": {
			bomb(t, func(a *tar.Writer, _ *gzip.Writer) {
				check(t, a.WriteHeader(&tar.Header{Name: "logs/a", Typeflag: tar.TypeLink, Linkname: "/etc/passwd"}))
			}),
			"logs/a, which is not a file of a sandbox",
		},
		"a file that is shorter than it says": {
			bomb(t, func(a *tar.Writer, _ *gzip.Writer) {
				check(t, a.WriteHeader(&tar.Header{Name: "logs/a", Size: 2000, Mode: 0o600}))
				_, err := io.WriteString(a, "short")
				check(t, err)
			}),
			"it is damaged",
		},
		"tables that are none": {
			bomb(t, func(a *tar.Writer, _ *gzip.Writer) { zeros(t, a, TableFile, 100_000) }),
			"the archive's file tables.db is damaged",
		},
	} {
		t.Run(what, func(t *testing.T) {
			state := t.TempDir()
			writeData(t, state, map[string]string{"logs/x": "x"})
			err := Import(state, bytes.NewReader(tt.data), ImportLimits{Most: limit, files: files})
			if err == nil || !strings.Contains(err.Error(), tt.want) || strings.Contains(err.Error(), "\n") {
				t.Errorf("the error is %v", err)
			}
			if got := readData(t, state); got != "logs/x=x " {
				t.Errorf("afterwards there is %.200q", got)
			}
			if _, err := os.Stat(filepath.Join(state, nextData)); !errors.Is(err, fs.ErrNotExist) {
				t.Error("a part of the archive is left")
			}
		})
	}
}

func TestTheLimitOfAnArchiveFollowsItsSize(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		archive, most, want int64
	}{{0, 0, 1 << 30}, {3 << 20, 0, 1 << 30}, {50 << 20, 0, 5000 << 20}, {50 << 20, 2 << 30, 2 << 30}} {
		l := &limited{archived: new(counted), limits: ImportLimits{Archive: c.archive, Most: c.most}}
		if got := l.most(); got != c.want {
			t.Errorf("of %d bytes at most %d: %d, not %d", c.archive, c.most, got, c.want)
		}
	}
	// Of an archive without a known length what was read of it counts.
	l := &limited{archived: &counted{n: 20 << 20}}
	if got := l.most(); got != 2000<<20 {
		t.Errorf("after 20 MB: %d", got)
	}
	// What the files say that they have counts, even if nothing was read of them.
	for i := range mostFiles - 1 {
		check(t, l.begin(fmt.Sprintf("logs/%d", i), 100<<10))
	}
	if err := l.begin("logs/large", 50<<20); err == nil || !strings.Contains(err.Error(), "its logs/large has 50 MB") {
		t.Errorf("%v", err)
	}
	if err := l.begin("logs/more", 0); err == nil || !strings.Contains(err.Error(), "more than 20000 files") {
		t.Errorf("%v", err)
	}
	l = &limited{archived: &counted{n: 20 << 20}}
	err := l.begin(TableFile, 3<<30)
	if err == nil || !strings.HasPrefix(err.Error(), "the archive unpacks to more than 1.9 GB, the most for an archive of 20 MB: its tables.db has 3 GB; ") {
		t.Errorf("%v", err)
	}
}

func TestSizes(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int64{"10GB": 10 << 30, "500 mb": 500 << 20, "1.5GB": 3 << 29, "100B": 100, "1KB": 1 << 10} {
		if got, err := ParseSize(text); err != nil || got != want {
			t.Errorf("%s is %d, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "GB", "-1GB", "10", "1e30GB", "NaNGB", "0MB", "InfGB"} {
		if got, err := ParseSize(text); err == nil {
			t.Errorf("%q is %d", text, got)
		}
	}
}
