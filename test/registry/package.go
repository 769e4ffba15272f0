package registry

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"path"
	"slices"
	"strings"
	"time"
)

// Package is one version of a package, as a registry delivers it: for npm, or a wheel or a source
// distribution of Python. The same files make the same bytes.
type Package struct {
	name, version string
	// file is the name of the packed package.
	file   string
	packed []byte
	time   time.Time
	python bool
	// manifest is the package.json of a package for npm.
	manifest map[string]any
	// metadata is that of a wheel.
	metadata []byte
	// err is why it could not be packed.
	err error
}

// Node returns a package for npm. Its files may have a package.json, in which the name and the
// version can be left out; without an index.js it exports its version.
func Node(name, version string, files map[string]string) Package {
	manifest := make(map[string]any)
	if text, ok := files["package.json"]; ok {
		if err := json.Unmarshal([]byte(text), &manifest); err != nil {
			return Package{name: name, version: version, err: err}
		}
	}
	manifest["name"], manifest["version"] = name, version
	text, err := json.MarshalIndent(manifest, "", "  ")
	if err != nil {
		return Package{name: name, version: version, err: err}
	}
	all := map[string]string{"index.js": fmt.Sprintf("module.exports = %q\n", version)}
	maps.Copy(all, files)
	all["package.json"] = string(text) + "\n"
	return packedNode(path.Base(name)+"-"+version+".tgz", tarball("package", all))
}

// packedNode returns a package that was packed for npm.
func packedNode(file string, packed []byte) Package {
	p := Package{file: file, packed: packed}
	if p.manifest, p.time, p.err = manifestOf(packed); p.err != nil {
		return p
	}
	p.name, _ = p.manifest["name"].(string)
	p.version, _ = p.manifest["version"].(string)
	if p.name == "" || p.version == "" {
		p.err = errors.New("package.json has no name or no version")
	}
	return p
}

// manifestOf returns the package.json of a packed package, and its time.
func manifestOf(packed []byte) (map[string]any, time.Time, error) {
	plain, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, time.Time{}, err
	}
	for files := tar.NewReader(plain); ; {
		header, err := files.Next()
		if errors.Is(err, io.EOF) {
			return nil, time.Time{}, errors.New("there is no package.json")
		}
		if err != nil {
			return nil, time.Time{}, err
		}
		if header.Name == "package/package.json" {
			var manifest map[string]any
			err := json.NewDecoder(files).Decode(&manifest)
			return manifest, header.ModTime.UTC(), err
		}
	}
}

// Wheel returns a wheel of Python with some files. Without a module it has one that says its
// version. In its folder NAME-VERSION.dist-info METADATA and WHEEL are written unless they are among
// the files, and so are the name and the version that METADATA begins with. The tag of the file is
// the one that WHEEL has.
func Wheel(name, version string, files map[string]string) Package {
	module := strings.ReplaceAll(normal(name), "-", "_")
	info := module + "-" + version + ".dist-info/"
	all := maps.Clone(files)
	if all == nil {
		all = make(map[string]string)
	}
	if !slices.ContainsFunc(slices.Collect(maps.Keys(all)),
		func(file string) bool { return !strings.HasPrefix(file, info) }) {
		all[module+".py"] = fmt.Sprintf("version = %q\n", version)
	}
	all[info+"METADATA"] = metadataOf(name, version, files[info+"METADATA"])
	if all[info+"WHEEL"] == "" {
		all[info+"WHEEL"] = "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
	}
	_, tag, _ := strings.Cut(all[info+"WHEEL"], "Tag: ")
	tag, _, _ = strings.Cut(tag, "\n")
	var record strings.Builder
	for _, file := range slices.Sorted(maps.Keys(all)) {
		sum := sha256.Sum256([]byte(all[file]))
		fmt.Fprintf(&record, "%s,sha256=%s,%d\n", file, base64.RawURLEncoding.EncodeToString(sum[:]), len(all[file]))
	}
	all[info+"RECORD"] = record.String() + info + "RECORD,,\n"
	p := Package{
		name: name, version: version, file: module + "-" + version + "-" + tag + ".whl",
		packed: zipped(all), time: released, python: true, metadata: []byte(all[info+"METADATA"]),
	}
	if tag == "" {
		p.err = errors.New("WHEEL has no tag")
	}
	return p
}

// Sdist returns a source distribution of Python with some files, to which PKG-INFO is added.
func Sdist(name, version string, files map[string]string) Package {
	folder := strings.ReplaceAll(normal(name), "-", "_") + "-" + version
	all := maps.Clone(files)
	all["PKG-INFO"] = metadataOf(name, version, files["PKG-INFO"])
	return Package{
		name: name, version: version, file: folder + ".tar.gz", packed: tarball(folder, all), time: released, python: true,
	}
}

// metadataOf returns the metadata of a package of Python with more fields.
func metadataOf(name, version, more string) string {
	return "Metadata-Version: 2.1\nName: " + name + "\nVersion: " + version + "\n" + more
}

// index is the name by which the package is looked up.
func (p Package) index() string {
	if p.python {
		return normal(p.name)
	}
	return p.name
}

// path is where the registry has the packed package.
func (p Package) path() string {
	if p.python {
		return "files/" + p.file
	}
	return p.name + "/-/" + p.file
}

// File is the name of the packed package, such as left-1.0.0.tgz.
func (p Package) File() string { return p.file }

// Packed is the packed package.
func (p Package) Packed() []byte { return p.packed }

// Integrity is what npm writes to a lock.
func (p Package) Integrity() string {
	sum := sha512.Sum512(p.packed)
	return "sha512-" + base64.StdEncoding.EncodeToString(sum[:])
}

func (p Package) shasum() string {
	sum := sha1.Sum(p.packed)
	return hex.EncodeToString(sum[:])
}

func sum256(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// isProgram reports whether a file begins as a script does, which is then executable.
func isProgram(text string) bool { return strings.HasPrefix(text, "#!") }

// tarball packs files into a folder of a tar file. Nothing can fail in memory.
func tarball(folder string, files map[string]string) []byte {
	var data bytes.Buffer
	compressed := gzip.NewWriter(&data)
	archive := tar.NewWriter(compressed)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		header := &tar.Header{
			Name: folder + "/" + name, Mode: 0o644, Size: int64(len(files[name])), ModTime: released,
			Format: tar.FormatUSTAR,
		}
		if isProgram(files[name]) {
			header.Mode = 0o755
		}
		_ = archive.WriteHeader(header)
		_, _ = archive.Write([]byte(files[name]))
	}
	_ = archive.Close()
	_ = compressed.Close()
	return data.Bytes()
}

// zipped packs files into a zip file.
func zipped(files map[string]string) []byte {
	var data bytes.Buffer
	archive := zip.NewWriter(&data)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		header := &zip.FileHeader{Name: name, Method: zip.Deflate, Modified: released}
		header.SetMode(0o644)
		if isProgram(files[name]) {
			header.SetMode(0o755)
		}
		if w, err := archive.CreateHeader(header); err == nil {
			_, _ = w.Write([]byte(files[name]))
		}
	}
	_ = archive.Close()
	return data.Bytes()
}
