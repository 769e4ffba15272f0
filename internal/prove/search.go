package prove

import (
	"encoding/binary"
	"slices"
	"strings"

	"gatewright/model/access"
)

// mostStates is how many states one search may have.
const mostStates = 60_000

// search goes through the requests of one caller with one method, character by character.
// Two beginnings of a path that both sides treat alike from there on are one state.
type search struct {
	project, deployed *access.Matcher
	policies          [policyKinds]policies
	// guarded says that the API has a resource policy.
	guarded bool
	states  []state
	known   map[string]bool
}

// The policies of a search: those of the caller's role and of the API in the deployment,
// those that the project would have there, and what the deployment's API says of callers
// without a role: anybody, and users with a token.
const (
	theirs = iota
	ours
	public
	tokens
	policyKinds
)

// state is what is known after the beginning of a path.
type state struct {
	// project and deployed are the matchers' places before the segment at hand, whose text
	// is segment: the text if it may become one that matters, else foreign.
	project, deployed int
	segment           string
	// odd says that there is an empty segment, as in /a//b.
	odd    bool
	at     [policyKinds]progress
	from   int
	letter byte
}

// foreign is a segment that is no static text on either side.
const foreign = "\x00"

// ending is a request: the path that ends at a state.
type ending struct {
	// project and deployed are resources, or access.NoResource.
	project, deployed int
	// byPolicy says whether each of the policies allows it.
	byPolicy [policyKinds]bool
	odd      bool
	// guarded says that the API has a resource policy.
	guarded bool
	raw     string
	// class tells apart requests that differ in what matches them.
	class string
}

// run calls visit for one request of each class, the shortest one first. It returns false
// if there are too many states.
func (s *search) run(visit func(e ending)) bool {
	s.known = make(map[string]bool)
	first := state{project: s.project.Start(), deployed: s.deployed.Start(), from: -1}
	for i, p := range s.policies {
		first.at[i] = p.begin()
	}
	s.states = []state{first}
	for i := 0; i < len(s.states); i++ {
		visit(s.ending(i))
		for _, letter := range s.letters(&s.states[i]) {
			next, ok := s.step(i, letter)
			if !ok {
				continue
			}
			key := next.key()
			if s.known[key] {
				continue
			}
			if len(s.states) == mostStates {
				return false
			}
			s.known[key] = true
			s.states = append(s.states, next)
		}
	}
	return true
}

// step reads one more character. ok is false if no request that begins like this can be of
// interest.
func (s *search) step(from int, letter byte) (next state, ok bool) {
	next = s.states[from]
	next.from, next.letter = from, letter
	if letter == '/' {
		next.odd = next.odd || next.segment == ""
		next.project = s.project.Next(next.project, next.segment)
		next.deployed = s.deployed.Next(next.deployed, next.segment)
		next.segment = ""
		if s.project.Dead(next.project) && s.deployed.Dead(next.deployed) {
			return next, false
		}
	} else if next.segment != foreign {
		next.segment += string(letter)
		begins := func(text string) bool { return strings.HasPrefix(text, next.segment) }
		if !slices.ContainsFunc(s.project.Texts(next.project), begins) &&
			!slices.ContainsFunc(s.deployed.Texts(next.deployed), begins) {
			next.segment = foreign
		}
	}
	for i := range s.policies {
		next.at[i] = s.policies[i].next(next.at[i], letter)
	}
	return next, true
}

// others are characters of paths, one of which stands for all that do not matter.
const others = "1x0y2z3w4v5u6t7s8r9qpomnlkjihgfedcbaXYZ-_~"

// letters lists the characters that matter next, in their order.
func (s *search) letters(at *state) []byte {
	set := map[byte]bool{'/': true}
	for i := range s.policies {
		s.policies[i].letters(&at.at[i], set)
	}
	if at.segment != foreign {
		for _, texts := range [][]string{s.project.Texts(at.project), s.deployed.Texts(at.deployed)} {
			for _, text := range texts {
				if rest, ok := strings.CutPrefix(text, at.segment); ok && rest != "" {
					set[rest[0]] = true
				}
			}
		}
	}
	var letters []byte
	for i := range len(others) {
		if !set[others[i]] {
			letters = append(letters, others[i])
			break
		}
	}
	for letter := range set {
		letters = append(letters, letter)
	}
	slices.Sort(letters[1:])
	return letters
}

func (s *search) ending(i int) ending {
	at := &s.states[i]
	e := ending{
		guarded:  s.guarded,
		project:  s.project.Resource(s.project.Next(at.project, at.segment)),
		deployed: s.deployed.Resource(s.deployed.Next(at.deployed, at.segment)),
		odd:      at.odd || at.segment == "" && at.from >= 0,
	}
	key := binary.AppendVarint(binary.AppendVarint(nil, int64(e.project)), int64(e.deployed))
	for p := range s.policies {
		e.byPolicy[p], key = s.policies[p].decide(&at.at[p], key)
	}
	e.class = string(append(key, mark(e.odd)))
	var path []byte
	for j := i; s.states[j].from >= 0; j = s.states[j].from {
		path = append(path, s.states[j].letter)
	}
	slices.Reverse(path)
	e.raw = "/" + string(path)
	return e
}

func (at *state) key() string {
	key := binary.AppendUvarint(binary.AppendUvarint(nil, uint64(at.project)), uint64(at.deployed))
	key = append(append(append(key, mark(at.odd)), at.segment...), '/')
	for i := range at.at {
		key = at.at[i].key(key)
	}
	return string(key)
}

func mark(b bool) byte {
	if b {
		return 1
	}
	return 0
}
