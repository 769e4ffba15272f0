package model_test

import (
	"strings"
	"testing"

	"gatewright/model"
	"gatewright/model/access"
)

func TestEachKindHasItsRuleForNames(t *testing.T) {
	t.Parallel()
	long := func(n int) string { return strings.Repeat("a", n) }
	for kind, names := range map[model.Kind]struct{ good, bad []string }{
		model.KindAPI:         {[]string{"a", "shop", "Shop_1-x", "0xR", long(64)}, []string{"", "-a", "_a", "a b", "a.b", "é", long(65), "a/b", "..", "a\x00"}},
		model.KindFunction:    {[]string{"lambdaFunction", "f"}, []string{"", "f!", "f/g"}},
		model.KindTable:       {[]string{"abc", "a.b", "_-.", long(255)}, []string{"", "ab", "...", "a b c", long(256), "a/b"}},
		model.KindEnvironment: {[]string{"dev", "_", "-x", long(64)}, []string{"", "a.b", "a b", long(65), "a/b"}},
		model.KindGroup:       {[]string{"Admins", "a+b=c,d.e@f-g", long(64)}, []string{"", "a b", "a:b", long(65)}},
		model.KindPath: {
			[]string{"/", "/items", "/book/{isbn}", "/a_b", "/a.b", "/events:batchGet", "/{a}/{b.c}", "/v1/x-y", "/" + long(1023)},
			[]string{"", "items", "/items/", "//", "/a//b", "/a b", "/é", "/{a+}", "/{a", "/a{b}", "/{}", "/{a}/{a}", "/{proxy}", "/{proxy+}", "/a/{proxy+}", "/a/..", "/./a", "/" + long(1024), "/a\n"},
		},
	} {
		for _, name := range names.good {
			if err := model.CheckName(kind, name); err != nil {
				t.Errorf("%s %q is refused: %v", kind, name, err)
			}
		}
		for _, name := range names.bad {
			err := model.CheckName(kind, name)
			if err == nil {
				t.Errorf("%s %q is accepted", kind, name)
				continue
			}
			if line := err.Error(); strings.ContainsAny(line, "\n\x00\x1b") || len(line) > 400 || !strings.Contains(line, "; ") {
				t.Errorf("%s %q: the error is not one short line with a fix: %q", kind, name, line)
			}
		}
	}
}

func TestAPathErrorProposesTheNearestPathThatWorks(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]string{
		"items":         `path: items does not start with /; write /items`,
		"/items/":       `path: /items/ ends with /; write /items`,
		"/a//b":         `path: /a//b has an empty segment; remove one /`,
		"/u/{id}/{id}":  `path: /u/{id}/{id} has the variable {id} twice; give each variable its own name`,
		"/items ":       `path: "/items " has the segment "items "; use A-Z a-z 0-9 . _ : - or a whole variable such as {id}`,
		"/a/{proxy+}":   `path: /a/{proxy+} names the proxy resource; remove {proxy+}: every path already has it`,
		"/x/\x1b[31mhi": `path: "/x/\x1b[31mhi" has the segment "\x1b[31mhi"; use A-Z a-z 0-9 . _ : - or a whole variable such as {id}`,
	} {
		if _, err := access.ParsePath(path); err == nil || err.Error() != want {
			t.Errorf("%q:\n got %v\nwant %s", path, err, want)
		}
	}
}

func TestSuggestedNamesAreAccepted(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{"My Shop!": "My-Shop", "é": "api", "..": "api", "": "api", "a--b": "a-b", "9 lives": "9-lives"} {
		got := model.SuggestName(text, "api")
		if got != want || model.CheckName(model.KindAPI, got) != nil {
			t.Errorf("SuggestName(%q) = %q, want %q", text, got, want)
		}
	}
}
