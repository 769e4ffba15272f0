package assertion_test

import (
	"errors"
	"strings"
	"testing"

	"gatewright/model/assertion"
)

func TestSentencesAreRead(t *testing.T) {
	t.Parallel()
	for _, text := range strings.Split(assertion.Grammar, "\n") {
		if _, err := assertion.Parse(text); err != nil {
			t.Errorf("%s: %v", text, err)
		}
	}
	for _, text := range []string{
		"Guests never DELETE.",
		"guests may not delete under /books and /covers",
		"members of Editors cannot create, update or delete below /books",
		`"A, B" may GET /`,
		"Editors, Admins, and group:users may read and update /books/{isbn}",
		"nobody may DELETE", "nobody", "no one but Admins and Owners may anything under /admin in API shop",
		"only Admins may DELETE /books/*",
		"signed-in users in no group never POST",
		"guests may only read except /admin/*",
		"no path under /admin is open", "no path is open", "no path is open except /health and /public/* of API shop",
		"authenticated users must never PATCH to /books",
		"members of both Editors and Admins never DELETE", `a member of both "A, B", Editors and Admins may GET`,
		"user alice may GET /", "user alice in Editors never DELETE", "user alice in both Editors and Admins and guests never DELETE",
		"user may GET /", "user and guests never DELETE",
		"Editors may PATCH, POST but not PUT under /books except /books/{isbn}/lock",
		"guests and Editors may do no more than signed-in users of function books in environment prod",
		"each path under /admin needs a sign-in except /admin/login of API shop",
		"exactly 1 path is open under /public", "at least 0 paths let guests and Editors read /books in environment dev",
	} {
		if _, err := assertion.Parse(text); err != nil {
			t.Errorf("%s: %v", text, err)
		}
	}
}

func TestWhatATestIsForIsKept(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"guests never DELETE  because of é, and /more":    "of é, and /more",
		`guests never DELETE because a "shelf of 6 fits`:  `a "shelf of 6 fits`,
		`guests never DELETE because "because" is a word`: `"because" is a word`,
	} {
		if s, err := assertion.Parse(text); err != nil || s.Because != want {
			t.Errorf("%s: %q, %v", text, s.Because, err)
		}
	}
}

func TestWhatIsNoSentenceSaysWhere(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                                  "column 1 ",
		"guests":                            "column 7 of the test expects may, may only, may no more than or never",
		"never DELETE":                      "column 1 of the test expects callers",
		"guests never DELETES /books":       `column 14 of the test expects a method, an action or a path, not DELETES`,
		"guests never OPTIONS /books":       "column 14 ",
		"guests never DELETE books":         "column 21 ",
		"guests never DELETE /books//x":     `column 21 of the test has the path /books//x, which has an empty segment`,
		"guests never DELETE /books/":       "has an empty segment",
		"guests never DELETE /boo*":         "has the segment",
		"guests never DELETE /books?x=1":    "has a query",
		"no path is opened":                 "column 9 of the test expects: no path is open",
		`"Editors may GET`:                  "column 1 of the test has a quote without an end",
		"Editors and may GET /books":        "column 13 ",
		"guests never DELETE except":        "expects a path",
		"guests never DELETE of API":        "expects the name of one API, function or environment",
		"é never DELETE \x1b[31m":           "column 16 ",
		"guests may only only GET /books":   "column 17 ",
		"guests never DELETE /books /books": "column 28 ",
	} {
		_, err := assertion.Parse(text)
		var misread *assertion.Misread
		if !errors.As(err, &misread) || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
		if err != nil && strings.ContainsAny(err.Error(), "\x1b\n") {
			t.Errorf("%q: the error has control characters", text)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, text := range strings.Split(assertion.Grammar, "\n") {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if _, err := assertion.Parse(text); err != nil && strings.ContainsAny(err.Error(), "\n\x1b") {
			t.Errorf("the error of %q is %q", text, err)
		}
	})
}
