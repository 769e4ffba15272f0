package dashboard

import (
	"errors"
	"strings"
	"testing"

	"gatewright/deploy/deploytest"
	"gatewright/model"
	"gatewright/model/edit"
)

func TestAPushToAWSThatIsRefusedSaysWhyWithoutAskingAWS(t *testing.T) {
	dir, fake := cloudProject(t, testAccount)
	deploytest.Change(t, dir, func(b *model.Backend) error {
		dev := *b.Environment("dev")
		dev.Region = "eu-nowhere-9"
		f := *b.Function("f")
		f.FunctionName = strings.Repeat("f", 61)
		return errors.Join(edit.UpdateEnvironment(b, &dev), edit.UpdateFunction(b, &f))
	})
	d := inCloud(t, dir)
	calls := len(fake.Calls())
	d.press("p")
	d.shows("A push of dev is refused", "Nothing was pushed. 2 reasons:", "eu-nowhere-9 of the environment dev is not a region of AWS", "but a function name may have at most 64")
	d.until("the job has ended", func() bool { return d.page.board.Job.Running() == "" })
	if n := len(fake.Calls()); n != calls {
		t.Errorf("AWS is asked %d times", n-calls)
	}
}
