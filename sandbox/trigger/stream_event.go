package trigger

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/sandbox/table"
)

// streamEvent is the event with changes of a table, see
// https://docs.aws.amazon.com/lambda/latest/dg/with-ddb.html
func streamEvent(m Mapping, changes table.Changes) []byte {
	region, _ := json.Marshal(m.Region)
	arn, _ := json.Marshal(model.ARN("dynamodb", m.Region, m.Account, "table/"+m.Table+"/stream/"+changes.Label))
	var b bytes.Buffer
	b.WriteString(`{"Records":[`)
	for i, change := range changes.List {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `{"awsRegion":%s,%s,"eventSourceARN":%s}`, region, change.Record, arn)
	}
	b.WriteString(`]}`)
	return b.Bytes()
}

// firstFailure reads the answer of a function that says which changes failed: how many before the first of
// them it has taken. Without a failure it has taken all. An answer that names no change of the batch fails
// the whole batch, see https://docs.aws.amazon.com/lambda/latest/dg/services-ddb-batchfailurereporting.html
func firstFailure(answer []byte, list []table.Change) (taken int, err error) {
	var said struct {
		Failures []struct {
			Identifier *string `json:"itemIdentifier"`
		} `json:"batchItemFailures"`
	}
	if len(bytes.TrimSpace(answer)) == 0 {
		return len(list), nil
	}
	if err := json.Unmarshal(answer, &said); err != nil {
		return 0, errors.New("the function returned something other than batchItemFailures")
	}
	first := len(list)
	for _, failure := range said.Failures {
		at := -1
		if failure.Identifier != nil {
			at = slices.IndexFunc(list, func(c table.Change) bool { return c.Sequence == *failure.Identifier })
		}
		if at < 0 {
			return 0, errors.New("the function named a failure that is not a change of the batch")
		}
		first = min(first, at)
	}
	if first == len(list) {
		return first, nil
	}
	return first, errors.New("the function says that " + phrase.Count(len(said.Failures), "change") + " failed")
}

// waitAfter is how long the next attempt waits: a second, and then each time twice as long,
// at most half a minute.
func waitAfter(attempt int) time.Duration {
	const longest = 30 * time.Second
	if attempt > 5 {
		return longest
	}
	return min(time.Second<<max(attempt-1, 0), longest)
}

// sequences names the changes of a batch by their sequence numbers.
func sequences(list []table.Change) string {
	first := strings.TrimLeft(list[0].Sequence, "0")
	if len(list) == 1 {
		return "the change " + first
	}
	return "the changes " + first + " to " + strings.TrimLeft(list[len(list)-1].Sequence, "0")
}
