package archive

import (
	"archive/zip"
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"io/fs"
	"os"
	"time"

	"gatewright/sandbox/artifact"
)

// earliest is the time of every file: the earliest that a zip archive can have.
var earliest = time.Date(1980, time.January, 1, 0, 0, 0, 0, time.UTC)

// zipped writes the files into a zip archive, in the order of their names. The archive has
// no entries for folders: unpacking makes them.
func zipped(ctx context.Context, l *artifact.Listing, name string) (Archive, error) {
	file, err := os.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return Archive{}, l.Unreadable("", err)
	}
	defer func() { _ = file.Close() }()
	buffer := bufio.NewWriterSize(file, 1<<16)
	hash := sha256.New()
	count := &counter{}
	archive := zip.NewWriter(io.MultiWriter(buffer, hash, count))
	for _, inside := range l.Names() {
		if err := ctx.Err(); err != nil {
			return Archive{}, err
		}
		if err := store(archive, l, inside); err != nil {
			return Archive{}, err
		}
	}
	err = archive.Close()
	if err == nil {
		err = buffer.Flush()
	}
	if err == nil {
		err = file.Close()
	}
	if err != nil {
		return Archive{}, l.Problem("its archive cannot be written: "+err.Error(), "free space on the disk of the cache")
	}
	return Archive{File: name, SHA256: hex.EncodeToString(hash.Sum(nil)), Size: count.n, Unpacked: l.Size()}, nil
}

// store writes one file into an archive.
func store(archive *zip.Writer, l *artifact.Listing, name string) error {
	e := l.Files[name]
	header := &zip.FileHeader{Name: name, Method: zip.Deflate, Modified: earliest}
	// The permissions of others may come from a umask, and Lambda's user is one of them.
	mode := fs.FileMode(0o644)
	if e.Executable {
		mode = 0o755
	}
	header.SetMode(mode)
	source, err := e.Open()
	if err != nil {
		return l.Unreadable(name, err)
	}
	defer func() { _ = source.Close() }()
	target, err := archive.CreateHeader(header)
	if err == nil {
		_, err = io.Copy(target, source)
	}
	if err != nil {
		return l.Problem("its archive cannot be written: "+err.Error(), "free space on the disk of the cache")
	}
	return nil
}

// counter counts what is written to it.
type counter struct{ n int64 }

func (c *counter) Write(text []byte) (int, error) {
	c.n += int64(len(text))
	return len(text), nil
}
