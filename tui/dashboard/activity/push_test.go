package activity

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"gatewright/internal/text/prose"
	"gatewright/model"
	"gatewright/model/access"
	"gatewright/tui/dashboard/board"
)

func TestThePreviewOfAPushBeginsWithWhoMayDoMore(t *testing.T) {
	t.Parallel()
	api := func(paths ...*access.Path) *model.Backend {
		return &model.Backend{APIs: []*access.API{{Label: "shop", Paths: paths}}}
	}
	users := func(name string, actions access.Actions) *access.Path {
		return &access.Path{Name: name, Access: access.Access{Setting: access.Private}.With(access.Principal{Kind: access.Authenticated}, actions)}
	}
	was, now := api(users("/a", access.EveryAction)), api(users("/a", access.ActionSet(access.Read)), users("/b\x1b", access.ActionSet(access.Read)))
	want := []string{
		"access: 1 more open, 1 less open",
		`▲ signed-in users may now read under "/b\x1b" (GET "/b\x1b")`,
		"▼ signed-in users may no longer create, update and delete under /a (POST /a)",
		"",
	}
	lines := board.AccessLines(differences(was, now), false, 1)
	if got := prose.Texts(lines); !slices.Equal(got, want) || lines[1].Tone != prose.Wider {
		t.Errorf("the lines are %q, the first in tone %v", got, lines[1].Tone)
	}
	if got := board.AccessLines(nil, false, 1); got != nil {
		t.Errorf("without a difference the lines are %q", got)
	}
	for i := range 20 {
		now.APIs[0].Paths = append(now.APIs[0].Paths, users(fmt.Sprintf("/more%d", i), access.EveryAction))
	}
	got := prose.Texts(board.AccessLines(differences(was, now), false, 2))
	if want := "▲ signed-in users may now create, read, update and delete on 20 paths of API shop: /more0, /more1, "; len(got) != 5 || !strings.HasPrefix(got[2], want) {
		t.Errorf("the lines are %q", got)
	}
}

func differences(was, now *model.Backend) []access.Difference {
	all, _ := access.Compare(was.Gate(), now.Gate())
	return all
}
