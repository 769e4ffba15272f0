package cloudlog

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"gatewright/sandbox/logs"
)

// record is a line of a function whose log format is JSON
// (https://docs.aws.amazon.com/lambda/latest/dg/monitoring-cloudwatchlogs-logformat.html), from a runtime or, with a
// type, from Lambda itself (https://docs.aws.amazon.com/lambda/latest/dg/telemetry-schema-reference.html).
type record struct {
	Level  string `json:"level"`
	ID     string `json:"requestId"`
	JavaID string `json:"AWSRequestId"`

	Type   string `json:"type"`
	Record struct {
		ID      string `json:"requestId"`
		Version string `json:"version"`
		Status  string `json:"status"`
		Metrics struct {
			Took   float64 `json:"durationMs"`
			Billed float64 `json:"billedDurationMs"`
			Size   float64 `json:"memorySizeMB"`
			Used   float64 `json:"maxMemoryUsedMB"`
			Init   float64 `json:"initDurationMs"`
		} `json:"metrics"`
	} `json:"record"`
}

// readJSON reads a line in JSON. What a function wrote stays as it is; what Lambda says of a
// call is put into the words of the text format, which are read everywhere.
func readJSON(text string) (request string, level logs.Level, _ string) {
	var r record
	if json.Unmarshal([]byte(text), &r) != nil {
		return "", "", text
	}
	if kind, ok := strings.CutPrefix(r.Type, "platform."); ok {
		return r.Record.ID, logs.Platform, r.words(kind, text)
	}
	request = r.ID
	if request == "" {
		request = r.JavaID
	}
	return request, levels[strings.ToUpper(r.Level)], text
}

// words are what a record of Lambda says; text if the text format has nothing like it.
func (r *record) words(kind, text string) string {
	of, m := " RequestId: "+r.Record.ID, r.Record.Metrics
	switch kind {
	case "start":
		return "START" + of + " Version: " + r.Record.Version
	case "runtimeDone":
		return "END" + of
	case "report":
		words := fmt.Sprintf("REPORT%s\tDuration: %.2f ms\tBilled Duration: %.0f ms\tMemory Size: %.0f MB\tMax Memory "+
			"Used: %.0f MB", of, m.Took, m.Billed, m.Size, m.Used)
		if m.Init > 0 {
			words += "\tInit Duration: " + strconv.FormatFloat(m.Init, 'f', 2, 64) + " ms"
		}
		if r.Record.Status != "" && r.Record.Status != "success" {
			words += "\tStatus: " + r.Record.Status
		}
		return words
	}
	return text
}
