package function

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// version is a version of an npm package.
type version struct {
	numbers [3]int
	before  string // the prerelease, "" of a release
}

var (
	versionForm = regexp.MustCompile(`^[v=\s]*(\d{1,9})(?:\.(\d{1,9}|[xX*]))?(?:\.(\d{1,9}|[xX*]))?(?:-([0-9A-Za-z.-]+))?(?:\+[0-9A-Za-z.-]+)?$`)
	// comparatorForm is one condition of a range, spaces after its operator.
	comparatorForm = regexp.MustCompile(`\s*(\^|~>?|>=|<=|>|<|=)?\s*(\S+)`)
	hyphenForm     = regexp.MustCompile(`^\s*(\S+)\s+-\s+(\S+)\s*$`)
)

// parseVersion reads a version, or the beginning of one: parts says how many
// numbers it gives.
func parseVersion(text string) (v version, parts int, ok bool) {
	if text == "*" || text == "x" || text == "X" || text == "" {
		return version{}, 0, true
	}
	found := versionForm.FindStringSubmatch(text)
	if found == nil {
		return version{}, 0, false
	}
	for i, number := range found[1:4] {
		n, err := strconv.Atoi(number)
		if err != nil {
			return v, i, true
		}
		v.numbers[i] = n
	}
	v.before = found[4]
	return v, 3, true
}

func (v version) compare(o version) int {
	if c := slices.Compare(v.numbers[:], o.numbers[:]); c != 0 || v.before == o.before {
		return c
	}
	if v.before == "" || o.before == "" {
		return strings.Compare(o.before, v.before)
	}
	mine, others := strings.Split(v.before, "."), strings.Split(o.before, ".")
	return slices.CompareFunc(mine, others, func(a, b string) int {
		n, errN := strconv.Atoi(a)
		m, errM := strconv.Atoi(b)
		switch {
		case errN == nil && errM == nil:
			return n - m
		case errN == nil:
			return -1
		case errM == nil:
			return 1
		}
		return strings.Compare(a, b)
	})
}

// inRange reports whether a version is in a range as npm writes it. What is no
// range (a tag, an address, a folder) has any version in it.
func inRange(wanted, installed string) bool {
	v, parts, ok := parseVersion(installed)
	ok = ok && parts == 3
	for alternative := range strings.SplitSeq(wanted, "||") {
		conditions, known := conditionsOf(alternative)
		if !known || ok && !slices.ContainsFunc(conditions, func(c condition) bool { return !c.holds(v) }) && prereleaseFits(conditions, v) {
			return true
		}
	}
	return false
}

// condition is a bound of a version; compares of v with it have the sign that
// holds wants.
type condition struct {
	operator string
	bound    version
	// written says that the bound stands in the range as it is.
	written bool
}

func (c condition) holds(v version) bool {
	n := v.compare(c.bound)
	switch c.operator {
	case ">=":
		return n >= 0
	case ">":
		return n > 0
	case "<":
		return n < 0
	case "<=":
		return n <= 0
	}
	return n == 0
}

// prereleaseFits: npm takes a prerelease only where the range names one of the
// same version.
func prereleaseFits(conditions []condition, v version) bool {
	return v.before == "" || slices.ContainsFunc(conditions, func(c condition) bool {
		return c.written && c.bound.before != "" && c.bound.numbers == v.numbers
	})
}

// conditionsOf reads a range without alternatives.
func conditionsOf(text string) ([]condition, bool) {
	if ends := hyphenForm.FindStringSubmatch(text); ends != nil {
		text = ">=" + ends[1] + " <=" + ends[2]
	}
	var conditions []condition
	for _, found := range comparatorForm.FindAllStringSubmatch(text, -1) {
		v, parts, ok := parseVersion(found[2])
		if !ok {
			return nil, false
		}
		conditions = append(conditions, bounds(found[1], v, parts)...)
	}
	return conditions, true
}

// bounds are the conditions that an operator and a version, or its beginning,
// stand for.
func bounds(operator string, v version, parts int) []condition {
	// after is the first version with another number at a place; -0 is before all
	// its prereleases.
	after := func(place int) version {
		next := version{before: "0"}
		copy(next.numbers[:place+1], v.numbers[:place+1])
		next.numbers[place]++
		return next
	}
	if parts == 0 {
		if operator == "<" || operator == ">" {
			return []condition{{"<", version{before: "0"}, false}}
		}
		return nil
	}
	from := condition{">=", v, true}
	switch operator {
	case "^":
		place := 0
		for place < parts-1 && v.numbers[place] == 0 {
			place++
		}
		return []condition{from, {"<", after(place), false}}
	case "~", "~>":
		return []condition{from, {"<", after(min(parts, 2) - 1), false}}
	case ">":
		if parts < 3 {
			return []condition{{">=", after(parts - 1), false}}
		}
		return []condition{{">", v, true}}
	case ">=":
		return []condition{from}
	case "<":
		if parts < 3 {
			v.before = "0"
		}
		return []condition{{"<", v, parts == 3}}
	case "<=":
		if parts < 3 {
			return []condition{{"<", after(parts - 1), false}}
		}
		return []condition{{"<=", v, true}}
	}
	if parts < 3 {
		return []condition{from, {"<", after(parts - 1), false}}
	}
	return []condition{{"=", v, true}}
}
