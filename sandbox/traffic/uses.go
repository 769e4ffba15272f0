package traffic

import (
	"time"

	"gatewright/sandbox/function"
)

// Use is what a function used while a call ran.
type Use = function.Use

// UseCounts are the uses of something by a function since the sandbox began.
type UseCounts struct {
	Environment string `json:"environment"`
	Function    string `json:"function"`
	// Resource and Operation are those of Use.
	Resource  string `json:"resource"`
	Operation string `json:"operation"`
	Calls     int    `json:"calls"`
	Failed    int    `json:"failed"`
}

// LooseUse is a use by a function of which no call is known that ran: the request did not name one, or
// that one had its answer already. It is not guessed.
type LooseUse struct {
	Environment string `json:"environment"`
	Function    string `json:"function"`
	// Time is when it began; the At of Use is 0.
	Time time.Time `json:"time"`
	Use  Use       `json:"use"`
}
