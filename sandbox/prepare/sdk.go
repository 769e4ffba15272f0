package prepare

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"gatewright/internal/file"
	"gatewright/internal/file/fingerprint"
	"gatewright/internal/source"
	"gatewright/internal/text/lazyregexp"
	"gatewright/internal/text/phrase"
	"gatewright/sandbox/function"
)

// Here the packages of the AWS SDK that the runtime brings and that functions use are kept in
// the cache (see package source).

// hasSDK2 reports whether the function's runtime brings version 2 of the AWS SDK.
func hasSDK2(s *function.Spec) bool { return source.HasSDK2(s.RuntimeName) }

// bringsPackage reports whether the function's runtime brings a package.
func bringsPackage(s *function.Spec, name string) bool {
	if hasSDK2(s) {
		return name == source.SDK2
	}
	return strings.HasPrefix(name, "@aws-sdk/") || strings.HasPrefix(name, "@smithy/")
}

// runtimePackages returns the folder of the cache with the packages of the runtime that
// a function uses and that neither its packages nor its layers have.
func (p *Preparer) runtimePackages(
	ctx context.Context, s *function.Spec, uses imports, has func(name string) bool,
) (cached, error) {
	p.mu.Lock()
	missed := p.missed[s.Folder]
	p.mu.Unlock()
	wanted := make(map[string]bool)
	for name := range uses.packages {
		if bringsPackage(s, name) && !has(name) {
			wanted[name] = true
		}
	}
	for _, name := range missed {
		if bringsPackage(s, name) {
			wanted[name] = true
		}
	}
	if len(wanted) == 0 {
		return cached{}, nil
	}
	names := slices.Sorted(maps.Keys(wanted))
	node, err := p.nodeVersion(s)
	if err != nil {
		return cached{}, errorOf(s, err)
	}
	sum := fingerprint.New()
	sum.Text(node + " " + strings.Join(names, " "))
	folder := filepath.Join(p.cache, "sdk", sum.String()[:32])
	if p.complete(folder) {
		return cached{folder: folder, stamp: sum.String()}, nil
	}
	if err := p.once(ctx, s, "sdk "+folder,
		func(ctx context.Context) error { return p.installSDK(ctx, s, names, folder) }); err != nil {
		return cached{}, err
	}
	return cached{folder: folder, stamp: sum.String()}, nil
}

// installSDK installs packages of the runtime into a folder of the cache.
func (p *Preparer) installSDK(ctx context.Context, s *function.Spec, names []string, folder string) error {
	p.pruneCache()
	return p.filled(folder, func(unfinished string) error {
		ranges := make(map[string]string)
		for _, name := range names {
			switch {
			case name == source.SDK2:
				ranges[name] = source.SDK2Version
			case strings.HasPrefix(name, "@aws-sdk/"):
				ranges[name] = "^3"
			default:
				ranges[name] = "*"
			}
		}
		text, err := json.Marshal(map[string]any{"private": true, "dependencies": ranges})
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(unfinished, "package.json"), text, 0o600); err != nil {
			return notPrepared("the AWS SDK cannot be installed: "+reason(err), "make "+phrase.Quote(p.cache)+" writable")
		}
		began := time.Now()
		p.report(s, function.EventInstall, "installing "+strings.Join(names, ", ")+", which the cloud's runtime has")
		lines, err := tool{
			command: append([]string{
				"npm", "install", "--omit=dev", "--no-audit", "--no-fund", "--no-update-notifier",
				"--no-progress", "--color=false",
			}, patience...),
			dir: unfinished, log: p.logFile("npm", folder),
		}.run(ctx)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			return p.npmFailed(s, "npm install of the AWS SDK", lines, err,
				"put "+strings.Join(names, ", ")+" into its package.json")
		}
		p.report(s, function.EventInstall, "the AWS SDK is installed in "+took(began))
		return nil
	})
}

// imports are what the files of a function import.
type imports struct {
	// packages are the names of packages of the AWS SDK.
	packages map[string]bool
	// modules means that some file is an ES module or loads one.
	modules bool
}

var (
	sdkImport    = lazyregexp.New("[\"'`]((?:aws-sdk|@aws-sdk/[a-z0-9][a-z0-9-]*|@smithy/[a-z0-9][a-z0-9-]*))(?:/[^\"'`]*)?[\"'`]")
	moduleImport = lazyregexp.New(`\bimport\s*\(|(?m)^\s*(?:import|export)\b`)
)

// The limits of reading imports: files, and bytes of one.
const (
	mostSources = 2000
	largestRead = 2 << 20
)

// eachScript calls do with each script below a folder, also with those behind links, until do returns
// false. read reads its text; one that cannot be read has none.
func eachScript(
	folder string, endings []string, count *int, do func(name string, info fs.FileInfo, read func() []byte) (more bool),
) {
	// What was read before an error counts.
	_ = fingerprint.EachFile(folder, func(name string, info fs.FileInfo) error {
		if !info.Mode().IsRegular() || !slices.Contains(endings, path.Ext(name)) {
			return nil
		}
		if *count++; *count > mostSources {
			return fs.SkipAll
		}
		if info.Size() > largestRead {
			return nil
		}
		if !do(name, info, func() []byte {
			text, _ := file.ReadRegular(filepath.Join(folder, filepath.FromSlash(name)))
			return text
		}) {
			return fs.SkipAll
		}
		return nil
	})
}

// script is what a file imported when it looked so.
type script struct {
	looks   string
	imports imports
}

// readImports reads what the scripts below folders import. It finds names in quotes: a package that is named
// in another way is found missing when the function starts. Files that look as they did are not read again.
func (p *Preparer) readImports(folders []string) imports {
	found := imports{packages: make(map[string]bool)}
	count := 0
	for _, folder := range folders {
		eachScript(folder, []string{".js", ".mjs", ".cjs"}, &count, func(name string, info fs.FileInfo, read func() []byte) bool {
			at, looks := filepath.Join(folder, name), fmt.Sprint(info.Size(), info.ModTime().UnixNano())
			p.mu.Lock()
			one := p.scripts[at]
			p.mu.Unlock()
			if one.looks != looks {
				text := read()
				one = script{looks, imports{packages: make(map[string]bool)}}
				for _, match := range sdkImport().FindAllSubmatch(text, -1) {
					one.imports.packages[string(match[1])] = true
				}
				one.imports.modules = path.Ext(name) == ".mjs" || moduleImport().Match(text)
				p.mu.Lock()
				p.scripts[at] = one
				p.mu.Unlock()
			}
			maps.Copy(found.packages, one.imports.packages)
			found.modules = found.modules || one.imports.modules
			return true
		})
	}
	return found
}

// addPackages adds the packages of the AWS SDK among names as an import has them.
func (i *imports) addPackages(names []string) {
	for _, name := range names {
		if match := sdkImport().FindStringSubmatch(`"` + name + `"`); match != nil {
			i.packages[match[1]] = true
		}
	}
}

var missingModule = lazyregexp.New(`Cannot find (?:module|package) '((?:aws-sdk|@aws-sdk/[a-z0-9][a-z0-9-]*|@smithy/[a-z0-9][a-z0-9-]*))`)

// MissedPackage notes a package of the runtime that a start did not find, and reports
// whether another start will.
func (p *Preparer) MissedPackage(s *function.Spec, text string) bool {
	found := missingModule().FindStringSubmatch(text)
	if found == nil || !bringsPackage(s, found[1]) {
		return false
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if slices.Contains(p.missed[s.Folder], found[1]) {
		return false
	}
	p.missed[s.Folder] = append(p.missed[s.Folder], found[1])
	return true
}
