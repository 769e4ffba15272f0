package traffic

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"gatewright/internal/text/spelling"
)

// Filter is a condition on calls, made of words that must all hold. The zero value lets every
// call through. [Grammar] says what the words mean.
type Filter struct {
	tests []func(*Call, *Texts) bool
	// texts are the words that are looked for in what is shown. reads says that there is one,
	// maybe with a ! before it.
	texts []string
	reads bool
}

// Term is a form of the words of a filter, with what it means.
type Term struct{ Form, Means string }

// Grammar are the words of a filter. Help prints them. What a word means is in keys, states or
// readWord.
var Grammar = []Term{
	{"5xx", "with such a status; also 404"},
	{"failed", "the status is 5xx, or the function failed, took too long or died"},
	{"refused", "refused with 4xx before the function, or a preflight that browsers refuse"},
	{"cold", "a worker had to start; warm is the opposite"},
	{"breaks", "the request or its response breaks the contract, under sandbox --check-contract"},
	{"mocked", "answered with an example of the contract"},
	{"fn:orders", "called the function orders; * stands for any text, as in fn:ord*"},
	{"api:shop", "of the API shop"},
	{"path:/books", "to /books or below it"},
	{"as:emma", "by the user emma, a member of the group emma, or one of nobody, guest, user, member, unknown, function"},
	{"id:4f1c*", "with such an id of the request"},
	{"kind:schedule", "one of " + strings.Join(kindNames(), ", ")},
	{">200ms", "took longer; also <1s"},
	{"post", "with the method POST"},
	{"!word", "that the word does not match"},
	{"word", "any other word: with that text in a column"},
}

// keys are the words before a colon, with the test that the value makes.
var keys = map[string]func(value string) (func(*Call) bool, error){
	"fn":     named(func(c *Call) []string { return []string{c.Function} }),
	"api":    named(func(c *Call) []string { return []string{c.API} }),
	"id":     named(func(c *Call) []string { return []string{c.Request} }),
	"method": named(func(c *Call) []string { return []string{c.Method} }),
	"as":     named(callers),
	"path":   under,
	"kind":   ofKind,
}

// states are words for how a call went.
var states = map[string]func(*Call) bool{
	"failed":  func(c *Call) bool { return c.Failed },
	"refused": func(c *Call) bool { return c.Refused() },
	"breaks":  func(c *Call) bool { return len(c.Breaches) > 0 },
	"mocked":  func(c *Call) bool { return c.Mocked },
	"cold":    func(c *Call) bool { return c.Started > 0 },
	"warm":    func(c *Call) bool { return c.Started == 0 && c.Function != "" },
}

var methods = []string{"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"}

// ReadFilter reads a filter from words with spaces between them. The error is one line, for
// the first word that cannot be read.
func ReadFilter(text string) (Filter, error) {
	var f Filter
	for _, word := range strings.Fields(text) {
		positive, not := strings.CutPrefix(word, "!")
		if positive == "" {
			return Filter{}, errors.New("the filter ! needs a word after it, such as !refused")
		}
		ofCall, err := readWord(positive)
		if err != nil {
			return Filter{}, err
		}
		test := func(c *Call, _ *Texts) bool { return ofCall(c) }
		if ofCall == nil {
			lower := strings.ToLower(positive)
			test = func(_ *Call, t *Texts) bool { return t.have(lower) }
			f.reads = true
			if !not {
				f.texts = append(f.texts, lower)
			}
		}
		if not {
			f.tests = append(f.tests, func(c *Call, t *Texts) bool { return !test(c, t) })
		} else {
			f.tests = append(f.tests, test)
		}
	}
	return f, nil
}

// Matches reports whether every word holds for a call.
func (f Filter) Matches(c *Call) bool {
	var texts *Texts
	if f.reads {
		texts = c.Texts()
	}
	return f.MatchesTexts(c, texts)
}

// MatchesTexts is Matches for a call whose Texts are made already.
func (f Filter) MatchesTexts(c *Call, texts *Texts) bool {
	for _, test := range f.tests {
		if !test(c, texts) {
			return false
		}
	}
	return true
}

// Words are the words, in lower case, that are looked for in what is shown.
func (f Filter) Words() []string { return f.texts }

// Meant is a word of the grammar that a searched text may be a slip of, as a question; "" if
// none is. It is for a filter that nothing matches.
func (f Filter) Meant() string {
	known := slices.Collect(maps.Keys(states))
	for _, m := range methods {
		known = append(known, strings.ToLower(m))
	}
	slices.Sort(known)
	for _, text := range f.texts {
		meant := spelling.Nearest(text, known)
		for _, word := range known {
			if meant == "" && len(text) > 2 && strings.HasPrefix(word, text) {
				meant = word
			}
		}
		if meant != "" {
			return fmt.Sprintf("no call shows %q: did you mean %s?", text, meant)
		}
	}
	return ""
}

