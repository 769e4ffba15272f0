package cli

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// defaults are the values of flags that are not given, but for those that are empty, false or 0, and
// of flags without a value. Commands that people put into scripts rest on them.
const defaults = `
add api --group-paths not given: first-segment
add api --theme not given: auto
apply --group-paths not given: first-segment
call --theme not given: auto
dashboard --theme not given: auto
gatewright --theme not given: auto
generate client --lang not given: ts
generate openapi --for not given: docs
generate openapi --format not given: json
generate openapi --openapi not given: 3.0
generate outputs --format not given: json
import amplify --provider not given: local
init --dialect not given: neutral
init --env not given: dev
learn --theme not given: auto
metrics --over not given: 1h
mock function --event not given: src/event.json
pipeline-deploy --format not given: json
sandbox --mock alone: /
update api --group-paths not given: first-segment
`

func TestFlagsThatAreNotGivenHaveTheseValues(t *testing.T) {
	t.Parallel()
	var lines []string
	everyCommand(t, func(cmd *cobra.Command) {
		cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
			line := strings.TrimPrefix(cmd.CommandPath(), "gatewright ") + " --" + f.Name
			if !slices.Contains([]string{"", "false", "0", "[]"}, f.DefValue) {
				lines = append(lines, line+" not given: "+f.DefValue)
			}
			if f.NoOptDefVal != "" && f.Value.Type() != "bool" {
				lines = append(lines, line+" alone: "+f.NoOptDefVal)
			}
		})
	})
	slices.Sort(lines)
	got := strings.Join(lines, "\n")
	if diff := cmp.Diff(strings.TrimSpace(defaults), got); diff != "" {
		t.Errorf("%s\n%s", diff, got)
	}
}
