package schedule

import (
	"encoding/json"
	"fmt"
	"time"

	"gatewright/sandbox/uuid"
)

// event is what a function that a schedule runs gets, in the order of the cloud's
// own example ("Scheduled Event").
type event struct {
	Version    string   `json:"version"`
	ID         string   `json:"id"`
	DetailType string   `json:"detail-type"`
	Source     string   `json:"source"`
	Account    string   `json:"account"`
	Time       string   `json:"time"`
	Region     string   `json:"region"`
	Resources  []string `json:"resources"`
	Detail     struct{} `json:"detail"`
}

// Event is the event of the cloud for a function that its schedule runs at a
// time. The rule that it names is called FUNCTION-ENVIRONMENT. Each has an id of
// its own.
func Event(environment, function, region, account string, at time.Time) []byte {
	data, err := json.Marshal(event{
		Version: "0", ID: uuid.New(), DetailType: "Scheduled Event", Source: "aws.events", Account: account,
		Time: at.UTC().Format("2006-01-02T15:04:05Z"), Region: region,
		Resources: []string{fmt.Sprintf("arn:aws:events:%s:%s:rule/%s-%s", region, account, function, environment)},
	})
	if err != nil {
		panic(err) // strings alone cannot fail
	}
	return data
}
