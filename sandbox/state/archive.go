package state

import (
	"archive/tar"
	"cmp"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"gatewright/internal/file"
	"gatewright/internal/text/phrase"
	"gatewright/sandbox/pages"
)

// manifestFile is a file in the archive of Export and has its version.
const manifestFile = "gatewright-sandbox.json"

// archiveVersion is the version of the format of Export.
const archiveVersion = 1

type manifest struct {
	Version int `json:"version"`
	// Lacks are those of tables and users that the sandbox did not have; nil if the archive does
	// not say.
	Lacks []string `json:"lacks"`
}

// Reset removes the state of a sandbox: tables, users, keys, logs, and what was built for
// functions. The error is a *RunningError while a sandbox is running.
func Reset(state string) error {
	return whileOwned(state, func() error {
		for _, name := range []string{DataFolder, WorkFolder, mockFolder, sourceFolder, KeysFile} {
			if err := file.RemoveAll(filepath.Join(state, name)); err != nil {
				return fmt.Errorf("removing the sandbox's state: %w", err)
			}
		}
		return nil
	})
}

// Export writes the tables, users and logs of a sandbox as an archive (tar, gzip), with the users' password
// verifiers and authenticator secrets. It leaves out what can be built again and the keys, so that tokens and
// codes are not valid elsewhere. The error is a *RunningError while a sandbox is running.
func Export(state string, w io.Writer) error {
	return whileOwned(state, func() error {
		if err := checkExported(state); err != nil {
			return err
		}
		packed := gzip.NewWriter(w)
		archive := tar.NewWriter(packed)
		err := writeArchive(archive, filepath.Join(state, DataFolder))
		if closed := archive.Close(); err == nil {
			err = closed
		}
		if closed := packed.Close(); err == nil {
			err = closed
		}
		if err != nil {
			return fmt.Errorf("exporting the sandbox's state: %w", err)
		}
		return nil
	})
}

// checkExported refuses to export damaged files.
func checkExported(state string) error {
	for _, name := range []string{TableFile, UserFile} {
		damage, err := damageOf(filepath.Join(state, DataFolder, name))
		if damage != nil {
			err = damage
		}
		if err != nil {
			return fmt.Errorf("exporting the sandbox's state: %w", err)
		}
	}
	return nil
}

func writeArchive(archive *tar.Writer, data string) error {
	lacks := slices.DeleteFunc([]string{TableFile, UserFile},
		func(name string) bool { return !isEmpty(filepath.Join(data, name)) })
	text, err := json.Marshal(manifest{archiveVersion, lacks})
	if err == nil {
		err = archive.WriteHeader(&tar.Header{Name: manifestFile, Size: int64(len(text)), Mode: 0o600})
	}
	if err == nil {
		_, err = archive.Write(text)
	}
	if err != nil {
		return err
	}
	err = filepath.WalkDir(data, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return err
		}
		return archiveFile(archive, data, name)
	})
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

func archiveFile(archive *tar.Writer, data, name string) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	inside, err := filepath.Rel(data, name)
	if err != nil {
		return err
	}
	if !isStateName(filepath.ToSlash(inside)) {
		// It is nothing of a sandbox, and no import would take it.
		return nil
	}
	header := &tar.Header{Name: filepath.ToSlash(inside), Size: info.Size(), Mode: 0o600, ModTime: info.ModTime()}
	if err := archive.WriteHeader(header); err != nil {
		return err
	}
	_, err = io.CopyN(archive, f, info.Size())
	return err
}

// Import replaces the tables, users and logs of a sandbox with the content of an archive
// of Export. An archive that is damaged, lacks tables or users that are here, or holds more
// than the limits allow, changes nothing. The error is a *RunningError while a sandbox is running.
func Import(state string, r io.Reader, limits ImportLimits) error {
	return whileOwned(state, func() error {
		next := filepath.Join(state, nextData)
		lacks, err := readArchive(r, next, limits)
		if err == nil {
			err = checkImported(next, lacks, filepath.Join(state, DataFolder))
		}
		if err == nil {
			err = replaceData(state)
		}
		if err != nil {
			_ = file.RemoveAll(next)
			return fmt.Errorf("importing the sandbox's state: %w", err)
		}
		return nil
	})
}

// errArchive is the error for a file that Export did not write.
var errArchive = errors.New("this is not an export of a sandbox, or it is damaged; make one with: gatewright " +
	"sandbox export FILE")

// readArchive unpacks an archive into a new folder, and nothing outside of it. lacks is what
// the archive says it has not.
func readArchive(r io.Reader, folder string, limits ImportLimits) (lacks []string, err error) {
	from := &counted{from: r}
	unpacked, err := gzip.NewReader(from)
	if err != nil {
		return nil, errArchive
	}
	packed := &limited{from: unpacked, archived: from, limits: limits}
	archive := tar.NewReader(packed)
	if err := os.Mkdir(folder, 0o700); err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(folder)
	if err != nil {
		return nil, err
	}
	defer func() { _ = root.Close() }()
	var m manifest
	for {
		header, err := archive.Next()
		if errors.Is(err, io.EOF) {
			// The checksum follows the last file.
			if _, err := io.Copy(io.Discard, packed); err != nil || m.Version == 0 {
				return nil, archiveError(cmp.Or(err, errArchive))
			}
			return m.Lacks, nil
		}
		if err != nil {
			return nil, archiveError(err)
		}
		if header.Name == manifestFile && m.Version == 0 {
			if m, err = readManifest(archive); err != nil {
				return nil, err
			}
			continue
		}
		if err := packed.begin(header.Name, header.Size); err != nil {
			return nil, err
		}
		if header.Typeflag != tar.TypeReg || isSparse(header) || !isStateName(header.Name) {
			return nil, fmt.Errorf("the archive has %s, which is not a file of a sandbox; make one with: gatewright "+
				"sandbox export FILE", phrase.Quote(header.Name))
		}
		if err := unpack(root, header.Name, archive); err != nil {
			return nil, err
		}
	}
}

