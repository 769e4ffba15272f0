package invoke

import (
	"fmt"
	"hash/fnv"
	"io"
	"slices"
	"strconv"
	"strings"
)

// lineage counts how often functions were called in a chain of calls, each of which was made
// by the one before it. It travels in the trace header, which SDKs send on
// (https://docs.aws.amazon.com/lambda/latest/dg/invocation-recursion.html).
type lineage struct {
	functions []string
	counts    []int
}

// mostRepeats is how often one function may be called in a chain. Lambda stops loops after
// about 16 calls.
const mostRepeats = 16

// mostFunctions is how many functions a lineage names; more only come from a header that
// nobody made here.
const mostFunctions = 64

// lineageName is the name of a function in a lineage.
func lineageName(f Function) string {
	h := fnv.New32a()
	_, _ = io.WriteString(h, f.Environment+"\x00"+f.Name)
	return fmt.Sprintf("%08x", h.Sum32())
}

// readLineage reads the part Lineage of a trace header. What is not one is left out.
func readLineage(trace string) (l lineage, known bool) {
	for part := range strings.SplitSeq(trace, ";") {
		value, found := strings.CutPrefix(strings.TrimSpace(part), "Lineage=")
		if !found {
			continue
		}
		for item := range strings.SplitSeq(value, "|") {
			name, count, _ := strings.Cut(item, ":")
			n, err := strconv.Atoi(count)
			if err == nil && len(name) == 8 && n > 0 && len(l.functions) < mostFunctions &&
				strings.Trim(name, "0123456789abcdef") == "" {
				l.functions, l.counts = append(l.functions, name), append(l.counts, min(n, mostRepeats))
			}
		}
	}
	return l, len(l.functions) > 0
}

// String is the lineage as in the header.
func (l lineage) String() string {
	var parts []string
	for i, name := range l.functions {
		parts = append(parts, name+":"+strconv.Itoa(l.counts[i]))
	}
	return strings.Join(parts, "|")
}

func (l lineage) count(name string) int {
	for i, known := range l.functions {
		if known == name {
			return l.counts[i]
		}
	}
	return 0
}

// with is the lineage with another count of a function.
func (l lineage) with(name string, count int) lineage {
	longer := lineage{append([]string(nil), l.functions...), append([]int(nil), l.counts...)}
	for i, known := range longer.functions {
		if known == name {
			longer.counts[i] = count
			return longer
		}
	}
	longer.functions, longer.counts = append(longer.functions, name), append(longer.counts, count)
	return longer
}

// longest is the greatest count.
func (l lineage) longest() int {
	most := 0
	for _, n := range l.counts {
		most = max(most, n)
	}
	return most
}

// calling is the lineage of a call of a function, by a caller that has this lineage; ok is
// false if the chain is too long. A caller that began the chain counts too.
func (l lineage) calling(caller *Function, called Function) (next lineage, ok bool) {
	if caller != nil && l.count(lineageName(*caller)) == 0 {
		l = l.with(lineageName(*caller), 1)
	}
	name := lineageName(called)
	count := l.count(name) + 1
	return l.with(name, count), count <= mostRepeats
}

func (l lineage) same(o lineage) bool {
	return slices.Equal(l.functions, o.functions) && slices.Equal(l.counts, o.counts)
}
