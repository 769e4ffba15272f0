package archive

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"gatewright/internal/file"
)

// An archive in the cache is named KEY-SHA256.zip, after what it was made from and what it
// has. It gets its name when it is complete.

// longestUnused is how long an unused archive is kept.
const longestUnused = 60 * 24 * time.Hour

// unfinishedPrefix begins the names of folders in which archives are made.
const unfinishedPrefix = "new-"

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
	size, err := io.Copy(hash, file)
	return Archive{name, hex.EncodeToString(hash.Sum(nil)), size}, err
}

// unfinished makes a folder in which an archive is made.
func (b *Builder) unfinished() (string, error) {
	if err := os.MkdirAll(b.folder(), 0o700); err != nil {
		return "", err
	}
	b.pruned.Do(b.prune)
	return os.MkdirTemp(b.folder(), unfinishedPrefix)
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

// prune removes archives that nobody used for long, and what killed builds left.
func (b *Builder) prune() {
	// A missing folder has no entries.
	entries, _ := os.ReadDir(b.folder())
	for _, entry := range entries {
		limit := longestUnused
		if strings.HasPrefix(entry.Name(), unfinishedPrefix) {
			limit = 24 * time.Hour
		}
		if info, err := entry.Info(); err == nil && time.Since(info.ModTime()) > limit {
			_ = os.RemoveAll(filepath.Join(b.folder(), entry.Name()))
		}
	}
}
