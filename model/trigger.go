package model

import (
	"slices"
	"strings"

	"gatewright/internal/text/phrase"
	"gatewright/internal/text/spelling"
	"gatewright/model/field"
)

// Moment is a moment at which a user pool calls a function, by its name in auth.json. What
// happens at each is described in
// https://docs.aws.amazon.com/cognito/latest/developerguide/cognito-user-identity-pools-working-with-aws-lambda-triggers.html
type Moment string

// The moments. Functions at PreTokenGenerationV2 get the second version of the event, and
// change access tokens too; a pool has one of the two.
const (
	PreSignUp                   Moment = "preSignUp"
	PostConfirmation            Moment = "postConfirmation"
	PreAuthentication           Moment = "preAuthentication"
	PostAuthentication          Moment = "postAuthentication"
	CustomMessage               Moment = "customMessage"
	PreTokenGeneration          Moment = "preTokenGeneration"
	PreTokenGenerationV2        Moment = "preTokenGenerationV2"
	DefineAuthChallenge         Moment = "defineAuthChallenge"
	CreateAuthChallenge         Moment = "createAuthChallenge"
	VerifyAuthChallengeResponse Moment = "verifyAuthChallengeResponse"
	UserMigration               Moment = "userMigration"
)

// Moments lists every Moment, in the order in which auth.json has them.
var Moments = []Moment{
	PreSignUp, PostConfirmation, PreAuthentication, PostAuthentication, CustomMessage, PreTokenGeneration,
	PreTokenGenerationV2,
	DefineAuthChallenge, CreateAuthChallenge, VerifyAuthChallengeResponse, UserMigration,
}

// Title is the name of the trigger in the cloud, such as PreSignUp.
func (m Moment) Title() string {
	if m == PreTokenGenerationV2 {
		m = PreTokenGeneration
	}
	if m == "" {
		return ""
	}
	return strings.ToUpper(string(m[:1])) + string(m[1:])
}

// ParseMoment reads the name of a moment, regardless of case. The error is a *Problem that names the moments.
func ParseMoment(text string) (Moment, error) {
	names := make([]string, len(Moments))
	for i, m := range Moments {
		if strings.EqualFold(string(m), text) {
			return m, nil
		}
		names[i] = string(m)
	}
	p := &Problem{
		Field: "trigger", Text: phrase.Quote(text) + " is no trigger of a user pool",
		Fix: "use one of " + strings.Join(names, ", "), Cause: ErrUnknown,
	}
	if near := spelling.Nearest(text, names); near != "" {
		p.Fix = "did you mean " + near + "?"
	}
	return "", p
}

// Trigger is a function that the user pool calls at a moment.
type Trigger struct {
	At       Moment
	Function string
}

// TriggerAt is the function that the user pool calls at a moment; "" for none.
func (b *Backend) TriggerAt(at Moment) string {
	for _, t := range b.Triggers {
		if t.At == at {
			return t.Function
		}
	}
	return ""
}

// SortTriggers brings triggers into the order of Moments.
func SortTriggers(list []Trigger) {
	slices.SortStableFunc(list,
		func(a, b Trigger) int { return slices.Index(Moments, a.At) - slices.Index(Moments, b.At) })
}

// The positions in a table's stream at which a function that is new there begins.
const (
	// FromLatest begins with the changes from then on.
	FromLatest = "LATEST"
	// FromOldest begins with the oldest change that the stream still has.
	FromOldest = "TRIM_HORIZON"
)

// StreamPositions lists the positions in the order they are offered.
var StreamPositions = []string{FromLatest, FromOldest}

// StreamViews lists what records of a table's stream may have of an item, see
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_StreamSpecification.html
var StreamViews = []string{DefaultStreamView, "NEW_IMAGE", "OLD_IMAGE", "KEYS_ONLY"}

// DefaultStreamView is the view if a table with triggers names none.
const DefaultStreamView = "NEW_AND_OLD_IMAGES"

// The limits and the default of a table's trigger, see
// https://docs.aws.amazon.com/lambda/latest/api/API_CreateEventSourceMapping.html
const (
	DefaultBatchSize, MaxBatchSize = 100, 10_000
	MaxBatchWindow                 = 300
	MaxAttempts                    = 10_001
	// MostReaders is how many functions should read a stream, see
	// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Streams.html
	MostReaders = 2
)

// StreamTrigger is a function that is called with the changes of a table.
type StreamTrigger struct {
	Function string
	// From is FromLatest or FromOldest; "" is FromLatest.
	From string
	// BatchSize is the most changes in one call, 0 for DefaultBatchSize. BatchWindow is for
	// how many seconds changes are gathered before a call.
	BatchSize, BatchWindow int
	// Attempts is how often a batch is tried before it is given up; 0 means until it expires after a day.
	Attempts int
	// Bisect divides a batch that failed in two. ReportFailures lets the function say
	// which changes of a batch failed.
	Bisect, ReportFailures bool
}

// Fields are the fields of a table's trigger. Their flags are the words of its options.
func (t *StreamTrigger) Fields() []field.Row {
	return []field.Row{
		{Name: "function", Value: &t.Function, Written: true},
		{Name: "startingPosition", Value: &t.From, Words: StreamPositions},
		{Name: "batchSize", Flag: "batch", Noun: "batch size", Value: &t.BatchSize, Range: field.Range{Max: MaxBatchSize}},
		{
			Name: "batchWindow", Flag: "window", Noun: "batch window in seconds", Value: &t.BatchWindow,
			Range: field.Range{Max: MaxBatchWindow},
		},
		{
			Name: "attempts", Flag: "attempts", Noun: "number of attempts", Value: &t.Attempts,
			Range: field.Range{Max: MaxAttempts},
		},
		{Name: "bisectOnError", Flag: "bisect", Value: &t.Bisect},
		{Name: "reportBatchItemFailures", Flag: "failures", Value: &t.ReportFailures},
	}
}

// View is what the records of the table's stream have; "" if the table has no stream.
func (t *Table) View() string {
	if t.StreamView == "" && len(t.Triggers) > 0 {
		return DefaultStreamView
	}
	return t.StreamView
}

// Trigger finds a trigger by its function; nil if there is none.
func (t *Table) Trigger(function string) *StreamTrigger {
	for i := range t.Triggers {
		if t.Triggers[i].Function == function {
			return &t.Triggers[i]
		}
	}
	return nil
}
