package model

import (
	"errors"
	"strings"
	"unicode"
	"unicode/utf8"

	"gatewright/internal/text/phrase"
	"gatewright/internal/text/spelling"
)

var (
	NameRule        = spelling.Rule{Min: 1, Max: 64, Punctuation: "_-", PlainStart: true}
	TableRule       = spelling.Rule{Min: 3, Max: 255, Punctuation: "_.-"}
	environmentRule = spelling.Rule{Min: 1, Max: 64, Punctuation: "_-"}
	groupRule       = spelling.Rule{Min: 1, Max: 64, Punctuation: "_+=,.@-"}
	variableRule    = spelling.Rule{Min: 1, Max: 1024, Punctuation: "_", LetterStart: true}
)

// CheckName checks the name of a thing of a kind. The error is a *Problem whose Field is the
// kind, or "label" for an API.
func CheckName(kind Kind, name string) error {
	bad := func(text, fix string) error {
		return &Problem{Field: NameField(kind), Text: text, Fix: fix}
	}
	if name == "" {
		return bad("is empty", "give a name")
	}
	switch kind {
	case KindPath:
		return CheckPath(name)
	case KindTable:
		if !TableRule.Accepts(name) {
			return bad(phrase.Quote(name)+" is not a name for a table", "use 3 to 255 of A-Z a-z 0-9 _ . -")
		}
		if name[0] == '.' {
			return bad(phrase.Quote(name)+" is not a name for a table: its folder would be hidden",
				"start it with something other than a dot")
		}
	case KindEnvironment:
		if !environmentRule.Accepts(name) {
			return bad(phrase.Quote(name)+" is not a name for an environment, which is a segment of its URLs",
				"use 1 to 64 of A-Z a-z 0-9 _ -")
		}
	case KindGroup:
		if !groupRule.Accepts(name) {
			return bad(phrase.Quote(name)+" is not a name for a group", "use 1 to 64 of A-Z a-z 0-9 _ + = , . @ -")
		}
	default:
		if !NameRule.Accepts(name) {
			return bad(phrase.Quote(name)+" is not a name for "+article(kind),
				"use 1 to 64 of A-Z a-z 0-9 _ -, a letter or digit first")
		}
	}
	return nil
}

// CheckReadName is CheckName for a name in a file that the Amplify CLI may have written: a
// group may have every name that a user pool allows.
func CheckReadName(kind Kind, name string) error {
	if kind != KindGroup {
		return CheckName(kind, name)
	}
	if n := len([]rune(name)); n < 1 || n > 128 || !utf8.ValidString(name) || strings.ContainsFunc(name, notPrintable) {
		return &Problem{
			Field: "group", Text: phrase.Quote(name) + " is not a name for a group",
			Fix: "use 1 to 128 printable characters without space",
		}
	}
	return nil
}

// AddingGroup says how a group that a path names comes into the pool of the backend, or that none can have its name.
func (b *Backend) AddingGroup(name string) string {
	var wrong *Problem
	switch {
	case errors.As(CheckReadName(KindGroup, name), &wrong):
		return "that group name is not allowed: " + wrong.Fix
	case b.Defines(KindGroup) && CheckName(KindGroup, name) != nil:
		return "gatewright creates no group of that name; use another one in the path"
	case b.Defines(KindGroup):
		return "add it with: gatewright add group " + ShellWord(name)
	}
	return "add it with: " + b.Adding(KindGroup)
}

func notPrintable(r rune) bool { return unicode.IsSpace(r) || !unicode.IsPrint(r) }

// CheckVariableName checks the name of an environment variable or a secret.
func CheckVariableName(name string) error {
	if !variableRule.Accepts(name) {
		return &Problem{
			Field: "variable", Text: phrase.Quote(name) + " is not a name for an environment variable",
			Fix: "use A-Z a-z 0-9 _, a letter first",
		}
	}
	return nil
}

// NameField is what the field with the name of a thing is called: "label" for an API, else the kind.
func NameField(kind Kind) string {
	if kind == KindAPI {
		return "label"
	}
	return string(kind)
}

func article(kind Kind) string {
	if strings.ContainsRune("aeio", rune(kind[0])) {
		return "an " + kind.Noun()
	}
	return "a " + kind.Noun()
}

// SuggestName makes a valid name for an API, a function, an output or a project from any text: "Méine Bücher!"
// becomes "M-ine-B-cher". It is fallback if the text has no letter or digit that a name may have.
func SuggestName(text, fallback string) string {
	var b strings.Builder
	for _, r := range text {
		switch {
		case r < unicode.MaxASCII && (unicode.IsLetter(r) || unicode.IsDigit(r)):
			b.WriteRune(r)
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "-"):
			b.WriteByte('-')
		}
		if b.Len() == 64 {
			break
		}
	}
	if name := strings.TrimRight(b.String(), "-"); name != "" {
		return name
	}
	return fallback
}

// SplitList returns the elements of a list that is separated by commas, without spaces around
// them and without empty ones.
func SplitList(text string) []string {
	var list []string
	for part := range strings.SplitSeq(text, ",") {
		if part = strings.TrimSpace(part); part != "" {
			list = append(list, part)
		}
	}
	return list
}
