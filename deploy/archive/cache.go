package archive

import (
	"archive/zip"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"gatewright/internal/file"
	"gatewright/sandbox/prepare"
)

// An archive in the cache is named KEY-SHA256.zip, after what it was made from and what it
// has. It gets its name when it is complete.

// folder is the folder of the archives.
func (b *Builder) folder() string { return filepath.Join(b.cache, "archives") }

func prefixOf(key string) string { return key[:32] + "-" }

// find returns the archive of a key. One whose bytes are not what its name says, as after
// a power failure, is removed.
func (b *Builder) find(key string) (Archive, bool) {
	// A missing folder has no entries.
	entries, _ := os.ReadDir(b.folder())
	for _, entry := range entries {
		sum, ok := strings.CutPrefix(entry.Name(), prefixOf(key))
		if !ok || !entry.Type().IsRegular() {
			continue
		}
		name := filepath.Join(b.folder(), entry.Name())
		found, err := read(name)
		if err != nil {
			continue
		}
		if found.SHA256+".zip" != sum {
			_ = os.Remove(name)
			continue
		}
		now := time.Now()
		_ = os.Chtimes(name, now, now)
		return found, true
	}
	return Archive{}, false
}

// read reads an archive.
func read(name string) (Archive, error) {
	file, err := os.Open(name)
	if err != nil {
		return Archive{}, err
	}
	defer func() { _ = file.Close() }()
	hash := sha256.New()
	a := Archive{File: name}
	if a.Size, err = io.Copy(hash, file); err != nil {
		return Archive{}, err
	}
	a.SHA256 = hex.EncodeToString(hash.Sum(nil))
	// What is no archive is told by its sum.
	if files, err := zip.NewReader(file, a.Size); err == nil {
		for _, f := range files.File {
			a.Unpacked += int64(f.UncompressedSize64)
		}
	}
	return a, nil
}

// unfinished makes a folder in which an archive is made.
func (b *Builder) unfinished() (string, error) {
	if err := os.MkdirAll(b.folder(), 0o700); err != nil {
		return "", err
	}
	return os.MkdirTemp(b.folder(), prepare.Unfinished)
}

// keep gives a complete archive its name.
func (b *Builder) keep(a Archive, key string) (Archive, error) {
	name := filepath.Join(b.folder(), prefixOf(key)+a.SHA256+".zip")
	if err := file.Rename(a.File, name); err != nil {
		return Archive{}, err
	}
	a.File = name
	return a, nil
}
