package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"gatewright/tools/release/checksum"
)

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
	return os.WriteFile(filepath.Join(r.dist, checksum.File), []byte(text.String()), 0o644)
}

// readSums works out the SHA-256 of each file of a folder, by its name.
func readSums(folder string) (map[string]string, error) {
	files, _, err := contents(folder)
	if err != nil {
		return nil, err
	}
	sums := map[string]string{}
	for _, f := range files {
		if sums[f.Name()], err = checksum.Of(filepath.Join(folder, f.Name())); err != nil {
			return nil, err
		}
	}
	return sums, nil
}
