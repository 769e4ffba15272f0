package sandbox

import (
	"cmp"
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"gatewright/sandbox/function"
	"gatewright/sandbox/http1"
	"gatewright/sandbox/table"
	"gatewright/sandbox/traffic"
)

// keepUse remembers a use that a service answers now, and why it did not. It comes before the function
// gets the answer: its call cannot end earlier.
func (s *Sandbox) keepUse(u function.Told, status int, answer []byte) {
	why := cmp.Or(u.Why, failureOf(status, answer))
	use := traffic.Use{Operation: u.Operation, Took: time.Since(u.Began), Failed: why != "", Why: s.logs.Hide(why)}
	call := s.runner.Running(u.Environment, u.Function, u.Trace)
	for _, use.Resource = range u.Resources {
		if !call.Use(use, u.Began) {
			s.traffic.AddLoose(traffic.LooseUse{
				Environment: u.Environment, Function: u.Function, Time: u.Began.UTC().Round(0), Use: use,
			})
		}
	}
}

// useOf is a use by a function that begins now.
func useOf(c caller, head *http1.Head) function.Told {
	return function.Told{
		Environment: c.Environment, Function: c.Name, Trace: head.Get(function.TraceHeader), Began: time.Now(),
	}
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
