package definitions

import (
	tea "charm.land/bubbletea/v2"

	"gatewright/internal/text/phrase"
	"gatewright/internal/text/prose"
	"gatewright/model"
	"gatewright/model/edit"
	"gatewright/tui/dialog"
)

// momentMeanings say when the user pool calls a function, and what that may do.
var momentMeanings = map[model.Moment]string{
	model.PreSignUp:                   "called before a user is added; it may refuse the user, or confirm one at once",
	model.PostConfirmation:            "called when a user has been confirmed, or has set a new password with a code",
	model.PreAuthentication:           "called when somebody begins to sign in; it may refuse that",
	model.PostAuthentication:          "called when a user has signed in, before there are tokens",
	model.CustomMessage:               "called before a message to a user is sent; it writes the message",
	model.PreTokenGeneration:          "called before tokens are made; it changes the claims of the id token",
	model.PreTokenGenerationV2:        "like preTokenGeneration, and it changes the access token too",
	model.DefineAuthChallenge:         "decides what comes next in a sign-in with challenges of your own",
	model.CreateAuthChallenge:         "makes a challenge of your own",
	model.VerifyAuthChallengeResponse: "checks the answer to a challenge of your own",
	model.UserMigration: "called for a user whom the pool does not have, who signs in or has forgotten a " +
		"password",
}

// triggerRows are the functions that the user pool calls, with a row for each moment.
func triggerRows(b *model.Backend) []*row {
	head := &row{is: triggersRow, id: "auth triggers", kind: model.KindAuth, name: "  triggers", value: "-", from: notSet}
	if n := len(b.Triggers); n > 0 {
		head.value, head.from = phrase.Count(n, "trigger"), byDefinition
	}
	rows := []*row{head}
	for _, at := range model.Moments {
		r := &row{
			is: triggerRow, id: "auth trigger " + string(at), kind: model.KindAuth, name: "    " + string(at),
			value: "-", from: notSet, moment: at,
		}
		if function := b.TriggerAt(at); function != "" {
			r.value, r.from = prose.PrintableStart(function), byDefinition
		}
		rows = append(rows, r)
	}
	return rows
}

// editTrigger asks which function the user pool calls at a moment.
func (t *Tab) editTrigger(at model.Moment) tea.Cmd {
	b := t.board.Snap.Backend
	now := b.TriggerAt(at)
	all := items(append([]string{notSet}, b.Names(model.KindFunction)...))
	for i, item := range all {
		if item.Key == now || now == "" && item.Key == notSet {
			all[i].Detail = "current"
		}
	}
	d := dialog.Choose("Function at "+string(at), all, "", func(word string) tea.Cmd {
		if word == notSet {
			word = ""
		}
		return t.setTrigger(at, word)
	})
	return t.board.Open(d, func() tea.Cmd { return t.editTrigger(at) })
}

func (t *Tab) setTrigger(at model.Moment, function string) tea.Cmd {
	done := "set trigger " + string(at)
	if function == "" {
		done = "removed trigger " + string(at)
	}
	return t.board.Change(done, func(b *model.Backend) error { return edit.SetTrigger(b, at, function) })
}
