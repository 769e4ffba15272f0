package board_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"gatewright/internal/text/prose"
	"gatewright/model"
	"gatewright/model/access"
	"gatewright/model/accesstest"
	"gatewright/test/depth"
	"gatewright/tui/dashboard/board"
)

func TestTheLinesOfAPushNameEveryRequestThatIsOpenedFirst(t *testing.T) {
	depth.WithoutRace(t)
	rapid.Check(t, func(t *rapid.T) {
		was, now := accesstest.Sides(t)
		found, complete := access.Compare(was.Gate(), now.Gate())
		lines := board.AccessLines(found, !complete, len(now.APIs))
		texts := prose.Texts(lines)
		var named []access.Difference
		groups := access.Grouped(found)
		for i, sentence := range access.Words(groups, len(now.APIs)) {
			at := slices.Index(texts, "▲ "+sentence)
			if at < 0 {
				continue
			}
			if lines[at].Tone != prose.Wider || at != i+1 {
				t.Fatalf("%q is line %d in tone %v", texts[at], at, lines[at].Tone)
			}
			if n := len(groups[i]); n > 1 && !strings.Contains(sentence, fmt.Sprint(" on ", n, " paths")) {
				t.Fatalf("%q is about %d", sentence, n)
			}
			named = append(named, groups[i]...)
		}
		if unnamed := accesstest.Unnamed(accesstest.SomeRaws(t), was, now, named, true); unnamed != "" {
			t.Fatalf("%s is not in %q", unnamed, texts)
		}
	})
}

func TestLinesThatAreLeftOutAreCounted(t *testing.T) {
	t.Parallel()
	// Groups of their own, so that no two lines are alike.
	api, now := &access.API{Label: "shop"}, &model.Backend{}
	for i := range 1000 {
		group := fmt.Sprint("group", i)
		now.Groups = append(now.Groups, group)
		rules := access.Access{Setting: access.Private}.With(access.Principal{Kind: access.Group, Group: group}, access.EveryAction)
		api.Paths = append(api.Paths, &access.Path{Name: fmt.Sprint("/p", i), Access: rules})
	}
	now.APIs = []*access.API{api}
	for _, tt := range []struct {
		was, now *model.Backend
		last     string
	}{{nil, now, "▲ and 600 more: run gatewright status -v"}, {now, nil, "▼ and 988 more: run gatewright status -v"}} {
		found, _ := access.Compare(tt.was.Gate(), tt.now.Gate())
		texts := prose.Texts(board.AccessLines(found, false, 1))
		if got := texts[len(texts)-2]; got != tt.last {
			t.Errorf("the last line is %q, wanted %q", got, tt.last)
		}
	}
	if texts := prose.Texts(board.AccessLines(nil, true, 1)); len(texts) < 2 || texts[1] != "▲ "+access.More {
		t.Errorf("that there is more is not said: %q", texts)
	}
}

func TestOneThatStandsAloneIsSeenBesideManyThatAreAlike(t *testing.T) {
	t.Parallel()
	now := &model.Backend{}
	for _, label := range []string{"many", "one"} {
		api := &access.API{Label: label}
		for i := range 50 {
			rules := access.Access{Setting: access.Open}
			if label == "one" {
				rules = access.Access{Setting: access.Protected}.With(access.Principal{Kind: access.Guest}, access.Actions(access.Update))
			}
			if label == "many" || i == 0 {
				api.Paths = append(api.Paths, &access.Path{Name: fmt.Sprint("/p", i), Access: rules})
			}
		}
		now.APIs = append(now.APIs, api)
	}
	found, _ := access.Compare(access.Gate{}, now.Gate())
	want := []string{
		"access: 51 more open",
		"▲ API one: guests may now update under /p0 (PUT /p0)",
		"▲ everybody may now do everything on 50 paths of API many: /p0, ",
	}
	got := prose.Texts(board.AccessLines(found, false, 2))
	if len(got) != 4 || !slices.Equal(got[:2], want[:2]) || !strings.HasPrefix(got[2], want[2]) || !strings.HasSuffix(got[2], " and /p49 (POST /p0)") {
		t.Errorf("the lines are %q", got)
	}
}
