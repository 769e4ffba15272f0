package outside

import (
	"context"
	"path"
	"path/filepath"
	"time"

	"gatewright/internal/file/watch"
	"gatewright/internal/network"
	"gatewright/project"
	"gatewright/sandbox"
	"gatewright/sandbox/live"
	"gatewright/tui/frame"
)

// Beats has a pulse beat when files of the project that dir is in change, or when its sandbox
// has a call, begins or ends. A project that does not exist yet is expected in dir.
func Beats(pulse *frame.Pulse, dir string) (end func()) {
	root, _, err := project.Find(dir)
	if err != nil {
		if root, err = filepath.Abs(dir); err != nil {
			return func() {}
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	// The first look at many files takes a while.
	go func() {
		definition := watch.Shared.Watch(watch.Of{
			Roots: []string{root}, Fixed: true, Changed: pulse.Beat,
			Wants: func(name string, isFolder bool) bool {
				return name != project.StateFolder && project.IsPrinted(name, isFolder)
			},
		})
		defer definition.Close()
		state := watch.Shared.Watch(watch.Of{
			Roots: []string{filepath.Join(root, project.StateFolder)}, Changed: pulse.Beat,
			Wants: func(name string, isFolder bool) bool {
				return project.IsPrinted(path.Join(project.StateFolder, name), isFolder)
			},
		})
		defer state.Close()
		pulse.Beat()
		<-ctx.Done()
	}()
	go followSandbox(ctx, pulse, live.State(root))
	return cancel
}

// followSandbox has the pulse beat with a sandbox until ctx ends.
func followSandbox(ctx context.Context, pulse *frame.Pulse, state string) {
	const pause = time.Second
	for ctx.Err() == nil {
		next := pulse.Next()
		if client, err := sandbox.Connect(state); err == nil {
			_ = client.News(ctx, pulse.Beat)
			pulse.Beat()
			_ = network.Pause(ctx, pause)
			continue
		}
		select {
		case <-next:
		case <-ctx.Done():
		}
	}
}
