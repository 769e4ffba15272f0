package story

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// Frame is what the window showed from a time on.
type Frame struct {
	At time.Duration
	// Title is that of the window, and Screen its lines, with escape sequences for colours.
	Title, Screen string
}

// Play is how a story is played.
type Play struct {
	// Program is the built program, Work a folder that is made, and the colours are those of the window, by which the
	// program finds its theme.
	Program, Work, Foreground, Background string
	// End, if there is one, says whether the window shows what it must show in the end. With it the times for
	// people are left out: nothing stays, and keys follow each other at once.
	End func(screen string) bool

	folder, title string
	frames        []Frame
	// now is the time in the picture, since when it shows what it shows, and looked when that was found out.
	now, since time.Duration
	looked     time.Time
}

const (
	// between is the time between two looks at the window, and key the one between two keys.
	between, key = 30 * time.Millisecond, 80 * time.Millisecond
	// longest is how long a screen stays for which the story has no time: nobody wants to wait for a build.
	longest = 1200 * time.Millisecond
	// patience is how long a step may take.
	patience = time.Minute
)

// Run plays a story and returns the frames and the time at which the last one ends.
func (p *Play) Run(ctx context.Context, story Story) (frames []Frame, end time.Duration, err error) {
	p.looked, p.folder = time.Now(), filepath.Join(p.Work, story.Folder)
	if err := os.MkdirAll(p.folder, 0o755); err != nil {
		return nil, 0, err
	}
	for _, args := range story.Before {
		if out, err := p.command(ctx, p.Program, args...).CombinedOutput(); err != nil {
			return nil, 0, fmt.Errorf("gatewright %s: %w %s", strings.Join(args, " "), err, out)
		}
	}
	for name, text := range story.Files {
		if err := os.WriteFile(filepath.Join(p.folder, filepath.FromSlash(name)), []byte(text), 0o644); err != nil {
			return nil, 0, fmt.Errorf("writing a file of the story: %w", err)
		}
	}
	// Whatever runs in the window has this pipe open, and its end is the end of all.
	alive, ended := filepath.Join(p.Work, "alive"), make(chan struct{})
	if err := exec.CommandContext(ctx, "mkfifo", alive).Run(); err != nil {
		return nil, 0, fmt.Errorf("making a pipe: %w", err)
	}
	go func() {
		defer close(ended)
		_, _ = os.ReadFile(alive)
	}()
	defer func() {
		if _, killed := p.tmux(context.WithoutCancel(ctx), "kill-server"); killed == nil {
			<-ended
		}
	}()
	if _, err := p.tmux(ctx, "-f", os.DevNull, "start-server", ";",
		"set-option", "-g", "window-style", "fg="+p.Foreground+",bg="+p.Background, ";",
		"new-session", "-d", "-x", fmt.Sprint(story.Width), "-y", fmt.Sprint(story.Height), "-c", p.folder,
		"env", "TERM=xterm-256color", "COLORTERM=truecolor", "sh", "-c", `exec sh 9>"$0"`, alive); err != nil {
		return nil, 0, err
	}
	for _, step := range story.Steps {
		if err := p.step(ctx, step); err != nil {
			return nil, 0, fmt.Errorf("the story %s: %w", story.Name, err)
		}
	}
	if p.End != nil {
		err = p.watch(ctx, 0, p.End)
	}
	return p.frames, p.now, err
}

func (p *Play) step(ctx context.Context, step Step) error {
	if step.Caption != "" {
		p.title = step.Caption
	}
	keys, atOnce := slices.Concat(strings.Split(step.Type, ""), step.Keys), 1
	if p.End != nil {
		atOnce = max(1, len(keys))
	}
	for pressed := range slices.Chunk(keys, atOnce) {
		if err := p.watch(ctx, key, nil); err != nil {
			return err
		}
		if _, err := p.tmux(ctx, append([]string{"send-keys"}, pressed...)...); err != nil {
			return err
		}
	}
	var calls sync.WaitGroup
	var called atomic.Bool
	calls.Go(func() {
		for _, args := range step.Calls {
			_ = p.command(ctx, p.Program, args...).Run() // it fails for a request that is refused, too
		}
		called.Store(true)
	})
	defer calls.Wait()
	if err := p.watch(ctx, 0, func(screen string) bool { return strings.Contains(screen, step.Until) }); err != nil {
		return fmt.Errorf("the window never shows %q: %w", step.Until, err)
	}
	return p.watch(ctx, step.Hold, func(string) bool { return called.Load() })
}

// watch keeps what the window shows, for a time, and then until it is done.
func (p *Play) watch(ctx context.Context, least time.Duration, done func(screen string) bool) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	pause := between
	if p.End != nil {
		least, pause = 0, 5*between
	}
	for hold := p.now + least; ; {
		screen, err := p.look(ctx, p.now < hold)
		if err != nil {
			return err
		}
		if p.now >= hold && (done == nil || done(Text(screen))) {
			return nil
		}
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return fmt.Errorf("%w; it shows\n%s", ctx.Err(), Text(screen))
		}
	}
}

// look adds a frame if the window has changed. The time of the picture goes on, unless nothing happens
// for longer than longest and the story does not hold.
func (p *Play) look(ctx context.Context, holds bool) (screen string, err error) {
	if screen, err = p.tmux(ctx, "capture-pane", "-e", "-p", "-N"); err != nil {
		return "", err
	}
	for p.End == nil && p.changed(screen) { // it may be half drawn
		again, err := p.tmux(ctx, "capture-pane", "-e", "-p", "-N")
		if err != nil {
			return "", err
		}
		if again == screen {
			break
		}
		screen = again
	}
	passed := time.Since(p.looked)
	p.looked = p.looked.Add(passed)
	if !holds {
		passed = min(passed, max(0, p.since+longest-p.now))
	}
	p.now += passed.Round(time.Millisecond)
	if p.changed(screen) {
		p.frames, p.since = append(p.frames, Frame{p.now, p.title, screen}), p.now
	}
	return screen, nil
}

func (p *Play) changed(screen string) bool {
	last := len(p.frames) - 1
	return last < 0 || p.frames[last].Screen != screen || p.frames[last].Title != p.title
}

// command is a command in the story's folder. It knows nothing of the home of who plays the story.
func (p *Play) command(ctx context.Context, name string, args ...string) *exec.Cmd {
	command := exec.CommandContext(ctx, name, args...)
	command.Dir = p.folder
	command.Env = []string{
		"PATH=" + filepath.Dir(p.Program) + string(filepath.ListSeparator) + os.Getenv("PATH"), "HOME=" + p.Work,
		"LANG=C.UTF-8", "TERM=xterm-256color", "GATEWRIGHT_STATE=" + filepath.Join(p.Work, "state"), "PS1=$ ",
		"TMPDIR=" + os.TempDir(),
	}
	return command
}

func (p *Play) tmux(ctx context.Context, args ...string) (string, error) {
	out, err := p.command(ctx, "tmux", append([]string{"-S", filepath.Join(p.Work, "tmux")}, args...)...).CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("tmux %s: %w %s", strings.Join(args, " "), err, out)
	}
	return string(out), nil
}
