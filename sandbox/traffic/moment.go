package traffic

import "time"

// Moment is what changed since the moment before it. The first one has all.
type Moment struct {
	// Calls are those that were answered, in the order of their numbers.
	Calls []Call `json:"calls"`
	// Last is the number of the last call that is counted in Totals: a reader that comes again goes on
	// after it.
	Last uint64 `json:"last"`
	// Open are all calls that are on their way and have been for some time, or that wait for a worker;
	// nil (null) if these are the same as before.
	Open []Open `json:"open"`
	// Loose are the uses without a call.
	Loose []LooseUse `json:"loose"`
	// Functions are those whose state changed, all in the first moment.
	Functions []FunctionState `json:"functions"`
	// Totals are the counts of uses that changed, all in the first moment: whole numbers since the
	// sandbox began, not what was added. They have the uses of all calls up to Last and the loose ones,
	// so a reader sets its own counts to them and adds nothing.
	Totals []UseCounts `json:"totals"`
}

// Open is a call that is on its way.
type Open struct {
	// ID is the id of the request, as Call.Request.
	ID          string    `json:"id"`
	Environment string    `json:"environment"`
	API         string    `json:"api"`
	Path        string    `json:"path"`
	Method      string    `json:"method"`
	Function    string    `json:"function"`
	Kind        Kind      `json:"kind"`
	Time        time.Time `json:"time"`
	// Stage is the part in which it is now: Wait, Prepare, Start, Handler or Answer.
	Stage PartKind `json:"stage"`
}

// FunctionState is how many workers a function has, and how many calls wait for one.
type FunctionState struct {
	Environment string `json:"environment"`
	Name        string `json:"name"`
	// Starting are workers that are prepared or start, Idle those without a call, Busy those with one.
	Starting int `json:"starting"`
	Idle     int `json:"idle"`
	Busy     int `json:"busy"`
	Waiting  int `json:"waiting"`
	// Fault is why the function cannot run; "" if it can, or if that is not known yet.
	Fault string `json:"fault"`
	// Gone says that there is no such function any more.
	Gone bool `json:"gone"`
}
