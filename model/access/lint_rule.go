package access

import (
	"fmt"

	"gatewright/internal/text/phrase"
)

// The rules of warnings about paths. A project with many paths may break one of them many
// times, so that a report sums them up (see RuleSentence).
const (
	RuleOpen              = "open-path"
	RuleNobody            = "nobody"
	RuleEmptyEntry        = "empty-entry"
	RuleUnusedGuests      = "unused-guests"
	RuleGuestsBeyondUsers = "guests-beyond-users"
	RuleGroupBelowUsers   = "group-below-users"
	RuleSeveralGroups     = "several-groups"
	RuleOtherRuleBelow    = "other-rule-below"
	RuleTakesBeside       = "takes-beside"
	RuleTakesBelow        = "takes-below"
	RulePathName          = "path-name"
	RulePathCase          = "path-case"
	RuleSharedFunction    = "shared-function"
	RuleUnknownFunction   = "unknown-function"
	RuleUnknownGroup      = "unknown-group"
	RuleNoUserPool        = "no-user-pool"
	RuleUnusableName      = "unusable-name"
	RuleAmplifyPath       = "amplify-path"
	RuleRefusedByAWS      = "refused-by-aws"
)

// ruleWords says of each rule what is wrong with paths, and what to do. The verb is given
// for one path and for several.
var ruleWords = map[string]struct{ one, several, rest, fix string }{
	RuleOpen: {
		"is", "are", "open to everybody in the world",
		"restrict them, or leave them if that is meant",
	},
	RuleNobody: {"lets", "let", "nobody in", "grant actions to signed-in users, guests or a group"},
	RuleEmptyEntry: {
		"has", "have", "an entry without actions, which lets its callers do nothing",
		"grant an action, or leave it if that is meant",
	},
	RuleUnusedGuests: {
		"has", "have", "an entry for guests that does nothing while the setting is private",
		"use the setting protected, or remove the entry",
	},
	RuleGuestsBeyondUsers: {
		"lets", "let", "guests do what signed-in users may not",
		"grant it to signed-in users too, or revoke it from guests",
	},
	RuleGroupBelowUsers: {
		"lets", "let", "every signed-in user do what members of a group may not",
		"grant it to the group too, or leave it if that is meant",
	},
	RuleSeveralGroups: {
		"gives", "give", "members of several groups less than one of their groups may",
		"order the groups, or grant it to the first of them too",
	},
	RuleOtherRuleBelow: {
		"is", "are", "decided by another rule than a path above or next to it",
		"leave it if that is meant",
	},
	RuleTakesBeside: {
		"takes", "take", "requests from a path next to it",
		"add those requests as paths, or leave it if that is meant",
	},
	RuleTakesBelow: {
		"takes", "take", "all requests below another path to another function",
		"leave it if that is meant",
	},
	RulePathName: {"has", "have", "a name that gatewright would refuse in an edit", "rename them"},
	RulePathCase: {"differs", "differ", "from another path only in case", "give one another name"},
	RuleSharedFunction: {
		"is", "are", "restricted to one group and served by a function that serves other paths too",
		"give each a function of its own",
	},
	RuleUnknownFunction: {"names", "name", "a function that does not exist", "make it, or name another"},
	RuleUnknownGroup:    {"names", "name", "a group that does not exist", "make it, or name another"},
	RuleNoUserPool: {
		"asks", "ask", "for users or guests, and the project has no user pool", "run: amplify add auth",
	},
	RuleUnusableName: {"names", "name", "something that cannot exist", "name another"},
	RuleRefusedByAWS: {
		"is", "are",
		"refused by AWS in part: a policy cannot distinguish some requests from requests under another path",
		"give such paths the same rule, or move one of them below another first segment",
	},
	RuleAmplifyPath: {"is", "are", "not accepted by the Amplify CLI", "rename them"},
}

// RuleSentence sums up the problems of one rule in one API, whose paths are given without
// repetition: "34 paths of the API shop are open to everybody in the world, such as /a, /b
// and /c", and what to do. It is "" for a rule without words.
func RuleSentence(rule, api string, paths []string) (text, fix string) {
	const named = 3
	words, ok := ruleWords[rule]
	if !ok || len(paths) == 0 {
		return "", ""
	}
	verb := words.several
	if len(paths) == 1 {
		verb = words.one
	}
	var shown []string
	for _, path := range paths[:min(named, len(paths))] {
		shown = append(shown, phrase.Quote(path))
	}
	such := ", such as "
	if len(paths) <= named {
		such = ": "
	}
	who := phrase.Count(len(paths), "path")
	if api != "" {
		who += " of the API " + phrase.Quote(api)
	}
	return fmt.Sprintf("%s %s %s%s%s", who, verb, words.rest, such, phrase.Enumerated(shown)), words.fix
}
