// Package archive writes the archives of a release. The same files give the same bytes.
package archive

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"
)

// File is a file of an archive.
type File struct {
	// Name is the path inside the archive, with slashes.
	Name       string
	Body       []byte
	Executable bool
}

func (f File) mode() fs.FileMode {
	if f.Executable {
		return 0o755
	}
	return 0o644
}

// TarGz writes the files as a packed tar file, with one folder that everything lies in.
func TarGz(w io.Writer, folder string, files []File, when time.Time) error {
	packed, err := gzip.NewWriterLevel(w, gzip.BestCompression)
	if err != nil {
		return err
	}
	out := tar.NewWriter(packed)
	err = each(folder, files, func(name string, f File) error {
		h := &tar.Header{Name: name, ModTime: when.Truncate(time.Second), Format: tar.FormatUSTAR}
		if strings.HasSuffix(name, "/") {
			h.Typeflag, h.Mode = tar.TypeDir, 0o755
			return out.WriteHeader(h)
		}
		h.Typeflag, h.Mode, h.Size = tar.TypeReg, int64(f.mode()), int64(len(f.Body))
		if err := out.WriteHeader(h); err != nil {
			return err
		}
		_, err := out.Write(f.Body)
		return err
	})
	if err != nil {
		return err
	}
	if err := out.Close(); err != nil {
		return err
	}
	return packed.Close()
}

// Zip writes the files as a zip file, with one folder that everything lies in.
func Zip(w io.Writer, folder string, files []File, when time.Time) error {
	out := zip.NewWriter(w)
	err := each(folder, files, func(name string, f File) error {
		h := &zip.FileHeader{Name: name, Modified: when.UTC(), Method: zip.Deflate}
		if strings.HasSuffix(name, "/") {
			h.SetMode(0o755 | fs.ModeDir)
			h.Method = zip.Store
		} else {
			h.SetMode(f.mode())
		}
		entry, err := out.CreateHeader(h)
		if err != nil {
			return err
		}
		_, err = entry.Write(f.Body)
		return err
	})
	if err != nil {
		return err
	}
	return out.Close()
}

// Gzip packs a text as it lies in packages: without a name and without a time.
func Gzip(body []byte) ([]byte, error) {
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := w.Write(body); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// each calls write for every folder and file, sorted, folders before what is in them.
func each(folder string, files []File, write func(name string, f File) error) error {
	byName := map[string]File{}
	for _, f := range files {
		name := path.Join(folder, f.Name)
		byName[name] = f
		for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
			byName[dir+"/"] = File{}
		}
	}
	names := make([]string, 0, len(byName))
	for name := range byName {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		if err := write(name, byName[name]); err != nil {
			return err
		}
	}
	return nil
}
