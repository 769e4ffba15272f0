package flow_test

import (
	"strings"
	"testing"

	"gatewright/flow/session"
	"gatewright/model"
	"gatewright/model/access"
	"gatewright/model/edit"
)

func TestNewsSayWhatChangedAndWhatItOpened(t *testing.T) {
	t.Parallel()
	path := func(name string, rules access.Access) func(*model.Backend) error {
		return func(b *model.Backend) error {
			return edit.AddPath(b, "shop", &access.Path{Name: name, Function: "items", Access: rules})
		}
	}
	read := access.Access{Setting: access.Private}.With(users, access.ActionSet(access.Read))
	for want, change := range map[string]func(*model.Backend) error{
		"": func(*model.Backend) error { return nil },
		"shop /status changed outside: ▲ everybody may now do everything under /status": path("/status", access.Access{Setting: access.Open}),
		"shop /items changed outside: ▲ guests may now delete under /items": ruled(func(a access.Access) access.Access {
			return a.With(guests, access.ActionSet(access.Read, access.Delete))
		}),
		"shop /news (gone) changed outside: it opened nothing": func(b *model.Backend) error { return edit.RemovePath(b, "shop", "/news") },
		"API shop (gone) changed outside: it opened nothing": func(b *model.Backend) error {
			return edit.Remove(b, model.Ref{Kind: model.KindAPI, Name: "shop"}, true)
		},
		"table tab changed outside: it opened nothing": func(b *model.Backend) error {
			return edit.AddTable(b, &model.Table{Name: "tab", PartitionKey: model.Key{Name: "id", Type: model.StringKey}})
		},
		"shop /a, shop /b, shop /c and 1 more changed outside: ▲ signed-in users may now read": func(b *model.Backend) error {
			for _, name := range []string{"/a", "/b", "/c", "/d"} {
				must(t, path(name, read)(b))
			}
			return nil
		},
	} {
		was := shop(t)
		news := session.NewsOf(was, after(t, was, change))
		opened := len(want) > 0 && !strings.Contains(want, "opened nothing")
		if !strings.Contains(news.Text, want) || want == "" && news.Text != "" || news.Opened != opened {
			t.Errorf("it says %q, opened: %v, want %q", news.Text, news.Opened, want)
		}
	}
}
