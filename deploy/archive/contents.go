package archive

import (
	"archive/zip"
	"cmp"
	"encoding/csv"
	"encoding/json"
	"io"
	"path"
	"slices"
	"strconv"
	"strings"

	"gatewright/internal/source"
	"gatewright/model"
	"gatewright/sandbox/prepare"
)

// Contents are what an archive has.
type Contents struct {
	// Files is the number of files.
	Files int
	// Packages are those that are installed in it, the largest first.
	Packages []Package
}

// Package is an installed package, as a report has it.
type Package struct {
	Name    string `json:"name"`
	Version string `json:"version"`
	// Range is what src/package.json says, "" for a package that another one brings; From is own,
	// registry or folder.
	Range string `json:"range"`
	From  string `json:"from"`
	Bytes int64  `json:"bytes"`
	Files int    `json:"files"`
}

// Read reads what the archive of a source has.
func (a Archive) Read(s Source) (Contents, error) {
	archive, err := zip.OpenReader(a.File)
	if err != nil {
		return Contents{}, err
	}
	defer func() { _ = archive.Close() }()
	c := Contents{Files: len(archive.File)}
	found := make(map[string]*Package)
	for _, f := range archive.File {
		folder, name, rest := packageIn(f.Name)
		if info, isInfo := strings.CutSuffix(path.Base(path.Dir(f.Name)), ".dist-info"); s.Runtime == model.Python && isInfo {
			// The list of its files says which are a package's.
			if path.Base(f.Name) == "RECORD" {
				name, version, _ := strings.Cut(info, "-")
				found[name] = recorded(f, &Package{Name: name, Version: version})
			}
			continue
		}
		if name == "" {
			continue
		}
		p := found[folder]
		if p == nil {
			p = &Package{Name: name}
			found[folder] = p
		}
		p.Files++
		p.Bytes += int64(f.UncompressedSize64)
		if rest == "package.json" {
			p.Version = versionIn(f)
		}
	}
	ranges, isListed := source.Ranges(s.Folder)
	w := &work{Source: s, packager: prepare.NewPackager("", nil).For(s.RuntimeName, s.Architecture)}
	// The archive could be made of it.
	wanted, _ := w.packages()
	for at, p := range found {
		p.From = "registry"
		if at == p.Name {
			p.Range = ranges[p.Name]
		}
		switch {
		case s.Runtime == model.NodeJS && !isListed:
			p.From = "own"
		case wanted[""].Members[p.Name] != "":
			p.From = "folder"
		}
		c.Packages = append(c.Packages, *p)
	}
	slices.SortFunc(c.Packages, func(a, b Package) int {
		return cmp.Or(cmp.Compare(b.Bytes, a.Bytes), strings.Compare(a.Name, b.Name))
	})
	return c, nil
}

// packageIn returns the folder and the name of the package of Node.js that a file belongs to, "" for
// none, and the file's name in that.
func packageIn(file string) (folder, name, rest string) {
	const modules = "node_modules/"
	start := strings.LastIndex("/"+file, "/"+modules)
	if start < 0 {
		return "", "", ""
	}
	inside := file[start+len(modules):]
	parts := strings.SplitN(inside, "/", 3)
	n := 1
	if strings.HasPrefix(inside, "@") {
		n = 2
	}
	if len(parts) <= n {
		return "", "", ""
	}
	name = strings.Join(parts[:n], "/")
	return file[:start] + name, name, strings.Join(parts[n:], "/")
}

// recorded adds to a package of Python what the list of its files says: rows of a path, a hash and a size
// (https://packaging.python.org/en/latest/specifications/recording-installed-packages/).
func recorded(f *zip.File, p *Package) *Package {
	reader, err := f.Open()
	if err != nil {
		return p
	}
	defer func() { _ = reader.Close() }()
	// What is before a row that cannot be read counts.
	rows, _ := csv.NewReader(reader).ReadAll()
	for _, row := range rows {
		// The list itself and what Python makes have no size.
		size, _ := strconv.ParseInt(row[len(row)-1], 10, 64)
		p.Files, p.Bytes = p.Files+1, p.Bytes+size
	}
	return p
}

func versionIn(f *zip.File) string {
	reader, err := f.Open()
	if err != nil {
		return ""
	}
	defer func() { _ = reader.Close() }()
	text, _ := io.ReadAll(io.LimitReader(reader, 1<<20))
	var manifest struct{ Version string }
	// A package without one has no version.
	_ = json.Unmarshal(text, &manifest)
	return manifest.Version
}
