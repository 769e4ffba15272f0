package board_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"gatewright/model"
	"gatewright/model/accesstest"
	"gatewright/prose"
	"gatewright/tui/dashboard/board"
)

func TestTheLinesOfAPushNameEveryRequestThatIsOpenedFirst(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		was, now := accesstest.Sides(t)
		found, complete := model.Compare(was, now)
		lines := board.AccessLines(found, !complete, len(now.APIs))
		texts := prose.Texts(lines)
		var named []model.AccessDifference
		for i, sentence := range model.AccessSentences(found, len(now.APIs)) {
			at := slices.Index(texts, "▲ "+sentence)
			if at < 0 {
				continue
			}
			if named = append(named, found[i]); lines[at].Tone != prose.Wider || at != len(named) {
				t.Fatalf("%q is line %d in tone %v", texts[at], at, lines[at].Tone)
			}
		}
		if unnamed := accesstest.Unnamed(was, now, named, true); unnamed != "" {
			t.Fatalf("%s is not in %q", unnamed, texts)
		}
	})
}

func TestLinesThatAreLeftOutAreCounted(t *testing.T) {
	api := &model.API{Label: "shop"}
	for i := range 1000 {
		api.Paths = append(api.Paths, &model.Path{Name: "/p" + string(rune('a'+i%26)) + string(rune('a'+i/26)), Access: model.Access{Setting: model.Open}})
	}
	now := &model.Backend{APIs: []*model.API{api}}
	for _, tt := range []struct {
		was, now *model.Backend
		last     string
	}{{nil, now, "▲ and 600 more: run gatewright status -v"}, {now, nil, "▼ and 1988 more: run gatewright status -v"}} {
		found, _ := model.Compare(tt.was, tt.now)
		texts := prose.Texts(board.AccessLines(found, false, 1))
		if got := texts[len(texts)-2]; got != tt.last {
			t.Errorf("the last line is %q, wanted %q", got, tt.last)
		}
	}
	if texts := prose.Texts(board.AccessLines(nil, true, 1)); len(texts) < 2 || texts[1] != "▲ "+model.MoreAccess {
		t.Errorf("that there is more is not said: %q", texts)
	}
}