// readWord is the test of a word; nil for a text that is looked for in what is shown.
func readWord(word string) (func(*Call) bool, error) {
	lower := strings.ToLower(word)
	switch {
	case states[lower] != nil:
		return states[lower], nil
	case slices.Contains(methods, strings.ToUpper(word)):
		method := strings.ToUpper(word)
		return func(c *Call) bool { return c.Method == method }, nil
	case word[0] == '>' || word[0] == '<':
		return slower(word)
	case len(lower) == 3 && strings.HasSuffix(lower, "xx"):
		class := int(lower[0] - '0')
		if class < 1 || class > 5 {
			return nil, fmt.Errorf("the filter %q is not a class of statuses: write one of 1xx to 5xx", word)
		}
		return func(c *Call) bool { return c.Status/100 == class }, nil
	}
	if status, err := strconv.Atoi(word); err == nil && len(word) == 3 {
		return func(c *Call) bool { return c.Status == status }, nil
	}
	key, value, found := strings.Cut(word, ":")
	if !found || !isLetters(key) {
		return nil, nil
	}
	read := keys[strings.ToLower(key)]
	switch {
	case read == nil:
		return nil, unknownKey(key)
	case value == "":
		return nil, fmt.Errorf("the filter %s: needs a value after the colon, without a space", strings.ToLower(key))
	}
	return read(value)
}

// unknownKey is the error of a word before a colon that no filter has.
func unknownKey(key string) error {
	known := slices.Sorted(maps.Keys(keys))
	if meant := spelling.Nearest(key, known); meant != "" {
		return fmt.Errorf("there is no filter %q: did you mean %s: instead?", key+":", meant)
	}
	return fmt.Errorf("there is no filter %q: there are %s", key+":", strings.Join(known, ":, ")+":")
}

func isLetters(text string) bool {
	return text != "" &&
		!strings.ContainsFunc(text, func(r rune) bool { return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') })
}

// slower is the test of a word such as >200ms.
func slower(word string) (func(*Call) bool, error) {
	limit, err := time.ParseDuration(strings.ToLower(word[1:]))
	if err != nil || limit < 0 {
		return nil, fmt.Errorf("the filter %q is not a duration: write one such as %c200ms or %c1s", word, word[0], word[0])
	}
	if word[0] == '<' {
		return func(c *Call) bool { return c.Took < limit }, nil
	}
	return func(c *Call) bool { return c.Took > limit }, nil
}

// named makes the test that one of a call's names is a value, in which * stands for any text.
// The case of letters does not matter.
func named(names func(*Call) []string) func(string) (func(*Call) bool, error) {
	return func(value string) (func(*Call) bool, error) {
		parts := strings.Split(strings.ToLower(value), "*")
		return func(c *Call) bool {
			return slices.ContainsFunc(names(c), func(name string) bool { return hasParts(strings.ToLower(name), parts) })
		}, nil
	}
}

// hasParts reports whether a name is the parts with any text between them.
func hasParts(name string, parts []string) bool {
	last := len(parts) - 1
	if last == 0 {
		return name == parts[0]
	}
	if !strings.HasPrefix(name, parts[0]) {
		return false
	}
	name = name[len(parts[0]):]
	for _, part := range parts[1:last] {
		at := strings.Index(name, part)
		if at < 0 {
			return false
		}
		name = name[at+len(part):]
	}
	return strings.HasSuffix(name, parts[last])
}

// callers are the words for who called: the kind, the name and the groups.
func callers(c *Call) []string {
	all := append([]string{string(c.Who.Kind)}, c.Who.Groups...)
	if c.Who.Name != "" {
		all = append(all, c.Who.Name)
	}
	return all
}

// under is the test that a call went to a path or below it, or is served by that path of the
// definition.
func under(value string) (func(*Call) bool, error) {
	if value[0] != '/' {
		return nil, fmt.Errorf("the filter path: needs a path that begins with /, such as path:/%s", value)
	}
	value = strings.ToLower(strings.TrimRight(value, "/"))
	return func(c *Call) bool {
		path, _, _ := strings.Cut(strings.ToLower(c.Target), "?")
		for _, have := range []string{path, strings.ToLower(c.Path)} {
			if rest, is := strings.CutPrefix(have, value); is && have != "" && (rest == "" || rest[0] == '/') {
				return true
			}
		}
		return false
	}, nil
}

func kindNames() []string {
	names := make([]string, len(Kinds))
	for i, kind := range Kinds {
		names[i] = string(kind)
	}
	return names
}

// ofKind is the test of where a call came from.
func ofKind(value string) (func(*Call) bool, error) {
	kinds, kind := kindNames(), strings.ToLower(value)
	if slices.Contains(kinds, kind) {
		return func(c *Call) bool { return string(c.Kind) == kind }, nil
	}
	if meant := spelling.Nearest(kind, kinds); meant != "" {
		return nil, fmt.Errorf("there is no kind of call %q: did you mean kind:%s?", value, meant)
	}
	return nil, fmt.Errorf("there is no kind of call %q: there are %s", value, strings.Join(kinds, ", "))
}
