//go:build linux

package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"gatewright/tools/measure"
)

// idle measures servers and screens that have nothing to do.
func idle(b *bench) {
	w := b.servers()
	p := b.project("idle")
	check(p.Gatewright(b.ctx,
		[]string{"add", "api", "shop", "--path", "/plain", "--function", "plain", "--open"}))
	const files, each = 5000, 100
	for i := range files {
		folder := filepath.Join(source(p, "plain"), fmt.Sprint("part", i/each))
		check(os.MkdirAll(folder, 0o755))
		check(os.WriteFile(filepath.Join(folder, fmt.Sprint("file", i, ".js")), []byte("exports.a = 1\n"), 0o600))
	}
	many := b.sandbox(p)
	dashboard := b.window(p)
	defer dashboard.Close()
	const settle = 5 * time.Second
	time.Sleep(settle)
	figures := []figure{{"processor", "%", false}, {"wakes", "1/s", false}}
	for _, r := range []struct {
		name    string
		servers []*server
	}{
		{"sandbox", []*server{w.sandbox, w.express, w.peer}},
		{"sandbox, a function with 5,000 files", []*server{many[0], w.express, w.peer}},
		{"dashboard", []*server{{pids: []int{dashboard.PID()}}}},
	} {
		var subjects []subject
		for _, s := range r.servers {
			subjects = append(subjects, s.rests)
		}
		b.row(r.name, figures, subjects...)
	}
}

// rests measures how much processor time it takes while nobody asks, and how often it wakes up.
func (s *server) rests() []float64 {
	const span = 4 * time.Second
	work := func() (used time.Duration, wakes int) {
		for _, p := range s.processes() {
			one, woke := measure.Work(p.PID)
			used, wakes = used+one, wakes+woke
		}
		return used, wakes
	}
	used, wakes := work()
	time.Sleep(span)
	usedThen, wakesThen := work()
	return []float64{100 * (usedThen - used).Seconds() / span.Seconds(), float64(wakesThen-wakes) / span.Seconds()}
}

// window opens the dashboard, and waits until it has drawn itself.
func (b *bench) window(p *measure.Project) *measure.Window {
	w := must(measure.Open(p.Command(b.ctx, p.Folder, p.Program)))
	const settle = 3 * time.Second
	time.Sleep(settle)
	return w
}

// start measures commands that do little.
func start(b *bench) {
	p := b.project("start")
	for _, command := range []string{"version", "status"} {
		runs := func(name string, args ...string) subject {
			return func() []float64 {
				const times = 10
				var used time.Duration
				began := time.Now()
				for range times {
					c := p.Command(b.ctx, p.Folder, name, args...)
					check(c.Run())
					used += c.ProcessState.UserTime() + c.ProcessState.SystemTime()
				}
				return []float64{milliseconds(used) / times, milliseconds(time.Since(began)) / times}
			}
		}
		b.row(command, []figure{{"processor time", "ms", false}, {"time", "ms", false}},
			runs(p.Program, command), runs("true"), runs("node", "-e", "0"))
	}
}

// keys measures keys of the dashboard, at rest and while a sandbox is busy.
func keys(b *bench) {
	const apis, paths, rate = 200, 50, 500
	p := b.wide("keys", apis, paths, `exports.handler = async (event) => {
  for (let i = 0; i < 30; i++) console.log("line " + i + " of " + event.path)
  return { statusCode: 200, body: "call succeed!" }
}
`)
	served := b.sandbox(p)
	if len(served) != apis {
		check(fmt.Errorf("the sandbox serves %d APIs", len(served)))
	}
	w := b.window(p)
	defer w.Close()
	press := func(opens, closes string, which int) subject {
		return func() []float64 {
			var took [2]time.Duration
			for i, key := range []string{opens, closes} {
				d, ok := w.Press(key, patience)
				if !ok {
					check(errors.New("a key has no effect"))
				}
				took[i] = d
			}
			return []float64{milliseconds(took[which])}
		}
	}
	for _, r := range []struct{ name, key string }{{"Esc", "\x1b"}, {"Esc as kitty sends it", "\x1b[27u"}} {
		b.row(r.name, []figure{{"until drawn", "ms", false}}, press("?", r.key, 1), press("?", r.key, 0))
	}
	sent := 0
	busy := func() []float64 {
		over, cancel := context.WithCancel(b.ctx)
		defer cancel()
		var answered int
		var failed error
		var loading sync.WaitGroup
		loading.Go(func() { answered, failed = load(over, served, rate, paths) })
		took := help(w)
		cancel()
		loading.Wait()
		sent += answered
		check(failed)
		return took
	}
	b.row("10,000 paths, 500 requests a second", []figure{{"key", "ms", false}, {"slowest of 10", "ms", false}},
		busy, func() []float64 { return help(w) })
	if sent > 0 {
		b.compare(p, sent)
	}
}

const patience = 5 * time.Second

// help opens and closes the help on several tabs. Its text is waited for: the screen changes all the time.
func help(w *measure.Window) []float64 {
	var took []float64
	for _, tab := range []string{"1", "4", "2", "3"} {
		w.Send(tab)
		time.Sleep(700 * time.Millisecond)
		for range 5 {
			d, ok := w.Until("?", patience, "palette", "next match", "half a page", "go to the next tab")
			if !ok {
				check(errors.New("the help does not open"))
			}
			took = append(took, milliseconds(d))
			time.Sleep(113 * time.Millisecond)
			w.Send("\x1b")
			time.Sleep(171 * time.Millisecond)
		}
	}
	return []float64{measure.Median(took), slices.Max(took)}
}

// load sends requests until ctx ends, and returns how many were answered. One that is not ends it.
func load(ctx context.Context, served []*server, rate, paths int) (int, error) {
	const senders = 8
	var all sync.WaitGroup
	var answered atomic.Int64
	var failed error
	var once sync.Once
	for sender := range senders {
		all.Go(func() {
			tick := time.NewTicker(time.Second * senders / time.Duration(rate))
			defer tick.Stop()
			l, err := served[0].connect()
			for n := sender; err == nil; n += senders {
				select {
				case <-tick.C:
				case <-ctx.Done():
					return
				}
				i := n % len(served)
				c := call{method: "GET", path: fmt.Sprintf("/area%d/thing%d/1", i, n%paths), has: succeed}
				if err = l.ask(c, served[i], c.bytes(served[i])); err == nil {
					answered.Add(1)
				}
			}
			if err != nil {
				once.Do(func() { failed = err })
			}
		})
	}
	all.Wait()
	return int(answered.Load()), failed
}
