package trigger

import (
	"encoding/json"
	"time"

	"gatewright/internal/uuid"
	"gatewright/model"
)

// event is the event of a scheduled call, its fields in the order of the example in
// https://docs.aws.amazon.com/eventbridge/latest/userguide/event-reference.html.
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

// Event is the event with which EventBridge would call a function at a time of its schedule.
// The rule in it is called FUNCTION-ENVIRONMENT. Each event has an id of its own.
func Event(environment, function, region, account string, at time.Time) []byte {
	data, err := json.Marshal(event{
		Version: "0", ID: uuid.New(), DetailType: "Scheduled Event", Source: "aws.events", Account: account,
		Time: at.UTC().Format("2006-01-02T15:04:05Z"), Region: region,
		Resources: []string{model.ARN("events", region, account, "rule/"+function+"-"+environment)},
	})
	if err != nil {
		panic(err) // strings alone cannot fail
	}
	return data
}
