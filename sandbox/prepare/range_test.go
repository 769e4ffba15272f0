package prepare

import (
	"encoding/json"
	"math/rand/v2"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"gatewright/sandbox/prepare/preparetest"
	"gatewright/test/depth"
)

func TestAVersionIsInARange(t *testing.T) {
	t.Parallel()
	tests := []struct {
		wanted string
		in     []string
		out    []string
	}{
		{"^1.2.3", []string{"1.2.3", "1.9.0"}, []string{"1.2.2", "2.0.0", "2.0.0-a", "1.3.0-a"}},
		{"^0.2.3", []string{"0.2.9"}, []string{"0.3.0"}},
		{"^0.0.3", []string{"0.0.3"}, []string{"0.0.4"}},
		{"~1.2", []string{"1.2.9"}, []string{"1.3.0"}},
		{"1.x || >=3.1 <4", []string{"1.9.9", "3.1.0"}, []string{"2.0.0", "3.0.9", "4.0.0"}},
		{">=1 <2 || 3.x", []string{"1.9.9", "3.0.0"}, []string{"2.0.0", "2.5.0"}},
		{">=1.0.0 <2.0.0||>=2.0.1", []string{"2.0.1"}, []string{"2.0.0"}},
		{"1.2.2-rc.2||v3.1.0||>= 1 <=3.3", []string{"1.2.2-rc.2"}, nil},
		{"1.2.3 || ", []string{"1.2.4"}, []string{"1.2.4-alpha"}},
		{"1.2.3 - 2.3", []string{"1.2.3", "2.3.9"}, []string{"2.4.0"}},
		{"*", []string{"0.0.0", "9.9.9"}, []string{"1.0.0-a"}},
		{"", []string{"0.0.0"}, []string{"1.0.0-a"}},
		{">1.2.3-beta.2", []string{"1.2.3-beta.10", "1.2.3"}, []string{"1.2.3-beta.1", "1.2.4-beta.3"}},
		{"latest", []string{"1.0.0", ""}, nil},
		{"file:../left", []string{"1.0.0", ""}, nil},
		{"npm:other@^1.0.0", []string{"7.0.0"}, nil},
		{"git+https://example.com/a.git#semver:^1", []string{"7.0.0"}, nil},
		{"workspace:*", []string{"7.0.0"}, nil},
	}
	for _, test := range tests {
		for _, v := range test.in {
			if !inRange(test.wanted, v) {
				t.Errorf("%q is not in %q", v, test.wanted)
			}
		}
		for _, v := range test.out {
			if inRange(test.wanted, v) {
				t.Errorf("%q is in %q", v, test.wanted)
			}
		}
	}
}

// TestRangesAreReadAsNpmReadsThem compares ten thousand random pairs with npm's own
// library. Not drawn, because nobody writes it and the libraries differ: a range with a hyphen
// whose end is the beginning of its start, or comes before it.
func TestRangesAreReadAsNpmReadsThem(t *testing.T) {
	depth.Gate(t)
	depth.WithoutRace(t)
	npm, err := filepath.EvalSymlinks(preparetest.NeedsProgram(t, "npm"))
	if err != nil {
		t.Fatal(err)
	}
	type pair struct{ Range, Version string }
	random := rand.New(rand.NewPCG(1, 2))
	draw := func(from ...string) string { return from[random.IntN(len(from))] }
	number := func() string { return draw("0", "0", "1", "2", "3", "10") }
	release := func() string { return number() + "." + number() + "." + draw("0", "1", "2", "3", "10") }
	full := func() string {
		return release() + draw("", "", "", "", "-0", "-alpha", "-alpha.1", "-beta.10", "-1", "+build")
	}
	part := func() string {
		return draw(release(), release(), number(), number()+"."+number(), number()+".x", number()+"."+number()+".*", "*")
	}
	operator := func() string { return draw("^", "~", ">", ">=", "<", "<=", "=") }
	comparators := func() string {
		text := draw("", operator()) + draw("", "", " ") + part()
		if random.IntN(3) == 0 {
			text += " " + operator() + draw(part(), full())
		}
		return text
	}
	hyphen := func() string {
		first := random.IntN(3)
		return strconv.Itoa(first) + draw("", ".0", ".0.1", ".x") + " - " + strconv.Itoa(first+1+random.IntN(2)) + draw("", ".2", ".1.3", ".x")
	}
	var pairs []pair
	for range 10000 {
		text := draw(comparators(), comparators(), operator()+full(), full(), "*", hyphen())
		if random.IntN(4) == 0 {
			text += draw(" || ", "||") + draw(comparators(), ">="+part()+" <"+number()+" || "+draw(comparators(), number()+".x"))
		}
		pairs = append(pairs, pair{text, full()})
	}
	data, err := json.Marshal(pairs)
	if err != nil {
		t.Fatal(err)
	}
	node := exec.Command(preparetest.NeedsProgram(t, "node"), "-e", `
const semver = require(require.resolve('semver', {paths: [process.argv[1]]}))
let text = ''
process.stdin.on('data', d => text += d).on('end', () =>
  console.log(JSON.stringify(JSON.parse(text).map(p => semver.validRange(p.Range) === null || semver.satisfies(p.Version, p.Range)))))`,
		filepath.Dir(filepath.Dir(npm)))
	node.Stdin = strings.NewReader(string(data))
	out, err := node.Output()
	if err != nil {
		depth.Lacks(t, "npm", err)
	}
	var want []bool
	if err := json.Unmarshal(out, &want); err != nil {
		t.Fatal(err)
	}
	wrong, in := 0, 0
	for i, p := range pairs {
		if want[i] {
			in++
		}
		if got := inRange(p.Range, p.Version); got != want[i] {
			if wrong++; wrong < 20 {
				t.Errorf("%q in %q is %v, npm says %v", p.Version, p.Range, got, want[i])
			}
		}
	}
	if in < 500 || in > 9500 {
		t.Errorf("%d of %d are in their range: the random pairs prove nothing", in, len(pairs))
	}
}
