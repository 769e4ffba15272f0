package sandbox

import (
	"cmp"
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"gatewright/sandbox/cloud"
	"gatewright/sandbox/table"
	"gatewright/sandbox/traffic"
)

// traceHeader is the header by which a use names its call: clients of the cloud send the one on that
// the function got (https://docs.aws.amazon.com/xray/latest/devguide/xray-concepts.html#xray-concepts-tracingheader).
const traceHeader = "X-Amzn-Trace-Id"

// used is a use by a function that a service answers now.
type used struct {
	environment, function, trace string
	began                        time.Time
	// resources are what is used, each once, and why is why it failed, "" if it did not.
	resources      []string
	operation, why string
}

// keepUse remembers a use. It comes before the function gets the answer: its call cannot end earlier.
func (s *Sandbox) keepUse(u used) {
	use := traffic.Use{Operation: u.operation, Took: time.Since(u.began), Failed: u.why != ""}
	if use.Failed {
		use.Why = s.logs.Hide(u.why)
	}
	call := s.runner.Running(u.environment, u.function, u.trace)
	for _, use.Resource = range u.resources {
		if !call.Use(use, u.began) {
			s.traffic.AddLoose(traffic.LooseUse{
				Environment: u.environment, Function: u.function, Time: u.began.UTC().Round(0), Use: use,
			})
		}
	}
}

// useOf is a use by a function that begins now.
func useOf(c caller, trace string) used {
	return used{environment: c.Environment, function: c.Name, trace: trace, began: time.Now()}
}

// resourcesOf are what access calls the tables that an operation uses; "table" if it names none.
func (c caller) resourcesOf(uses []table.Use) []string {
	resources := make([]string, 0, 1)
	for _, u := range uses {
		arn := u.Table
		if !strings.HasPrefix(arn, "arn:") {
			arn = c.arn("dynamodb", "table/"+arn)
		}
		name := c.names[arn]
		if name == "" {
			// A stream or an index has its own ARN below that of its table.
			name, _ = c.named(arn)
		}
		resource := "table"
		if u.Table != "" {
			resource = cmp.Or(name, "table/"+u.Table)
		}
		if !slices.Contains(resources, resource) {
			resources = append(resources, resource)
		}
	}
	if len(resources) == 0 {
		return []string{"table"}
	}
	return resources
}

// failureOf is why a service refused what a function asked for, in the words of its answer; "" if it
// did not.
func failureOf(status int, answer []byte) string {
	if status < http.StatusBadRequest {
		return ""
	}
	var refused struct {
		Type string `json:"__type"`
		// Services differ in how they write it; names are compared without their case.
		Message string `json:"message"`
	}
	// What is not JSON has the status alone.
	_ = json.Unmarshal(answer, &refused)
	_, code, found := strings.Cut(refused.Type, "#")
	if !found {
		code = refused.Type
	}
	text := strings.TrimSuffix(code, ":")
	if refused.Message != "" {
		text = strings.TrimPrefix(text+": "+refused.Message, ": ")
	}
	return oneLine(cmp.Or(text, "it answered "+strconv.Itoa(status)))
}

// keepCloudUse remembers a use of a service of the cloud that the sandbox serves or refuses itself.
func (s *Sandbox) keepCloudUse(u cloud.Use) {
	s.keepUse(used{
		environment: u.Caller.Environment, function: u.Caller.Function, trace: u.Trace, began: u.Began,
		resources: u.Resources, operation: u.Action, why: cmp.Or(u.Why, failureOf(u.Status, u.Answer)),
	})
}
