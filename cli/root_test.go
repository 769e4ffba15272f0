package cli

import (
	"slices"
	"testing"

	"github.com/spf13/cobra"

	"gatewright/cli/command"
)

func TestACommandThatIsAskedForIsMadeAloneAndAsInTheTreeOfAll(t *testing.T) {
	t.Parallel()
	names := func(cmds []*cobra.Command) []string {
		var all []string
		for _, cmd := range cmds {
			all = append(all, cmd.Name())
		}
		return all
	}
	streams := command.Streams{Dir: t.TempDir()}
	whole := NewRoot(streams)
	if all := names(NewRoot(streams, "nonsense").Commands()); !slices.Equal(all, names(whole.Commands())) {
		t.Errorf("a name that no command has makes %q", all)
	}
	for _, cmd := range whole.Commands() {
		if cmd.Name() == "completion" {
			continue
		}
		root := NewRoot(streams, cmd.Name(), "more")
		if got, want := names(root.Commands()), []string{cmd.Name(), "completion"}; !slices.Equal(got, want) {
			t.Errorf("%s makes %q", cmd.Name(), got)
		}
		alone := root.Commands()[0]
		if alone.UsageString() != cmd.UsageString() || alone.GroupID != cmd.GroupID {
			t.Errorf("%s alone is not as in the tree", cmd.Name())
		}
	}
}
