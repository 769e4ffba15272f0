package userpool_test

import (
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

// runParallel runs a function many times in parallel and counts the results.
func runParallel(many int, do func(i int) error) (good int, refusals map[string]int) {
	var all sync.WaitGroup
	var mu sync.Mutex
	refusals = make(map[string]int)
	for i := range many {
		all.Go(func() {
			err := do(i)
			mu.Lock()
			defer mu.Unlock()
			if err == nil {
				good++
			} else {
				refusals[err.Error()]++
			}
		})
	}
	all.Wait()
	return good, refusals
}

func TestParallelPasswordsDoNotAvoidTheDelay(t *testing.T) {
	t.Parallel()
	w := newFixture(t, nil)
	w.addConfirmed("ada")
	for _, name := range []string{"ada", "nobody"} {
		good, refusals := runParallel(40, func(int) error {
			_, err := w.try("InitiateAuth", byPassword(name, "Wrong-horse 7"))
			return err
		})
		if looked := refusals["NotAuthorizedException: Incorrect username or password."]; good != 0 || looked != 5 {
			t.Errorf("%s: %d passwords were checked and %d were right: %v", name, looked, good, refusals)
		}
	}
}

func TestUserSignsInManyTimesInParallel(t *testing.T) {
	t.Parallel()
	w := newFixture(t, nil)
	w.addConfirmed("ada")
	if good, refusals := runParallel(16, func(int) error {
		_, err := w.try("InitiateAuth", byPassword("ada", password))
		return err
	}); good != 16 {
		t.Errorf("%d of 16 signed in: %v", good, refusals)
	}
}

func TestParallelAnswersUseAChallengeOnce(t *testing.T) {
	t.Parallel()
	w := newFixture(t, withMFA("REQUIRED", "SMS"))
	w.addConfirmed("ada", "phone_number=+41791234567")
	c := newSRPClient(t)
	proof := c.answer(w.do("InitiateAuth", c.begin("ada")), password)
	var challenge atomic.Pointer[object]
	good, _ := runParallel(8, func(int) error {
		out, err := w.try("RespondToAuthChallenge", proof)
		if err == nil {
			challenge.Store(&out)
		}
		return err
	})
	if good != 1 {
		t.Fatalf("the proof was accepted %d times", good)
	}
	answer := respond(*challenge.Load(), "ada", object{"SMS_MFA_CODE": w.message().Code})
	if good, refusals := runParallel(8, func(int) error {
		_, err := w.try("RespondToAuthChallenge", answer)
		return err
	}); good != 1 {
		t.Errorf("the code was accepted %d times: %v", good, refusals)
	}
}

func TestParallelAttemptsAtACodeAreBounded(t *testing.T) {
	t.Parallel()
	w := newFixture(t, nil)
	w.addSignedUp("ada", "email=ada@example.com")
	code := w.message().Code
	_, refusals := runParallel(30, func(int) error {
		_, err := w.try("ConfirmSignUp", object{"Username": "ada", "ConfirmationCode": other(code)})
		return err
	})
	mismatches := 0
	for message, count := range refusals {
		if strings.HasPrefix(message, "CodeMismatchException") {
			mismatches += count
		}
	}
	if mismatches != 5 {
		t.Errorf("%d codes were checked: %v", mismatches, refusals)
	}
}

func TestParallelChangesLoseNothing(t *testing.T) {
	t.Parallel()
	w := newFixture(t, nil, "A", "B", "C", "D", "E", "F", "G", "H")
	w.addConfirmed("ada")
	if good, refusals := runParallel(8, func(i int) error {
		_, err := w.try("AdminAddUserToGroup", object{"Username": "ada", "GroupName": string(rune('A' + i))})
		return err
	}); good != 8 {
		t.Fatal(refusals)
	}
	if user, err := w.pools.User(poolID, "ada"); err != nil || len(user.Groups) != 8 {
		t.Errorf("the user is in %v (%v)", user.Groups, err)
	}
}
