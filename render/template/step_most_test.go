package template_test

import (
	"slices"
	"testing"

	"gatewright/internal/cfn"
	"gatewright/model"
	"gatewright/render/template"
	"gatewright/test/depth"
)

// TestWhatIsTooMuchForOneUpdateIsDivided makes a large API, lets it grow, takes nearly all of it away,
// makes it small enough to be removed, and has another API in its place.
func TestWhatIsTooMuchForOneUpdateIsDivided(t *testing.T) {
	depth.Gate(t)
	t.Parallel()
	small, large := manyNamed(50, "/a%d"), slices.Concat(manyNamed(300, "/a%d"), manyNamed(100, "/hot/b%d"), manyNamed(100, "/hot/b%d/c"))
	nothing := template.Deployed{}
	few, many := divided(t, nothing, withPaths(small...)), divided(t, nothing, withPaths(large...))
	divided(t, few, withPaths(large...))
	divided(t, many, withPaths(small...))
	gone := withPaths(small...)
	for _, p := range gone.APIs[0].Paths {
		p.Function = "old"
	}
	gone.Functions = append(gone.Functions, &model.Function{Name: "old", Runtime: model.NodeJS})
	divided(t, divided(t, nothing, gone), withPaths(large...))
	if depth.Rounds(0, 1, 1) > 0 {
		other := withPaths(large...)
		other.APIs[0].Label = "other"
		divided(t, many, other)
	}
	at := many
	for _, s := range template.Shrinking(at) {
		at = atMost2500(t, at, s)
	}
	if n := len(livingIn(at)); n > 2500 {
		t.Errorf("%d resources are left to be removed at once", n)
	}
	if len(template.Shrinking(few)) > 0 {
		t.Errorf("a small API is not removed at once")
	}
}

// divided pushes an API over what is deployed, update by update. It answers as it did until the last
// one, or not at all.
func divided(t *testing.T, before template.Deployed, b *model.Backend) template.Deployed {
	t.Helper()
	made, err := template.Render(b, b.Environment("dev"), template.Options{Deployed: before})
	if err != nil {
		t.Fatal(err)
	}
	last := deployedAs(t, made)
	stays := newCloud(t, last).served()
	at, c := before, &cloud{t: t, snapshots: make(map[string]string)}
	var served map[string]string
	var called []entry
	if before.Root != nil {
		called = ofType(before.Root, "AWS::Lambda::Function")
		c.update(before)
		served = c.served()
	}
	for _, s := range template.Steps(before, made) {
		at = atMost2500(t, at, s)
		c.update(at)
		for _, f := range called {
			if at.Root.Get("Resources", f.id) == nil {
				t.Errorf("%s: the function %s is gone before the last update", s.Why, f.id)
			}
		}
		for api := range stays {
			if now := c.served()[api]; now != served[api] {
				t.Errorf("%s: the API answers %v, and before %v", s.Why, now, served[api])
			}
		}
		if made := whereAll(at); slices.ContainsFunc(s.Later, func(id string) bool { return made[id] }) {
			t.Errorf("what should come later is there")
		}
	}
	if n := changedBetween(at, last); n > 2500 {
		t.Errorf("the last update changes %d resources", n)
	}
	c.update(last)
	wellDivided(t, b, made, last)
	return last
}

// atMost2500 is what a step makes of what is deployed.
func atMost2500(t *testing.T, at template.Deployed, s template.Step) template.Deployed {
	t.Helper()
	next := template.Deployed{Root: parsed(t, s.Body), Nested: make(map[string]*cfn.Node)}
	for _, n := range s.Nested {
		next.Nested[n.ID] = parsed(t, n.Body)
	}
	nestedHoldTogether(t, next.Root, at, next)
	holdsTogether(t, next.Root)
	if n := changedBetween(at, next); n > 2500 || n == 0 {
		t.Errorf("an update changes %d resources", n)
	}
	return next
}

// whereAll are the logical ids of all resources.
func whereAll(d template.Deployed) map[string]bool {
	all := make(map[string]bool)
	for _, x := range livingIn(d) {
		all[x.id] = true
	}
	return all
}

// changedBetween counts the resources that are made, changed or removed.
func changedBetween(from, to template.Deployed) int {
	was := make(map[string]string)
	if from.Root != nil {
		for key, x := range livingIn(from) {
			was[key] = minified(x.in.Get("Resources", x.id))
		}
	}
	n := 0
	for key, x := range livingIn(to) {
		if was[key] != minified(x.in.Get("Resources", x.id)) {
			n++
		}
		delete(was, key)
	}
	return n + len(was)
}

func TestAPushThatEndedHalfDoneGoesOnWhereItWas(t *testing.T) {
	t.Parallel()
	b := withPaths(manyNamed(430, "/a%d")...)
	steps := template.Steps(template.Deployed{}, rendered(t, b, "dev"))
	half := atMost2500(t, template.Deployed{}, steps[0])
	again, err := template.Render(b, b.Environment("dev"), template.Options{Deployed: half})
	if err != nil {
		t.Fatal(err)
	}
	if rest := template.Steps(half, again); len(rest) >= len(steps) {
		t.Errorf("%d updates came before the last one, and %d after one of them: %q", len(steps), len(rest), rest[0].Why)
	}
}
