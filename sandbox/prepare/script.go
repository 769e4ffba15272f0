package prepare

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"gatewright/internal/file"
	"gatewright/internal/file/fingerprint"
	"gatewright/internal/text/phrase"
	"gatewright/sandbox/artifact"
	"gatewright/sandbox/function"
	"gatewright/sandbox/logs"
)

// built runs the script of a function in a copy of its folder, and returns the copy of
// its source. The rest of the project is reached through links.
func (p *Preparer) built(ctx context.Context, s *function.Spec) (source string, err error) {
	stamp, err := p.contentStamp(s.Folder)
	if err != nil {
		return "", notPrepared("its folder cannot be read: "+reason(err), "make it a folder that you can read").forFunction(s)
	}
	sum := fingerprint.New()
	sum.Text(stamp + s.Folder + s.Build.Command)
	for _, name := range []string{"package.json", "tsconfig.json"} {
		// A missing file changes nothing.
		_ = sum.File(name, filepath.Join(s.Build.Root, name))
	}
	inside, err := filepath.Rel(file.RealPath(s.Build.Root), file.RealPath(s.Folder))
	if err != nil || !filepath.IsLocal(inside) {
		return "", notPrepared("its folder is not in the project", "move it there").forFunction(s)
	}
	place := filepath.Join(p.state, "build", s.Name, sum.String()[:32])
	source = filepath.Join(place, inside, "src")
	if isBuilt(place) {
		return source, nil
	}
	err = p.tried(ctx, s, "build "+place, func(ctx context.Context) error { return p.runScript(ctx, s, inside, place) })
	return source, err
}

func (p *Preparer) runScript(ctx context.Context, s *function.Spec, inside, place string) (err error) {
	defer ofDisk(&err, filepath.Dir(place))
	if isBuilt(place) {
		return nil
	}
	if _, err := exec.LookPath("npm"); err != nil {
		return noRuntime("its script "+s.Build.Script+" needs npm, which is not installed", "install Node.js with npm")
	}
	// The copy has its name already while the script runs, which may write absolute paths.
	if err := errors.Join(file.RemoveAll(place), os.MkdirAll(place, 0o700)); err != nil {
		return notPrepared("no folder can be made for its script: "+reason(err), "make the state folder writable")
	}
	fail := func(err error) error {
		_ = file.RemoveAll(place)
		return err
	}
	if err := mirror(s.Build.Root, place, inside); err != nil {
		return fail(notPrepared("its folder cannot be copied: "+reason(err), "make it readable"))
	}
	modules, err := p.rootModules(ctx, s, place)
	if err != nil {
		return fail(err)
	}
	began := time.Now()
	p.report(s, function.EventBuild, "running the script "+s.Build.Script)
	run := tool{command: []string{"npm", "run", s.Build.Script}, dir: place, log: p.logFile("script", s.Folder)}
	if modules != "" {
		run.env = []string{
			"PATH=" + filepath.Join(modules, ".bin") + string(os.PathListSeparator) + os.Getenv("PATH"), "NODE_PATH=" + modules,
		}
	}
	lines, err := run.run(ctx)
	if ctx.Err() != nil {
		return fail(ctx.Err())
	}
	if err != nil {
		return fail(p.scriptFailed(s, lines, err))
	}
	if err := os.WriteFile(filepath.Join(place, builtFile), nil, 0o600); err != nil {
		return fail(notPrepared("its copy cannot be written: "+reason(err), "make the state folder writable"))
	}
	prune(filepath.Dir(place), young, place)
	p.report(s, function.EventBuild, "the script "+s.Build.Script+" ran in "+took(began))
	return nil
}

// builtFile marks a copy whose script has ended.
const builtFile = ".gatewright-built"

func isBuilt(place string) bool {
	_, err := os.Stat(filepath.Join(place, builtFile))
	return err == nil
}

// young is the age to which workers may still use an earlier copy of a function.
const young = 10 * time.Minute

