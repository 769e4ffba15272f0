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

// positionWords are the options for where a trigger begins.
var positionWords = map[string]string{"oldest": model.FromOldest, "latest": model.FromLatest}

func streamOption(t *model.StreamTrigger, word string) error {
	if from := positionWords[word]; from != "" {
		t.From = from
		return nil
	}
	name, value, valued := strings.Cut(word, "=")
	known := []string{"oldest", "latest"}
	for _, row := range t.Fields() {
		switch v := row.Value.(type) {
		case *bool:
			if word == row.Flag {
				*v = true
				return nil
			}
		case *int:
			if name == row.Flag {
				n, err := strconv.Atoi(value)
				if *v = n; !valued || err != nil || n < 1 {
					return fmt.Errorf("takes a whole number from 1 for %s, not %s", name, phrase.Quote(value))
				}
				return nil
			}
		default:
			continue
		}
		known = append(known, row.Flag)
	}
	fix := "use " + strings.Join(streamOptions, ", ")
	if near := spelling.Nearest(name, known); near != "" {
		fix = "did you mean " + near + "?"
	}
	return fmt.Errorf("has no option %s; %s", phrase.Quote(word), fix)
}

// StreamTriggerText is what ParseStreamTrigger reads.
func StreamTriggerText(t model.StreamTrigger) string {
	var options []string
	for word, from := range positionWords {
		if t.From == from {
			options = append(options, word)
		}
	}
	for _, row := range t.Fields() {
		switch v := row.Value.(type) {
		case *bool:
			if *v {
				options = append(options, row.Flag)
			}
		case *int:
			if *v != 0 {
				options = append(options, row.Flag+"="+strconv.Itoa(*v))
			}
		}
	}
	if len(options) == 0 {
		return t.Function
	}
	return t.Function + ":" + strings.Join(options, ",")
}
