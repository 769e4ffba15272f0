package keys_test

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"gatewright/tui/keys"
)

func TestNoKeyHasTwoMeanings(t *testing.T) {
	t.Parallel()
	of := make(map[string]string)
	for _, m := range keys.Meanings() {
		if m.Words == "" || len(m.Keys()) == 0 {
			t.Errorf("the meaning %q has the keys %q", m.Words, m.Keys())
		}
		for _, key := range m.Keys() {
			if other, taken := of[key]; taken {
				t.Errorf("%s means %q and %q", key, other, m.Words)
			}
			of[key] = m.Words
		}
	}
}

// TestTheTableOfKeysAgreesWithTheMeanings compares the lists of docs/reference/keys.md with the
// meanings.
func TestTheTableOfKeysAgreesWithTheMeanings(t *testing.T) {
	t.Parallel()
	const file = "../../docs/reference/keys.md"
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	row := regexp.MustCompile("(?m)^- (`.*`): (.+)$")
	table := make(map[string]string)
	var order []string
	for _, cells := range row.FindAllStringSubmatch(string(text), -1) {
		for _, key := range strings.Fields(cells[1]) {
			key = strings.Trim(key, "`")
			if table[key] != "" {
				t.Errorf("%s: %s is in the lists twice", file, key)
			}
			table[key] = cells[2]
			order = append(order, key)
		}
	}
	for _, m := range keys.Meanings() {
		keys := m.Keys()
		line := fmt.Sprintf("- `%s`: %s", strings.Join(keys, "` `"), m.Words)
		for _, key := range keys {
			if table[key] != m.Words {
				t.Errorf("%s: %s means %q in tui/keys/meaning.go, and %q there; the row is\n%s", file, key, m.Words, table[key], line)
			}
			delete(table, key)
		}
	}
	for _, key := range order {
		if words, left := table[key]; left {
			t.Errorf("%s: %s means %q there, and nothing in tui/keys/meaning.go: remove the row", file, key, words)
		}
	}
}

// pressOf is the message of a key.
func pressOf(name string) tea.KeyPressMsg {
	switch name {
	case "esc":
		return tea.KeyPressMsg{Code: tea.KeyEscape}
	case "space":
		return tea.KeyPressMsg{Code: tea.KeySpace, Text: " "}
	}
	return tea.KeyPressMsg{Code: []rune(name)[0], Text: name}
}

// pressed runs what a key is bound to, and reports whether it is bound.
func pressed(all []keys.Binding, key tea.KeyPressMsg, typing bool) bool {
	b, found := keys.Find(all, key, typing)
	if found && b.Do != nil && b.Disabled == "" {
		b.Do()
	}
	return found && b.Do != nil
}

func TestAKeyRunsTheFirstEnabledAction(t *testing.T) {
	t.Parallel()
	did := ""
	does := func(name string) func() tea.Cmd { return keys.NoCmd(func() { did = name }) }
	all := []keys.Binding{
		keys.Back.Does("a", "", does("a")).Unless("", "it is not there"),
		keys.Back.Does("b", "", does("b")),
		keys.Back.Does("c", "", does("c")),
		keys.Choose.Does("d", "", does("d")),
		keys.Push.Does("e", "", does("e")).Unless("there is none", "another reason").Shown(),
	}
	all[3].OverText = true
	for _, row := range []struct {
		key    string
		typing bool
		found  bool
		want   string
	}{
		{"esc", false, true, "b"},
		{"esc", true, true, "b"},
		{"space", true, true, "d"},
		{"p", false, true, ""},
		{"p", true, false, ""},
		{"x", false, false, ""},
	} {
		did = ""
		if found := pressed(all, pressOf(row.key), row.typing); found != row.found || did != row.want {
			t.Errorf("%s, typing %t: it did %q, found %t", row.key, row.typing, did, found)
		}
	}
	if all[4].Footer || all[4].Describe() != "e (not now: there is none)" {
		t.Errorf("what cannot be done says %q, in the footer: %t", all[4].Describe(), all[4].Footer)
	}
	if !pressed([]keys.Binding{keys.Letter('ä', "", does("f"))}, pressOf("Ä"), false) {
		t.Error("a capital does not press its button")
	}
	names := keys.Up.Does("", "", nil)
	if got := names.KeyNames(); got != "↑, k" || !slices.Equal(names.Keys(), []string{"up", "k"}) {
		t.Errorf("its keys are %q", got)
	}
}
