package schedule

import (
	"crypto/rand"
	"encoding/json"
	"fmt"
	"time"
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
		Version: "0", ID: newID(), DetailType: "Scheduled Event", Source: "aws.events", Account: account,
		Time: at.UTC().Format("2006-01-02T15:04:05Z"), Region: region,
		Resources: []string{fmt.Sprintf("arn:aws:events:%s:%s:rule/%s-%s", region, account, function, environment)},
	})
	if err != nil {
		panic(err) // strings alone cannot fail
	}
	return data
}

// newID is a random UUID (version 4).
func newID() string {
	var id [16]byte
	// It never fails (crypto/rand).
	_, _ = rand.Read(id[:])
	id[6], id[8] = id[6]&0x0f|0x40, id[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", id[:4], id[4:6], id[6:8], id[8:10], id[10:])
}
