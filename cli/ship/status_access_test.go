package ship

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"gatewright/cli/command"
	"gatewright/deploy/aws"
	"gatewright/model"
	"gatewright/model/access"
	"gatewright/model/accesstest"
	"gatewright/model/diff"
)

// reportOf is the report about two backends.
func reportOf(was, now *model.Backend) (statusReport, []access.Difference) {
	found, complete := access.Compare(was.Gate(), now.Gate())
	return statusReport{Access: accessChanges(found, len(now.APIs)), accessSum: access.Count(found), alike: access.Grouped(found), apis: len(now.APIs), MoreAccess: !complete}, found
}

func TestStatusNamesEveryRequestThatIsOpened(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		was, now := accesstest.Sides(t)
		r, found := reportOf(was, now)
		// A report that lists all, since an API may gain more than a short one lists.
		text := r.text("status", true, false, 0, command.Palette{})
		var named []access.Difference
		for i, sentence := range access.Sentences(found, len(now.APIs)) {
			if strings.Contains(text, "  ▲ "+sentence+"\n") {
				named = append(named, found[i])
			}
		}
		if unnamed := accesstest.Unnamed(accesstest.SomeRaws(t), was, now, named, true); unnamed != "" {
			t.Fatalf("%s is not in\n%s", unnamed, text)
		}
	})
}

func TestWhatIsOpenedComesFirstAndIsNotCutShort(t *testing.T) {
	t.Parallel()
	// Each path is for a group of its own, so that no two lines are alike.
	with := func(n int) *model.Backend {
		b, api := &model.Backend{}, &access.API{Label: "shop"}
		for i := range n {
			group := fmt.Sprint("group", i)
			b.Groups = append(b.Groups, group)
			rules := access.Access{Setting: access.Private}.With(access.Principal{Kind: access.Group, Group: group}, access.EveryAction)
			api.Paths = append(api.Paths, &access.Path{Name: fmt.Sprint("/p", i), Access: rules})
		}
		b.APIs = []*access.API{api}
		return b
	}
	r, _ := reportOf(with(0), with(30))
	text := r.text("status", false, false, 0, command.Palette{})
	if n := strings.Count(text, "▲ members of group"); n != 30 {
		t.Errorf("%d of 30 are named:\n%s", n, text)
	}
	if resources := strings.Index(text, "status: "); resources < strings.LastIndex(text, "▲") {
		t.Errorf("what is opened comes late:\n%s", text)
	}
	r, _ = reportOf(with(0), with(100))
	if text := r.text("status", false, false, 0, command.Palette{}); !strings.Contains(text, "▲ and 60 more; -v shows them") {
		t.Errorf("it does not say that more is opened:\n%s", text)
	}
	if text := r.text("status", true, false, 0, command.Palette{}); strings.Count(text, "▲") != 100 {
		t.Errorf("with all it says\n%s", text)
	}
}

func TestResourcesThatChangeComeFirstAndStandAloneInALargeProject(t *testing.T) {
	t.Parallel()
	of := func(name string, operation diff.Operation) statusResource {
		return statusResource{Operation: operation, of: model.Ref{Kind: model.KindFunction, Name: name}}
	}
	r := statusReport{Resources: []statusResource{of("a", diff.NoChange), of("b", diff.ToUpdate)}}
	if text := r.resources(false, false, 0); strings.Index(text, "function b") > strings.Index(text, "function a") {
		t.Errorf("what changes does not come first:\n%s", text)
	}
	for range 50 {
		r.Resources = append(r.Resources, of("same", diff.NoChange))
	}
	if text := r.resources(false, false, 0); strings.Contains(text, "function same") || !strings.Contains(text, "and 51 more") || !strings.Contains(text, "function b") {
		t.Errorf("it says\n%s", text)
	}
	if text := r.resources(true, false, 0); strings.Count(text, "function same") != 50 {
		t.Errorf("with all it says\n%s", text)
	}
}

func TestALongReportRepeatsWhatIsOpenedBeforeTheQuestion(t *testing.T) {
	t.Parallel()
	path := func(name string, setting access.Setting) *access.Path {
		return &access.Path{Name: name, Access: access.Access{Setting: setting}.With(access.Principal{Kind: access.Authenticated}, access.EveryAction)}
	}
	was := &model.Backend{APIs: []*access.API{{Label: "shop", Paths: []*access.Path{path("/a", access.Private), path("/b", access.Open)}}}}
	now := &model.Backend{APIs: []*access.API{{Label: "shop", Paths: []*access.Path{path("/a", access.Open), path("/b", access.Private)}}}}
	opens, _ := reportOf(was, now)
	const report = "some line\n"
	if got := opens.again(strings.Repeat(report, 3), 0, command.Palette{}); got != "" {
		t.Errorf("a report that is in view is followed by %q", got)
	}
	long := strings.Repeat(report, 40)
	if got := opens.again(long, 0, command.Palette{}); !strings.Contains(got, "▲ everybody may now do everything under /a (POST /a)\n") || strings.Contains(got, "/b") {
		t.Errorf("a long report is followed by %q", got)
	}
	closed := &model.Backend{APIs: []*access.API{{Label: "shop", Paths: []*access.Path{path("/a", access.Private)}}}}
	closes, _ := reportOf(was, closed)
	if got := closes.again(long, 0, command.Palette{}); got != "" {
		t.Errorf("a report that opens nothing is followed by %q", got)
	}
}

func TestAFailedComparisonIsNotSaidToHaveFoundNothing(t *testing.T) {
	t.Parallel()
	r := driftReport{compared: "0 resources, the template"}
	if text := r.text(0, command.Palette{}); text != "not looked at: "+aws.NotLookedAt+"\ndrift: none found; compared were 0 resources, the template\n" {
		t.Errorf("without differences it says %q", text)
	}
	r.failed = true
	if text := r.text(0, command.Palette{}); strings.Contains(text, "none") || !strings.Contains(text, "drift: not all resources could be compared; compared were 0 resources, the template") {
		t.Errorf("of a failed comparison it says %q", text)
	}
}
