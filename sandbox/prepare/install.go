package prepare

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"gatewright/internal/file"
	"gatewright/internal/file/fingerprint"
	"gatewright/internal/source/workspace"
	"gatewright/internal/text/lazyregexp"
	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/sandbox/function"
)

// Packages are installed into the cache of the user, from copies of the files that list
// them: nothing is written next to a function's source. A folder of the cache is named
// after what is in it and never changes, so all projects and environments share it.

// cached is a folder of the cache with installed packages.
type cached struct {
	// folder holds node_modules, "" for none; stamp is the fingerprint of what was installed.
	folder, stamp string
	// members are the folders of packages in the project, by their names.
	members map[string]string
}

// has reports whether a package is in it.
func (c cached) has(name string) bool {
	return c.members[name] != "" || c.folder != "" &&
		isThere(filepath.Join(c.folder, "node_modules", filepath.FromSlash(name), "package.json"))
}

func isThere(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}

// cacheUse is how long an unused folder of the cache is kept.
const cacheUse = 60 * 24 * time.Hour

// installed returns the folder of the cache with the packages that a folder's files
// list, which it installs if they are missing.
func (p *Preparer) cached(ctx context.Context, s *function.Spec, wanted *packages) (cached, error) {
	node, err := p.nodeVersion(s)
	if err != nil {
		return cached{}, errorOf(s, err)
	}
	return p.inCache(ctx, s, wanted, packagesStamp(wanted, node+" "+runtime.GOOS+" "+runtime.GOARCH))
}

// packagesStamp returns the fingerprint of packages that are installed for a machine.
func packagesStamp(wanted *packages, machine string) string {
	sum := fingerprint.New()
	sum.Text(wanted.stamp)
	// The number changes with the ways to install.
	sum.Text(machine + " 2")
	return sum.String()
}

// inCache returns the folder of the cache with the packages of a stamp, which it installs
// if they are missing.
func (p *Preparer) inCache(ctx context.Context, s *function.Spec, wanted *packages, stamp string) (cached, error) {
	folder := p.packagesFolder(stamp)
	if p.complete(folder) {
		return cached{folder: folder, stamp: stamp}, nil
	}
	err := p.tried(ctx, s, "packages "+folder,
		func(ctx context.Context) error { return p.install(ctx, s, wanted, folder) })
	if err != nil {
		return cached{}, err
	}
	return cached{folder: folder, stamp: stamp}, nil
}

func (p *Preparer) packagesFolder(stamp string) string {
	return filepath.Join(p.cache, "packages", stamp[:32])
}

func (p *Preparer) pythonFolder(stamp string) string {
	return filepath.Join(p.cache, "python", stamp[:32])
}

// complete reports whether a folder of the cache is there. It gets its name when it is
// complete; its time says when it was used last.
func (p *Preparer) complete(folder string) bool {
	info, err := os.Stat(folder)
	if err != nil || !info.IsDir() {
		return false
	}
	if now := time.Now(); now.Sub(info.ModTime()) > time.Hour {
		_ = os.Chtimes(folder, now, now)
	}
	return true
}

// nodeVersion returns the major version of Node.js, for which native packages are built.
func (p *Preparer) nodeVersion(s *function.Spec) (string, error) {
	found, ok := FindInterpreter(&function.Spec{Runtime: model.NodeJS, RuntimeName: s.RuntimeName}, p.cache)
	if !ok {
		return "", noRuntime("Node.js is not installed", "install Node.js 20 or later, or add it to PATH as node")
	}
	major, _, _ := strings.Cut(cmp.Or(found.Version, versionOf(found.Path)), ".")
	if major == "" {
		return "", noRuntime("Node.js does not start: "+phrase.Quote(found.Path)+" does not say its version",
			"install Node.js 20 or later")
	}
	return major, nil
}

// install installs packages into a folder of the cache.
func (p *Preparer) install(ctx context.Context, s *function.Spec, wanted *packages, folder string) error {
	if p.complete(folder) {
		return nil
	}
	if _, err := exec.LookPath("npm"); err != nil {
		return noRuntime("its packages are not installed, and npm is not installed either", "install Node.js with npm")
	}
	p.pruneCache()
	return p.filled(folder, func(unfinished string) error {
		if err := wanted.copyTo(unfinished); err != nil {
			return notPrepared("its list of packages cannot be copied: "+reason(err),
				"make "+phrase.QuotePath(wanted.folder)+" readable")
		}
		began := time.Now()
		if err := p.runInstallers(ctx, s, wanted, unfinished, began); err != nil {
			return err
		}
		if p.lambda {
			if err := checkNative(unfinished, wanted.architecture); err != nil {
				return err
			}
		}
		// Settings may have the token of a registry.
		for _, name := range workspace.SettingFiles {
			_ = os.Remove(filepath.Join(unfinished, name))
		}
		if wanted.unfollowed != "" {
			p.Warn(s, wanted.unfollowed+" at the root of its workspace is not followed: "+
				"its packages have the newest versions that package.json allows")
		}
		p.report(s, function.EventInstall, "packages are installed in "+took(began))
		return nil
	})
}

// filled makes a folder of the cache: do fills a new folder, which gets its name when it
// is complete. Another process may have made it meanwhile.
func (p *Preparer) filled(folder string, do func(unfinished string) error) (err error) {
	parent := filepath.Dir(folder)
	defer ofDisk(&err, parent)
	noFolder := func(err error) error {
		return notPrepared("no folder can be made for the packages: "+reason(err),
			"make "+phrase.QuotePath(parent)+" writable")
	}
	if err := os.MkdirAll(parent, 0o700); err != nil {
		return noFolder(err)
	}
	unfinished, err := os.MkdirTemp(parent, Unfinished)
	if err != nil {
		return noFolder(err)
	}
	defer func() { _ = file.RemoveAll(unfinished) }()
	if err := do(unfinished); err != nil {
		return err
	}
	if err := file.Rename(unfinished, folder); err != nil && !p.complete(folder) {
		return noFolder(err)
	}
	return nil
}

