package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"

	"gatewright/tools/release/archive"
	"gatewright/tools/release/formula"
	"gatewright/tools/release/linux"
)

// writeArchives packs the program of each target with the texts that go along with it.
func (r *release) writeArchives(ctx context.Context) error {
	for _, t := range r.targets {
		if err := ctx.Err(); err != nil {
			return err
		}
		program, err := os.ReadFile(r.programs[t])
		if err != nil {
			return err
		}
		files := []archive.File{{Name: t.File(), Body: program, Executable: true}}
		for name, body := range r.texts {
			files = append(files, archive.File{Name: name, Body: body})
		}
		folder := fmt.Sprintf("gatewright_%s_%s_%s", r.Version, t.OS, t.Arch)
		pack, ending := archive.TarGz, ".tar.gz"
		if t.OS == "windows" {
			pack, ending = archive.Zip, ".zip"
		}
		var packed bytes.Buffer
		if err := pack(&packed, folder, files, r.Date); err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(r.dist, folder+ending), packed.Bytes(), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// writeLinux writes the packages for Linux distributions.
func (r *release) writeLinux(ctx context.Context) error {
	for _, t := range r.targets {
		if t.OS != "linux" {
			continue
		}
		p := linux.Package{
			Stamp: r.Stamp, Arch: t.Arch, Program: r.programs[t], Homepage: formula.Homepage(r.baseURL), Texts: r.texts,
		}
		for _, format := range linux.Formats {
			work := filepath.Join(r.work, "linux", t.Arch)
			if err := os.MkdirAll(work, 0o755); err != nil {
				return err
			}
			name := fmt.Sprintf("gatewright_%s_linux_%s.%s", r.Version, t.Arch, format)
			if err := linux.Write(ctx, format, filepath.Join(r.dist, name), work, p); err != nil {
				return err
			}
		}
	}
	return nil
}
