package identitypool_test

import (
	"errors"
	"fmt"
	"sync"
	"testing"
)

func TestParallelRequestsGetOneIdentity(t *testing.T) {
	t.Parallel()
	w := newFixture(t, dev())
	w.addUser(dev(), "ada")
	login := logins(dev(), w.signIn(dev(), "ada").ID)
	guests := make([]string, 8)
	for i := range guests {
		guests[i] = w.guest(dev()).IdentityID
	}
	var mu sync.Mutex
	seen := make(map[string]bool)
	var asking sync.WaitGroup
	for i, guest := range guests {
		asking.Go(func() {
			operation, in := "GetId", map[string]any{"IdentityPoolId": dev().IdentityPoolID, "Logins": login}
			if i%2 == 0 {
				operation, in = "GetCredentialsForIdentity", map[string]any{"IdentityId": guest, "Logins": login}
			}
			a, err := w.ask(operation, in)
			if err != nil {
				t.Error(err)
			}
			mu.Lock()
			defer mu.Unlock()
			seen[a.IdentityID] = true
		})
	}
	asking.Wait()
	if len(seen) != 1 {
		t.Errorf("the identities are %v", seen)
	}
}

func TestGuestIdentityBecomesAUsersWhoHasNone(t *testing.T) {
	t.Parallel()
	w := newFixture(t, dev())
	w.addUser(dev(), "ada")
	w.addUser(dev(), "bob")
	guest := w.guest(dev())
	ask := func(id, user string) (answer, error) {
		return w.ask("GetCredentialsForIdentity", map[string]any{"IdentityId": id, "Logins": logins(dev(), w.signIn(dev(), user).ID)})
	}
	linked, err := ask(guest.IdentityID, "ada")
	w.must(err)
	if linked.IdentityID != guest.IdentityID {
		t.Fatalf("the user got %s, the guest was %s", linked.IdentityID, guest.IdentityID)
	}
	if got := w.member(dev(), w.signIn(dev(), "ada").ID).IdentityID; got != guest.IdentityID {
		t.Errorf("later the user is %s", got)
	}
	_, err = w.session("dev", guest)
	if refused(t, err, "UnrecognizedClientException"); errors.Unwrap(err) == nil {
		t.Error("the reason why the guest's credentials ended is missing")
	}
	forbidden := "Access to Identity '" + guest.IdentityID + "' is forbidden."
	_, err = w.ask("GetCredentialsForIdentity", map[string]any{"IdentityId": guest.IdentityID})
	if got := refused(t, err, "NotAuthorizedException"); got != forbidden {
		t.Errorf("without Logins: %q", got)
	}
	_, err = ask(guest.IdentityID, "bob")
	if got := refused(t, err, "NotAuthorizedException"); got != forbidden {
		t.Errorf("with the Logins of another user: %q", got)
	}
	later, err := ask(w.guest(dev()).IdentityID, "ada")
	w.must(err)
	if later.IdentityID != guest.IdentityID {
		t.Errorf("a user who has an identity got another one: %s", later.IdentityID)
	}
}

func TestGuestIdentityBecomesOneUsersOnly(t *testing.T) {
	t.Parallel()
	w := newFixture(t, dev())
	const rounds, users = 20, 4
	for round := range rounds {
		guest := w.guest(dev()).IdentityID
		var ask [users]map[string]any
		for i := range ask {
			name := fmt.Sprintf("user-%d-%d", round, i)
			w.addUser(dev(), name)
			ask[i] = map[string]any{"IdentityId": guest, "Logins": logins(dev(), w.signIn(dev(), name).ID)}
		}
		var mu sync.Mutex
		owners := make(map[string]int)
		var asking sync.WaitGroup
		for _, in := range ask {
			asking.Go(func() {
				if a, err := w.ask("GetCredentialsForIdentity", in); err == nil {
					mu.Lock()
					defer mu.Unlock()
					owners[a.IdentityID]++
				}
			})
		}
		asking.Wait()
		for id, n := range owners {
			if n != 1 {
				t.Fatalf("%d users have the identity %s", n, id)
			}
		}
		if owners[guest] != 1 {
			t.Fatalf("the guest's identity belongs to %d users", owners[guest])
		}
	}
}
