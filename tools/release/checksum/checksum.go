// Package checksum sums the files of a release, to check them after they were downloaded.
package checksum

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"os"
)

// File is the name of the file that has the sum of every other file, as sha256sum --check
// reads it.
const File = "checksums.txt"

// Of returns the SHA-256 of a file, in hexadecimal.
func Of(file string) (string, error) {
	f, err := os.Open(file)
	if err != nil {
		return "", err
	}
	defer func() { _ = f.Close() }()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}
