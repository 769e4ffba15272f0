package userpool_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"gatewright/model"
)

func TestCodesAreSentToVerifiedAddresses(t *testing.T) {
	t.Parallel()
	both := []string{"email=ada@example.com", "phone_number=+41791234567"}
	for _, c := range []struct {
		name          string
		types         []string
		attributes    []string
		medium, to    string
		undeliverable bool
		destination   any
		verified      string
	}{
		{"nothing said: email", nil, both, "EMAIL", "ada@example.com", false, "a***@e***", "email"},
		{"email", []string{"email"}, both, "EMAIL", "ada@example.com", false, "a***@e***", "email"},
		{"phone", []string{"phone_number"}, both, "SMS", "+41791234567", false, "+*******4567", "phone_number"},
		{"both: the phone", []string{"email", "phone_number"}, both, "SMS", "+41791234567", false, "+*******4567", "phone_number"},
		{"both, no phone", []string{"email", "phone_number"}, both[:1], "EMAIL", "ada@example.com", false, "a***@e***", "email"},
		{"no address", nil, nil, "EMAIL", "", true, nil, ""},
		{"not that address", []string{"phone_number"}, both[:1], "SMS", "", true, nil, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newFixture(t, &model.Auth{UserVerificationTypes: c.types})
			out := w.addSignedUp("ada", c.attributes...)
			m := w.message()
			if m.Medium != c.medium || m.To != c.to || m.Undeliverable != c.undeliverable || m.Code == "" {
				t.Errorf("the message is %+v", m)
			}
			details, _ := out["CodeDeliveryDetails"].(object)
			if details["Destination"] != c.destination {
				t.Errorf("the delivery details are %v", details)
			}
			w.do("ConfirmSignUp", object{"Username": "ada", "ConfirmationCode": m.Code})
			_, values := w.adminView("ada")
			for _, name := range []string{"email", "phone_number"} {
				if got := values[name+"_verified"] == "true"; got != (name == c.verified) {
					t.Errorf("%s is verified: %v", name, got)
				}
			}
		})
	}
}

func TestCodeAllowsFiveWrongAttempts(t *testing.T) {
	t.Parallel()
	w := newFixture(t, nil)
	w.addSignedUp("ada", "email=ada@example.com")
	code := w.message().Code
	try := func(code string) object { return object{"Username": "ada", "ConfirmationCode": code} }
	for range 5 {
		w.wantRefused("ConfirmSignUp", try(other(code)), "CodeMismatchException", "Invalid verification code provided, please try again.")
		w.restart()
	}
	w.wantRefused("ConfirmSignUp", try(code), "LimitExceededException", "Attempt limit exceeded, please try after some time.")
	w.do("ResendConfirmationCode", object{"Username": "ada"})
	w.do("ConfirmSignUp", try(w.message().Code))
}

func TestNewCodesDoNotAvoidTheDelay(t *testing.T) {
	t.Parallel()
	w := newFixture(t, nil)
	w.addSignedUp("ada", "email=ada@example.com")
	mismatches := 0
	for range 50 {
		w.messages()
		w.do("ResendConfirmationCode", object{"Username": "ada"})
		code := w.message().Code
		for range 5 {
			_, err := w.try("ConfirmSignUp", object{"Username": "ada", "ConfirmationCode": other(code)})
			if err != nil && err.Error()[:12] == "CodeMismatch" {
				mismatches++
			}
		}
	}
	if mismatches != 10 {
		t.Errorf("%d codes could be tried without waiting", mismatches)
	}
	w.wait(time.Second)
	w.do("ResendConfirmationCode", object{"Username": "ada"})
	w.do("ConfirmSignUp", object{"Username": "ada", "ConfirmationCode": w.message().Code})
}

func TestCodesExpire(t *testing.T) {
	t.Parallel()
	w := newFixture(t, nil)
	const message = "Invalid code provided, please request a code again."
	w.addSignedUp("ada", "email=ada@example.com")
	code := w.message().Code
	w.wait(24 * time.Hour)
	w.wantRefused("ConfirmSignUp", object{"Username": "ada", "ConfirmationCode": code}, "ExpiredCodeException", message)
	w.do("ResendConfirmationCode", object{"Username": "ada"})
	again := w.message().Code
	w.wait(24*time.Hour - time.Second)
	w.do("ConfirmSignUp", object{"Username": "ada", "ConfirmationCode": again})

	w.do("ForgotPassword", object{"Username": "ada"})
	code = w.message().Code
	w.wait(time.Hour)
	w.wantRefused("ConfirmForgotPassword", object{"Username": "ada", "ConfirmationCode": code, "Password": password}, "ExpiredCodeException", message)
}

