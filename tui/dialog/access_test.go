package dialog_test

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"gatewright/flow/matrix"
	"gatewright/model"
	"gatewright/tui/dialog"
	"gatewright/tui/theme"
	"gatewright/tui/widget"
)

// alone is a path without others around it.
func alone(m matrix.Matrix) matrix.Matrix { return m }

func TestAccessIsEditedUndoneAndGivenOn(t *testing.T) {
	t.Parallel()
	users := model.Principal{}
	before := model.Access{Setting: model.Private}.With(users, model.ActionSet(model.Read))
	var saved *matrix.Matrix
	reviewed := false
	d := dialog.Access("Who may do what under /a?", matrix.Matrix{Path: "/a", Access: before, Before: &before, Groups: []string{"Admins"}}, alone, dialog.AccessThen{
		Keep: func(m matrix.Matrix) tea.Cmd {
			saved = &m
			return nil
		},
		Review: func(matrix.Matrix) tea.Cmd {
			reviewed = true
			return nil
		},
	})
	press := func(meanings ...widget.Meaning) string {
		for _, m := range meanings {
			m.Do(d.Bindings())
		}
		return d.View(theme.New(theme.None), 100, 30)
	}
	if view := press(widget.Choose); !strings.Contains(view, "▲ create and read") {
		t.Errorf("what is more open is not marked:\n%s", view)
	}
	if view := press(widget.Undo); strings.Contains(view, "▲ create") || !strings.Contains(view, "undid: signed-in users may create under /a") {
		t.Errorf("after undo it is marked still, or does not say what was undone:\n%s", view)
	}
	if view := press(widget.Redo); !strings.Contains(view, "▲ create and read") || !strings.Contains(view, "did again: signed-in users may create under /a") {
		t.Errorf("after redo it is not marked, or does not say so:\n%s", view)
	}
	press(widget.Undo)
	if view := press(widget.Right, widget.Choose, widget.Open); !strings.Contains(view, "this has to be mended first") {
		t.Errorf("a path for nobody is taken:\n%s", view)
	}
	press(widget.Choose, widget.Left, widget.Choose)
	if view := press(widget.Back); !strings.Contains(view, "esc again drops the changes") {
		t.Errorf("esc drops the changes without a word:\n%s", view)
	}
	press(widget.Open)
	then, ended := d.Ended()
	if !ended || then == nil {
		t.Fatal("the dialog has not ended")
	}
	then()
	if reviewed {
		t.Error("it is reviewed although it was only staged")
	}
	if saved == nil || saved.Access.Allowed(users) != model.ActionSet(model.Create, model.Read) {
		t.Errorf("saved is %+v", saved)
	}
}