// isStateName reports whether a file of a sandbox may have a name: a path below the data folder
// without a character that a system forbids in names or that a terminal would obey.
func isStateName(name string) bool {
	for i := range len(name) {
		if c := name[i]; c < ' ' || c > '~' || strings.IndexByte(`\:*?"<>|`, c) >= 0 {
			return false
		}
	}
	return fs.ValidPath(name) && filepath.IsLocal(filepath.FromSlash(name))
}

// isSparse reports whether a file has holes, of which an archive holds nothing
// (https://www.gnu.org/software/tar/manual/html_section/Sparse-Formats.html).
func isSparse(header *tar.Header) bool {
	for name := range header.PAXRecords {
		if strings.HasPrefix(name, "GNU.sparse.") {
			return true
		}
	}
	return false
}

// archiveError is the error for what made reading an archive fail.
func archiveError(err error) error {
	if err == nil {
		return nil
	}
	if large, ok := errors.AsType[*tooLargeError](err); ok {
		return large
	}
	return errArchive
}

// checkImported checks the tables and users that were unpacked. Those that are here are not
// replaced by none, unless the archive says that there were none.
func checkImported(folder string, lacks []string, present string) error {
	for _, name := range []string{TableFile, UserFile} {
		if isEmpty(filepath.Join(folder, name)) && !slices.Contains(lacks, name) && !isEmpty(filepath.Join(present, name)) {
			return fmt.Errorf("the archive has no %s, and this sandbox has one, which would be lost; nothing is imported; "+
				"import another export, or give up what is here first with: gatewright sandbox reset", name)
		}
		// An archive that says what it lacks was written with them.
		if sums := name + pages.Suffix; lacks != nil && !isEmpty(filepath.Join(folder, name)) &&
			isEmpty(filepath.Join(folder, sums)) {
			return fmt.Errorf("the archive has %s without %s, so it is not known whether all of it is there; nothing is "+
				"imported; import another export", name, sums)
		}
		damage, err := damageOf(filepath.Join(folder, name))
		if err != nil {
			return err
		}
		if damage != nil {
			return fmt.Errorf("the archive's file %s is damaged: page %d: %s; import another export", name,
				damage.Page, damage.What)
		}
	}
	return nil
}

// isEmpty reports whether there is no file of that name with anything in it.
func isEmpty(name string) bool {
	info, err := os.Lstat(name)
	return err != nil || info.Size() == 0
}

func readManifest(archive io.Reader) (m manifest, err error) {
	const enough = 1 << 10
	if err := json.NewDecoder(io.LimitReader(archive, enough)).Decode(&m); err != nil {
		return m, errArchive
	}
	if m.Version != archiveVersion {
		return m, fmt.Errorf("the archive has version %d, and this gatewright reads version %d; use the gatewright "+
			"that wrote it", m.Version, archiveVersion)
	}
	return m, nil
}

func unpack(root *os.Root, name string, from io.Reader) error {
	name = filepath.FromSlash(name)
	err := root.MkdirAll(filepath.Dir(name), 0o700)
	var f *os.File
	if err == nil {
		f, err = root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	}
	if errors.Is(err, fs.ErrExist) || errors.Is(err, syscall.ENOTDIR) {
		return fmt.Errorf("the archive has %s twice, or a file in the place of a folder; make one with: gatewright "+
			"sandbox export FILE", phrase.Quote(filepath.ToSlash(name)))
	}
	if err != nil {
		return err
	}
	to := written{f: f}
	if _, err = io.Copy(&to, from); err != nil && to.err == nil {
		err = archiveError(err)
	}
	if closed := f.Close(); err == nil {
		err = closed
	}
	return err
}

// written remembers an error of writing, which is no fault of an archive.
type written struct {
	f   *os.File
	err error
}

func (w *written) Write(b []byte) (n int, err error) {
	n, w.err = w.f.Write(b)
	return n, w.err
}

// replaceData puts the imported data in the place of the old data. If the process is
// killed in between, settleImport finishes the work.
func replaceData(state string) error {
	data, next, last := filepath.Join(state, DataFolder), filepath.Join(state, nextData), filepath.Join(state, lastData)
	err := file.Rename(data, last)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := file.Rename(next, data); err != nil {
		return errors.Join(err, file.Rename(last, data))
	}
	return file.RemoveAll(last)
}

// settleImport cleans up after an import that was killed: it keeps the new data if that
// was in place, and otherwise the old data.
func settleImport(state string) error {
	data, last := filepath.Join(state, DataFolder), filepath.Join(state, lastData)
	if _, err := os.Lstat(data); errors.Is(err, fs.ErrNotExist) {
		if err := file.Rename(last, data); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return errors.Join(file.RemoveAll(last), file.RemoveAll(filepath.Join(state, nextData)))
}

// whileOwned calls do while this process owns a state folder, so that no sandbox runs in it.
func whileOwned(state string, do func() error) error {
	o, err := Own(state)
	if err != nil {
		return err
	}
	return errors.Join(do(), o.Release())
}
