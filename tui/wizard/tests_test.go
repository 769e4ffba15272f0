package wizard_test

import (
	"testing"

	"gatewright/project/answer"
	"gatewright/project/read"
	"gatewright/project/validate"
	"gatewright/tui/route"
)

func TestTheAccessThatIsDesignedCanBeKeptAsTests(t *testing.T) {
	t.Parallel()
	dir := folder(t)
	term := open(t, dir, route.Wizard{Start: route.FromSample}, 120, 36)
	term.Keys("ctrl+s").Shows("Review", "t add access tests").Hides("access.test.json")
	term.Keys("t").Shows("access.test.json", "t without access tests").Keys("t").Hides("access.test.json").Keys("t")
	term.Keys("ctrl+s").Shows("Written")
	p := reload(t, dir)
	tests, err := p.AccessTests()
	if err != nil || len(tests) == 0 {
		t.Fatalf("the tests are %v, %v", tests, err)
	}
	if r := answer.Tests(p, p.Backend, tests); !r.Holds() {
		t.Errorf("%s: %+v", r.Summary(), r.Tests)
	}
	if read.FirstError(validate.Project(p)) != nil {
		t.Errorf("the project has problems: %v", validate.Project(p))
	}
}
