//go:build unix

package cloud

import (
	"net/http"
	"regexp"
	"strings"
	"testing"
)

// noLayer is a layer that nobody has. A definition cannot know that, and so a push fails by it.
const noLayer = "arn:aws:lambda:eu-central-1:" + devAccount + ":layer:none:1"

// TestAPushThatFailsLeavesEverythingAsItWas makes pushes fail in the stand-in.
func TestAPushThatFailsLeavesEverythingAsItWas(t *testing.T) {
	m := newMachine(t)
	m.must(shop + `
		push --yes
	`)
	asked := []string{"/items", "/items/1", "/news", "/drafts", "/drafts/1", "/books"}
	for _, tt := range []struct{ name, change, takeBack string }{
		{
			name:     "in its only update",
			change:   "update path shop /items --guest all\n add path shop /books --function news --open\n update function drafts --layer " + noLayer,
			takeBack: "update path shop /items --guest read\n remove path shop /books\n update function drafts --layer=",
		},
		{
			name:     "in the second of two updates",
			change:   "remove path shop /news\n update function drafts --layer " + noLayer,
			takeBack: "add path shop /news --function news --open\n update function drafts --layer=",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m := m.of(t)
			type seen struct{ answers, status, client, record string }
			look := func() seen {
				// What another machine reads comes from the stack alone.
				other := m.another()
				other.must("env use dev --profile " + devProfile)
				status, _ := other.run(0, "status", "--json")
				return seen{
					// The stack does not say when it was last changed with success; the note tells
					// of the failure.
					answers: m.allAnswers(devAccount, asked), status: regexp.MustCompile(`(?m)^  "(pushed|note)": .*\n`).ReplaceAllString(status, ""), client: m.read("client_config.json"),
					record: m.read(".gatewright/deployed/dev/record.json"),
				}
			}
			before := look()
			m.must(tt.change)
			out, failure := m.run(1, "push", "--yes")
			oneLine(t, failure, "function drafts: could not be changed", "Layer version "+noLayer+" does not exist", "everything is as before")
			if strings.Contains(out, "pushed environment") {
				t.Errorf("a push that failed says:\n%s", out)
			}
			m.must(tt.takeBack)
			after := look()
			if after.answers != before.answers {
				t.Errorf("requests were answered\n%s\nand are now\n%s", before.answers, after.answers)
			}
			if after.status != before.status {
				t.Errorf("status of another machine was\n%s\nand is now\n%s", before.status, after.status)
			}
			if after.client != before.client {
				t.Errorf("the client configuration file was\n%s\nand is now\n%s", before.client, after.client)
			}
			if after.record != before.record {
				t.Errorf("the record was\n%s\nand is now\n%s", before.record, after.record)
			}
			out, _ = m.run(0, "status")
			if !strings.Contains(out, "no change") {
				t.Errorf("status of what is deployed is:\n%s", out)
			}
		})
	}
}

// allAnswers are the answers to requests of everybody, a line each.
func (m *machine) allAnswers(account string, paths []string) string {
	m.t.Helper()
	var requests []request
	for _, path := range paths {
		for _, who := range []string{"nobody", "guest", "user", "member"} {
			requests = append(requests, request{Who: who, Method: "GET", Path: path}, request{Who: who, Method: "POST", Path: path})
		}
	}
	var b strings.Builder
	for i, a := range m.send(account, requests...) {
		r := requests[i]
		b.WriteString(strings.Join([]string{r.Who, r.Method, r.Path, http.StatusText(a.Status), a.Body, "\n"}, " "))
	}
	return b.String()
}

// TestAFirstPushThatFailsIsTriedAgain makes the first push of an environment fail.
func TestAFirstPushThatFailsIsTriedAgain(t *testing.T) {
	m := newMachine(t)
	m.must(shop)
	m.run(0, "update", "function", "drafts", "--layer", noLayer)
	before := m.read("client_config.json")
	_, failure := m.run(1, "push", "--yes")
	oneLine(t, failure, "function drafts: could not be made", noLayer, "nothing is deployed")
	if after := m.read("client_config.json"); after != before {
		t.Errorf("the client configuration file was\n%s\nand is now\n%s", before, after)
	}
	out, note := m.run(0, "status")
	if !strings.Contains(out, "never pushed") {
		t.Errorf("status says:\n%s%s", out, note)
	}
	m.run(0, "update", "function", "drafts", "--layer=")
	m.run(0, "push", "--yes")
	m.answersAsCanSays(devAccount, "/items", "/drafts")
}