func TestOnlyTheLastCodeIsValid(t *testing.T) {
	t.Parallel()
	w := newFixture(t, nil)
	w.addSignedUp("ada", "email=ada@example.com")
	first := w.message().Code
	second := first
	for second == first {
		w.do("ResendConfirmationCode", object{"Username": "ada"})
		second = w.message().Code
	}
	w.wantRefused("ConfirmSignUp", object{"Username": "ada", "ConfirmationCode": first}, "CodeMismatchException", "")
	w.do("ConfirmSignUp", object{"Username": "ada", "ConfirmationCode": second})
}

func TestAnswersDoNotRevealWhichUsersExist(t *testing.T) {
	t.Parallel()
	w := newFixture(t, nil)
	w.addConfirmed("ada", "email=ada@example.com")
	for _, operation := range []string{"ForgotPassword", "ResendConfirmationCode"} {
		out := w.do(operation, object{"Username": "nobody"})
		details, _ := out["CodeDeliveryDetails"].(object)
		if details["DeliveryMedium"] != "EMAIL" || details["AttributeName"] != "email" || len(details["Destination"].(string)) != len("a***@e***") {
			t.Errorf("%s for an unknown user answers %v", operation, out)
		}
		if again := w.do(operation, object{"Username": "nobody"}); fmt.Sprint(again) != fmt.Sprint(out) {
			t.Errorf("%s for an unknown user answers %v, then %v", operation, out, again)
		}
	}
	if sent := w.messages(); len(sent) != 0 {
		t.Errorf("the message has no address: %v", sent)
	}
	w.addSignedUp("bob")
	if details, _ := w.do("ResendConfirmationCode", object{"Username": "bob"})["CodeDeliveryDetails"].(object); details["Destination"] == nil {
		t.Error("a user without an address differs from an unknown user")
	}
	w.wantRefused("ConfirmSignUp", object{"Username": "nobody", "ConfirmationCode": "123456"}, "CodeMismatchException", "Invalid verification code provided, please try again.")
}

func TestCodesOfUnknownUsersAreRefusedLikeThoseOfUsers(t *testing.T) {
	t.Parallel()
	w := newFixture(t, nil)
	w.addConfirmed("ada", "email=ada@example.com")
	w.addConfirmed("away", "email=away@example.com")
	w.do("AdminDisableUser", object{"Username": "away"})
	// seenWhileGuessing is the sequence of answers to somebody who requests codes and guesses
	// them.
	guessed := func(name string) (seen []string) {
		for i := range 40 {
			if i%7 == 1 {
				_, err := w.try("ForgotPassword", object{"Username": name})
				seen = append(seen, fmt.Sprint(err))
			}
			guess := "123456"
			if sent := w.messages(); len(sent) > 0 && sent[0].Code == guess {
				guess = other(guess)
			}
			_, err := w.try("ConfirmForgotPassword", object{"Username": name, "ConfirmationCode": guess, "Password": password})
			seen = append(seen, fmt.Sprint(err))
			w.wait(time.Duration(i) * time.Second)
		}
		w.wait(2 * time.Hour)
		_, err := w.try("ConfirmForgotPassword", object{"Username": name, "ConfirmationCode": "123456", "Password": password})
		return append(seen, fmt.Sprint(err))
	}
	ofUser := guessed("ada")
	for _, code := range []string{"CodeMismatch", "ExpiredCode", "LimitExceeded"} {
		if !strings.Contains(fmt.Sprint(ofUser), code) {
			t.Errorf("no guess gets %s: %q", code, ofUser)
		}
	}
	for _, name := range []string{"nobody", "away"} {
		if seen := guessed(name); fmt.Sprint(seen) != fmt.Sprint(ofUser) {
			t.Errorf("an unknown user sees with %s\n %q, a user\n %q", name, seen, ofUser)
		}
	}
}

// other is a different code.
func other(code string) string {
	if code[5] == '9' {
		return code[:5] + "0"
	}
	return code[:5] + string(code[5]+1)
}