// Unfinished begins the names of folders that are being filled.
const Unfinished = "new-"

// pruneCache removes folders of the cache that nobody used for long, once.
func (p *Preparer) pruneCache() {
	p.pruned.Do(func() {
		for _, kind := range []string{"packages", "sdk", "python", "archives"} {
			prune(filepath.Join(p.cache, kind), cacheUse, "")
		}
		prune(allTasks(p.cache), cacheUse, "")
	})
}

// prune removes from a folder what nobody used for a time, and what was not finished for a day, but for one.
func prune(folder string, limit time.Duration, present string) {
	// A missing folder has no entries.
	entries, _ := os.ReadDir(folder)
	for _, entry := range entries {
		at, most := filepath.Join(folder, entry.Name()), limit
		if strings.HasPrefix(entry.Name(), Unfinished) {
			most = min(limit, 24*time.Hour)
		}
		if info, err := entry.Info(); err == nil && at != present && time.Since(info.ModTime()) > most {
			_ = file.RemoveAll(at)
		}
	}
}

// runInstallers runs the ways to install until one succeeds. A later one is more
// lenient; a missing network ends the attempts.
func (p *Preparer) runInstallers(
	ctx context.Context, s *function.Spec, wanted *packages, place string, began time.Time,
) error {
	var failed error
	for _, way := range wanted.ways() {
		lines, err := p.runInstaller(ctx, s, wanted, way, place, began)
		if err != nil && ctx.Err() == nil && isScript(lines) && !p.lambda {
			// A script fails where a compiler or a host is missing.
			way = way.withoutScripts()
			lines, err = p.runInstaller(ctx, s, wanted, way, place, began)
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err == nil {
			if way.warning != "" {
				p.Warn(s, way.warning)
			}
			return nil
		}
		failed = p.npmFailed(s, way.name, lines, err, "run it in "+phrase.QuotePath(wanted.folder))
		// A locked version may be gone where the newest one is not.
		if isFinal(lines, unreachable) || isFinal(lines, final) && !wanted.isLocked() || full().MatchString(failed.Error()) {
			return failed
		}
	}
	return failed
}

// runInstaller runs one way to install, and reports its progress.
func (p *Preparer) runInstaller(
	ctx context.Context, s *function.Spec, wanted *packages, w way, place string, began time.Time,
) ([]string, error) {
	if err := file.RemoveAll(filepath.Join(place, "node_modules")); err != nil {
		return nil, err
	}
	p.report(s, function.EventInstall, "installing packages ("+w.name+")")
	downloads, reported := 0, began
	program := tool{
		command: w.command, env: wanted.withSettings(ctx, w), dir: place,
		log: p.logFile(strings.Fields(w.name)[0], wanted.folder),
		onLine: func(line string) {
			if strings.Contains(line, "http fetch GET") {
				downloads++
			}
			if now := time.Now(); now.Sub(reported) >= 2*time.Second {
				reported = now
				text := "installing packages: " + took(began)
				if downloads > 0 {
					text = "installing packages: " + phrase.Count(downloads, "download") + " in " + took(began)
				}
				p.report(s, function.EventInstall, text)
			}
		},
	}
	secrets := wanted.credentials()
	if w.bare || len(secrets) == 0 {
		program.env = append(program.env, secrets...)
		return program.run(ctx)
	}
	// What enters the registries fetches the packages, and runs none of them.
	fetch := program
	bare := w.withoutScripts()
	fetch.command, fetch.env = bare.command, slices.Concat(wanted.withSettings(ctx, bare), secrets)
	lines, err := fetch.run(ctx)
	if err != nil {
		return lines, err
	}
	switch program.command = w.rebuild; {
	case w.rebuild == nil:
		program.command = strings.Fields("npm rebuild --no-update-notifier --no-progress --color=false --loglevel=http")
	case len(w.rebuild) == 0:
		p.Warn(s, "the installation scripts of its packages were left out: bun would give them the credentials of "+
			"its registries")
		return lines, nil
	}
	return program.run(ctx)
}

// final are npm's codes of errors that a more lenient way would meet again.
var final = []string{"E401", "E403", "E404", "ETARGET", "EACCES", "EJSONPARSE"}

func isFinal(lines, codes []string) bool {
	return slices.ContainsFunc(lines, func(line string) bool {
		return slices.ContainsFunc(codes, func(code string) bool { return strings.HasSuffix(line, " code "+code) })
	})
}

// scriptFailed matches the lines of package managers about a script that failed: npm has
// its exit code as the code of the error.
var scriptFailed = lazyregexp.New(`^npm (?:error|ERR!) code (?:[0-9]+|ELIFECYCLE)$|: Command failed\.$|ELIFECYCLE|couldn't be built successfully`)

func isScript(lines []string) bool { return slices.ContainsFunc(lines, scriptFailed().MatchString) }

// copyTo copies what an installation reads into a folder.
func (p *packages) copyTo(folder string) error {
	files, err := p.manifests()
	if err != nil {
		return err
	}
	maps.Copy(files, p.files)
	for name, text := range files {
		target := filepath.Join(folder, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(target), 0o700), os.WriteFile(target, text, 0o600)); err != nil {
			return err
		}
	}
	return nil
}