// rootModules returns the node_modules in the cache with the packages of the project,
// which its scripts use; "" if its owner installed them.
func (p *Preparer) rootModules(ctx context.Context, s *function.Spec, place string) (string, error) {
	wanted, err := readPackages(s.Build.Root, s.Build.Root, true)
	if err != nil || wanted == nil {
		return "", err
	}
	if info, err := os.Stat(filepath.Join(s.Build.Root, "node_modules")); err == nil && info.IsDir() {
		return "", nil
	}
	installed, err := p.cached(ctx, s, wanted)
	if err != nil {
		return "", err
	}
	folder := installed.folder
	if members := wanted.members(); len(members) > 0 {
		folder = filepath.Join(place, ".modules")
		if _, err = p.layInto(s, folder, func() (*artifact.Listing, error) {
			l := artifact.Source{Name: s.Name, Project: s.Build.Root}.New()
			return l, l.Install("", installed.folder, members)
		}); err != nil {
			return "", err
		}
	}
	modules := filepath.Join(folder, "node_modules")
	// Compilers look for types and plugins in the project's own folder.
	if err := os.Symlink(modules, filepath.Join(place, "node_modules")); err != nil && !errors.Is(err, fs.ErrExist) {
		return "", notPrepared("no link can be made: "+reason(err), "run npm install in "+phrase.QuotePath(s.Build.Root))
	}
	return modules, nil
}

// mirror makes a copy of one folder of a project. What is around it are links to the
// project's own files.
func mirror(root, place, inside string) error {
	at := ""
	for part := range strings.SplitSeq(filepath.ToSlash(inside), "/") {
		entries, err := os.ReadDir(filepath.Join(root, at))
		if err != nil {
			return err
		}
		for _, entry := range entries {
			if entry.Name() == part || entry.Name() == ".git" || entry.Name() == ".gatewright" {
				continue
			}
			if err := os.Symlink(filepath.Join(root, at, entry.Name()), filepath.Join(place, at, entry.Name())); err != nil {
				return err
			}
		}
		at = filepath.Join(at, part)
		if err := os.MkdirAll(filepath.Join(place, at), 0o700); err != nil {
			return err
		}
	}
	return copyForScript(filepath.Join(root, inside), filepath.Join(place, inside))
}

// copyForScript copies a folder as a script in it expects it: with programs, with links, and with
// the packages that its owner installed, which are links. A file that is removed meanwhile is left out.
func copyForScript(from, to string) error {
	return filepath.WalkDir(from, func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		inside, err := filepath.Rel(from, name)
		if err != nil {
			return err
		}
		target := filepath.Join(to, inside)
		switch {
		case entry.IsDir() && fingerprint.IsGenerated(entry.Name()):
			list := filepath.Join(filepath.Dir(name), "package.json")
			if entry.Name() == "node_modules" && file.CheckRegular(list) == nil {
				if err := os.Symlink(name, target); err != nil {
					return err
				}
			}
			return fs.SkipDir
		case entry.Type()&fs.ModeSymlink != 0:
			leads, err := os.Readlink(name)
			if err != nil {
				return err
			}
			return os.Symlink(leads, target)
		case entry.IsDir():
			return os.MkdirAll(target, 0o700)
		case !entry.Type().IsRegular():
			return nil
		}
		text, err := file.ReadRegular(name)
		var info fs.FileInfo
		if err == nil {
			info, err = entry.Info()
		}
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil {
			return err
		}
		return os.WriteFile(target, text, info.Mode().Perm()|0o600)
	})
}

// scriptFailed returns the error of a failed script, with its first line that tells
// something. The log has all of them.
func (p *Preparer) scriptFailed(s *function.Spec, lines []string, err error) error {
	first := ""
	for _, line := range lines {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "> ") || strings.HasPrefix(line, "npm ") {
			continue
		}
		p.log(s, logs.Error, s.Build.Script+": "+line)
		if first == "" {
			first = line
		}
	}
	if first == "" {
		first = howItEnded(err)
	}
	return notPrepared(fmt.Sprintf("the script %s failed: %s", s.Build.Script, first),
		"correct it; npm run "+s.Build.Script+" shows the rest")
}
