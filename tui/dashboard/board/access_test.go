package board_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"gatewright/internal/text/prose"
	"gatewright/model"
	"gatewright/model/accesstest"
	"gatewright/test/depth"
	"gatewright/tui/dashboard/board"
)

func TestTheLinesOfAPushNameEveryRequestThatIsOpenedFirst(t *testing.T) {
	depth.WithoutRace(t)
	rapid.Check(t, func(t *rapid.T) {
		was, now := accesstest.Sides(t)
		found, complete := model.Compare(was.Gate(), now.Gate())
		lines := board.AccessLines(found, !complete, len(now.APIs))
		texts := prose.Texts(lines)
		var named []model.AccessDifference
		groups := model.Alike(found)
		for i, sentence := range model.AccessWords(groups, len(now.APIs)) {
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
		if unnamed := accesstest.Unnamed(was, now, named, true); unnamed != "" {
			t.Fatalf("%s is not in %q", unnamed, texts)
		}
	})
}

func TestLinesThatAreLeftOutAreCounted(t *testing.T) {
	t.Parallel()
	// Groups of their own, so that no two lines are alike.
	api, now := &model.API{Label: "shop"}, &model.Backend{}
	for i := range 1000 {
		group := fmt.Sprint("group", i)
		now.Groups = append(now.Groups, group)
		access := model.Access{Setting: model.Private}.With(model.Principal{Kind: model.Group, Group: group}, model.EveryAction)
		api.Paths = append(api.Paths, &model.Path{Name: fmt.Sprint("/p", i), Access: access})
	}
	now.APIs = []*model.API{api}
	for _, tt := range []struct {
		was, now *model.Backend
		last     string
	}{{nil, now, "▲ and 600 more: run gatewright status -v"}, {now, nil, "▼ and 988 more: run gatewright status -v"}} {
		found, _ := model.Compare(tt.was.Gate(), tt.now.Gate())
		texts := prose.Texts(board.AccessLines(found, false, 1))
		if got := texts[len(texts)-2]; got != tt.last {
			t.Errorf("the last line is %q, wanted %q", got, tt.last)
		}
	}
	if texts := prose.Texts(board.AccessLines(nil, true, 1)); len(texts) < 2 || texts[1] != "▲ "+model.MoreAccess {
		t.Errorf("that there is more is not said: %q", texts)
	}
}

func TestOneThatStandsAloneIsSeenBesideManyThatAreAlike(t *testing.T) {
	t.Parallel()
	now := &model.Backend{}
	for _, label := range []string{"many", "one"} {
		api := &model.API{Label: label}
		for i := range 50 {
			access := model.Access{Setting: model.Open}
			if label == "one" {
				access = model.Access{Setting: model.Protected}.With(model.Principal{Kind: model.Guest}, model.Actions(model.Update))
			}
			if label == "many" || i == 0 {
				api.Paths = append(api.Paths, &model.Path{Name: fmt.Sprint("/p", i), Access: access})
			}
		}
		now.APIs = append(now.APIs, api)
	}
	found, _ := model.Compare(model.Gate{Guests: true}, now.Gate())
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
