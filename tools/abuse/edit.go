//go:build linux

package main

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// edit is one change of a source file. Each function counts its own versions.
type edit struct {
	version      int
	way          way
	begun, ended time.Time
}

// way is a way to write a source file.
type way uint8

const (
	whole   way = iota // a new file replaces the old one
	inPlace            // the file is truncated and written
	broken             // as whole, with a syntax error
)

// history has the edits of one function.
type history struct {
	mu    sync.Mutex
	edits []edit
}

// Every second, the next function is edited. One edit in nine first breaks the source for a
// moment; nine is not a multiple of the number of functions, so each is broken in turn.
// Requests that are sent later than noticed after an edit must be answered by the new
// version.
const (
	editEvery  = time.Second
	brokenOnce = 9
	brokenFor  = 600 * time.Millisecond
	noticed    = 500 * time.Millisecond
)

// edit writes a version of the source.
func (f *function) edit(version int, how way) error {
	text := strings.ReplaceAll(f.source, versionMark, strconv.Itoa(version))
	if how == broken {
		text += "\n}"
	}
	f.history.mu.Lock()
	f.history.edits = append(f.history.edits, edit{version: version, way: how, begun: time.Now()})
	f.history.mu.Unlock()
	var err error
	if how == inPlace {
		err = os.WriteFile(f.file, []byte(text), 0o600)
	} else {
		err = os.WriteFile(f.file+".new", []byte(text), 0o600)
		if err == nil {
			err = os.Rename(f.file+".new", f.file)
		}
	}
	f.history.mu.Lock()
	f.history.edits[len(f.history.edits)-1].ended = time.Now()
	f.history.mu.Unlock()
	return err
}

// count is the number of edits, and of those that broke the source.
func (h *history) count() (edits, breaking int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, e := range h.edits {
		if e.way == broken {
			breaking++
		}
	}
	return len(h.edits), breaking
}

// last is the latest version.
func (h *history) last() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.edits[len(h.edits)-1].version
}

// keepEditing edits the sources in turn until the context ends, and leaves none broken.
func (p *project) keepEditing(ctx context.Context) error {
	ticker := time.NewTicker(editEvery)
	defer ticker.Stop()
	for n := 1; ; n++ {
		select {
		case <-ctx.Done():
			return nil
		case <-ticker.C:
		}
		f := p.functions[n%len(p.functions)]
		how := []way{whole, inPlace}[n/len(p.functions)%2]
		if n%brokenOnce == 0 {
			if err := f.edit(f.history.last()+1, broken); err != nil {
				return err
			}
			time.Sleep(brokenFor)
		}
		if err := f.edit(f.history.last()+1, how); err != nil {
			return err
		}
	}
}

// judge checks the version that answered a request: it must have been written before the
// answer, and not replaced long before the request. stale is how long before the request
// it was replaced; wrong is the finding, or "".
func (h *history) judge(version int, sent, received time.Time) (stale time.Duration, wrong string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	at, known := slices.BinarySearchFunc(h.edits, version, func(e edit, v int) int { return e.version - v })
	switch {
	case !known || h.edits[at].begun.After(received):
		return 0, fmt.Sprintf("version %d answered before it was written", version)
	case h.edits[at].way == broken:
		return 0, fmt.Sprintf("version %d answered, which has a syntax error", version)
	case at == len(h.edits)-1 || h.edits[at+1].ended.IsZero():
		return 0, ""
	}
	stale = max(sent.Sub(h.edits[at+1].ended), 0)
	if stale > noticed {
		wrong = fmt.Sprintf("version %d answered a request that was sent %v after version %d was written",
			version, stale.Round(time.Millisecond), h.edits[at+1].version)
	}
	return stale, wrong
}

// wasBroken reports whether a broken source may be the reason of a refusal, because one was
// in use between request and answer.
func (h *history) wasBroken(sent, received time.Time) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	for i, e := range h.edits {
		if e.way != broken || e.begun.After(received) {
			continue
		}
		if i+1 == len(h.edits) || h.edits[i+1].ended.IsZero() || sent.Before(h.edits[i+1].ended.Add(noticed)) {
			return true
		}
	}
	return false
}
