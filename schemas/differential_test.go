package schemas

import (
	"flag"
	"math/rand/v2"
	"strings"
	"testing"

	"gatewright/test/depth"
)

var (
	mutations = flag.Int("mutations", 20_000, "how many mutated documents the differential test judges")
	seed      = flag.Uint64("seed", 202402, "seed of the mutated documents")
)

func TestVerdictsAgreeWithASecondValidator(t *testing.T) {
	t.Parallel()
	depth.WithoutRace(t)
	vocabulary := newVocabulary(t)
	all := depth.Rounds(*mutations/9, *mutations/3, *mutations)
	share := all/len(Names()) + 1
	var accepted, refused int
	for i, schema := range Names() {
		second := oracle(t, schema)
		root, err := compiledRule(schema)
		if err != nil {
			t.Fatal(err)
		}
		start := rich(t, schema).(map[string]any)
		m := mutator{rand.New(rand.NewPCG(*seed, uint64(i))), vocabulary}
		for range share {
			value := m.mutate(m.prune(start, root.Required))
			doc := encode(t, value)
			found := problems(t, schema, doc)
			valid := len(found) == 0
			if want := second.Validate(value) == nil; valid != want {
				t.Fatalf("%s: second validator accepts: %t, we found %+v in\n%s", schema, want, found, doc)
			}
			for _, problem := range found {
				if strings.HasPrefix(problem.Text, "refused:") {
					t.Fatalf("%s: refused without an explanation: %+v in\n%s", schema, problem, doc)
				}
			}
			if valid {
				accepted++
			} else {
				refused++
			}
		}
	}
	t.Logf("%d documents: %d accepted, %d refused", accepted+refused, accepted, refused)
	if min(accepted, refused) < all/10 {
		t.Errorf("%d accepted and %d refused: one verdict is too rare", accepted, refused)
	}
}
