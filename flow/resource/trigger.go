package resource

import (
	"fmt"
	"strconv"
	"strings"

	"gatewright/internal/text/phrase"
	"gatewright/internal/text/spelling"
	"gatewright/model"
)

// ParseTrigger reads MOMENT=FUNCTION, or MOMENT= without a function.
func ParseTrigger(text string) (model.Trigger, error) {
	moment, function, ok := strings.Cut(text, "=")
	if !ok || moment == "" {
		return model.Trigger{}, fmt.Errorf("takes MOMENT=FUNCTION such as preSignUp=check, not %s", phrase.Quote(text))
	}
	at, err := model.ParseMoment(strings.TrimSpace(moment))
	if err != nil {
		problem := err.(*model.Problem)
		return model.Trigger{}, fmt.Errorf("names %s: %s", problem.Text, problem.Fix)
	}
	return model.Trigger{At: at, Function: strings.TrimSpace(function)}, nil
}

// streamOptions are the words of ParseStreamTrigger after the name of the function.
var streamOptions = []string{"oldest", "latest", "batch=N", "window=SECONDS", "attempts=N", "bisect", "failures"}

// ParseStreamTrigger reads FUNCTION, or FUNCTION:OPTION[,OPTION...], where an option is
// oldest, latest, batch=N, window=SECONDS, attempts=N, bisect or failures.
func ParseStreamTrigger(text string) (model.StreamTrigger, error) {
	function, options, optioned := strings.Cut(text, ":")
	t := model.StreamTrigger{Function: strings.TrimSpace(function)}
	if t.Function == "" || optioned && options == "" {
		return t, fmt.Errorf("takes FUNCTION[:OPTION,...] such as audit:oldest,batch=10, not %s", phrase.Quote(text))
	}
	if !optioned {
		return t, nil
	}
	for word := range strings.SplitSeq(options, ",") {
		if err := streamOption(&t, strings.TrimSpace(word)); err != nil {
			return t, err
		}
	}
	return t, nil
}

func streamOption(t *model.StreamTrigger, word string) error {
	name, value, valued := strings.Cut(word, "=")
	switch word {
	case "oldest":
		t.From = model.FromOldest
		return nil
	case "latest":
		t.From = model.FromLatest
		return nil
	case "bisect":
		t.Bisect = true
		return nil
	case "failures":
		t.ReportFailures = true
		return nil
	}
	into := map[string]*int{"batch": &t.BatchSize, "window": &t.BatchWindow, "attempts": &t.Attempts}[name]
	if into == nil {
		fix := "use " + strings.Join(streamOptions, ", ")
		if near := spelling.Nearest(name,
			[]string{"oldest", "latest", "batch", "window", "attempts", "bisect", "failures"}); near != "" {
			fix = "did you mean " + near + "?"
		}
		return fmt.Errorf("has no option %s; %s", phrase.Quote(word), fix)
	}
	n, err := strconv.Atoi(value)
	if !valued || err != nil || n < 1 {
		return fmt.Errorf("takes a whole number from 1 for %s, not %s", name, phrase.Quote(value))
	}
	*into = n
	return nil
}

// StreamTriggerText is what ParseStreamTrigger reads.
func StreamTriggerText(t model.StreamTrigger) string {
	var options []string
	switch t.From {
	case model.FromOldest:
		options = append(options, "oldest")
	case model.FromLatest:
		options = append(options, "latest")
	}
	for _, n := range []struct {
		name  string
		value int
	}{{"batch", t.BatchSize}, {"window", t.BatchWindow}, {"attempts", t.Attempts}} {
		if n.value != 0 {
			options = append(options, n.name+"="+strconv.Itoa(n.value))
		}
	}
	if t.Bisect {
		options = append(options, "bisect")
	}
	if t.ReportFailures {
		options = append(options, "failures")
	}
	if len(options) == 0 {
		return t.Function
	}
	return t.Function + ":" + strings.Join(options, ",")
}
