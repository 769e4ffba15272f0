package worker

import "testing"

func TestNumbersOfTheSystemAreFoundByTheirWholeNames(t *testing.T) {
	t.Parallel()
	text := numbers("Rss:  12 kB\nPss_Anon:\t 7 kB\nPss: 9 kB\nBad: x kB\nLast:3")
	for name, want := range map[string]int{"Rss:": 12, "Pss:": 9, "Pss_Anon:": 7, "Last:": 3, "Bad:": 0, "Anon:": 0, "None:": 0} {
		if got, ok := text.find(name); got != want || ok != (want > 0) || text.get(name) != want {
			t.Errorf("%s is %d, %v", name, got, ok)
		}
	}
}
