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

// edit is one writing of a source. Its version is counted for each function.
type edit struct {
	version      int
	way          way
	begun, ended time.Time
}

// way is how a source is written.
type way uint8

const (
	whole   way = iota // a new file takes the place of the old one
	inPlace            // the file is emptied and written
	broken             // as whole, and it is no JavaScript
)

// history is the edits of one function.
type history struct {
	mu    sync.Mutex
	edits []edit
}

// How sources are edited: each second another function's, and before one edit in
// nine (so that it is not always the same function's) the source is broken for a
// moment. What is sent later than noticed after an edit must be answered by it.
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

// count is how many edits there were, and how many of them broke the source.
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

// last is the version that was written last.
func (h *history) last() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.edits[len(h.edits)-1].version
}

// keepEditing edits the sources in turn until the context ends. All are whole
// then.
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

// judge says what is wrong with a version that answered a request: it is older
// than one that was written long enough before the request was sent, or was not
// being written yet when the answer came. stale is how long before the request
// the version had been replaced.
func (h *history) judge(version int, sent, received time.Time) (stale time.Duration, wrong string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	at, known := slices.BinarySearchFunc(h.edits, version, func(e edit, v int) int { return e.version - v })
	switch {
	case !known || h.edits[at].begun.After(received):
		return 0, fmt.Sprintf("version %d answers, which is not written yet", version)
	case h.edits[at].way == broken:
		return 0, fmt.Sprintf("version %d answers, which is no JavaScript", version)
	case at == len(h.edits)-1 || h.edits[at+1].ended.IsZero():
		return 0, ""
	}
	stale = max(sent.Sub(h.edits[at+1].ended), 0)
	if stale > noticed {
		wrong = fmt.Sprintf("version %d answers a request that was sent %v after version %d was written",
			version, stale.Round(time.Millisecond), h.edits[at+1].version)
	}
	return stale, wrong
}

// wasBroken reports whether a broken source may be why a request was refused: one
// was there, or could still be noticed, between sending and answer.
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
