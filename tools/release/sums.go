package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// sumsFile has the SHA-256 of every other file, as sha256sum --check reads it.
const sumsFile = "checksums.txt"

func (r *release) writeSums(context.Context) error {
	sums, err := readSums(r.dist)
	if err != nil {
		return err
	}
	files, _, err := contents(r.dist)
	if err != nil {
		return err
	}
	var text strings.Builder
	for _, f := range files {
		fmt.Fprintf(&text, "%s  %s\n", sums[f.Name()], f.Name())
	}
	return os.WriteFile(filepath.Join(r.dist, sumsFile), []byte(text.String()), 0o644)
}

// readSums works out the SHA-256 of each file of a folder, by its name.
func readSums(folder string) (map[string]string, error) {
	files, _, err := contents(folder)
	if err != nil {
		return nil, err
	}
	sums := map[string]string{}
	for _, f := range files {
		if sums[f.Name()], err = sum(filepath.Join(folder, f.Name())); err != nil {
			return nil, err
		}
	}
	return sums, nil
}

func sum(file string) (string, error) {
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
