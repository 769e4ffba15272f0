package worker

import (
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"gatewright/internal/file"
	"gatewright/internal/file/fingerprint"
	"gatewright/internal/file/ignore"
	"gatewright/internal/file/watch"
	"gatewright/model"
	"gatewright/sandbox/artifact"
	"gatewright/sandbox/function"
	"gatewright/sandbox/prepare"
)

const (
	// checkBeforeCall is how old the last look at the queue of changes may be before a call, and
	// the least time between two generations that calls begin.
	checkBeforeCall = 5 * time.Millisecond
	// settling is how long after a change a new worker is started without a call: a checkout
	// writes many files.
	settling = 30 * time.Millisecond
)

// checkSource begins a new generation if the source differs from what the workers were started
// from. What was written an age ago is seen for certain, what was written since nearly always.
func (p *pool) checkSource(age time.Duration) {
	sources := p.sources.Load()
	if sources == nil {
		return
	}
	sources.Settle(age)
	if sources.Stamp() == p.stamp.Load() {
		return
	}
	p.mu.Lock()
	// The first worker reads the source when it is prepared.
	installing := p.preparing > 0 && !p.settled
	if installing || p.removed || sources != p.sources.Load() || time.Since(p.renewed) < age {
		p.mu.Unlock()
		return
	}
	generation, stamp := p.generation, sources.Stamp()
	used := p.stamp.Swap(stamp) != stamp && (p.settled || p.failures > 0)
	p.mu.Unlock()
	if !used {
		return
	}
	p.notify(function.EventChange, "its source changed")
	p.mu.Lock()
	defer p.mu.Unlock()
	// A new Spec in the meantime began a new generation itself.
	if generation == p.generation {
		p.renewed = time.Now()
		p.renew(len(p.workers) > 0 || p.failures > 0)
	}
}

// sourceChanged has a worker of the new source started soon, so that it is warm before the next
// call.
func (p *pool) sourceChanged() {
	if p.settles.CompareAndSwap(false, true) {
		time.AfterFunc(settling, func() {
			p.settles.Store(false)
			p.checkSource(0)
		})
	}
}

// watch begins to watch the source and the layers of a function, unless it does. nil means that
// the function has changed.
func (p *pool) watch(s *function.Spec) *watch.Tree {
	p.watching.Lock()
	defer p.watching.Unlock()
	roots := slices.Concat([]string{s.Folder}, s.Layers, prepare.SharedFiles(s))
	sources := p.sources.Load()
	if sources != nil && slices.Equal(roots, p.roots) {
		return sources
	}
	p.mu.Lock()
	p.unwatch()
	p.roots = roots
	p.mu.Unlock()
	module := s.HandlerName()[:max(strings.LastIndexByte(s.HandlerName(), '.'), 0)]
	if s.Runtime == model.Python {
		module = strings.ReplaceAll(module, ".", "/")
	}
	of := artifact.Source{Folder: filepath.Join(file.RealPath(s.Folder), "src")}
	if s.Project != "" {
		of.Project = file.RealPath(s.Project)
	}
	_, files := of.Rules()
	sources = p.runner.options.Watcher.Watch(watch.Of{
		Roots: roots, Keep: path.Join("src", path.Dir(module)),
		Wants: func(name string, isFolder bool) bool {
			return !isFolder || !fingerprint.IsGenerated(path.Base(name))
		},
		Rules: func() ignore.Rules {
			rules, _ := of.Rules()
			return rules
		},
		RuleFiles: files, Changed: p.sourceChanged,
	})
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.spec != s || p.removed {
		go sources.Close()
		return nil
	}
	p.sources.Store(sources)
	return sources
}

// unwatch ends watch. The lock is held.
func (p *pool) unwatch() {
	if sources := p.sources.Swap(nil); sources != nil {
		// Another tree may be looked at, which takes a while.
		go sources.Close()
	}
}

func (p *pool) hasWorkers() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.workers) > 0
}
