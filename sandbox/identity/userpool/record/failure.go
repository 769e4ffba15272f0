package record

import (
	"time"

	"gatewright/sandbox/identity/wire"
)

const (
	// CodeTries is the number of wrong attempts at one code.
	CodeTries = 5
	// FreePasswordTries and FreeCodeTries are the consecutive wrong passwords and codes
	// without a delay. The latter are the tries of two codes.
	FreePasswordTries = 5
	FreeCodeTries     = 2 * CodeTries
	// longestWait bounds the delay, as in the cloud.
	longestWait = 15 * time.Minute
	// mostUnknownNames bounds the unknown user names whose failures are counted.
	mostUnknownNames = 10_000
)

// Failures counts consecutive failures. The file keeps it, so a restart of the sandbox does
// not clear it.
type Failures struct {
	Count int       `json:"count"`
	Until time.Time `json:"until,omitzero"`
	// CodeUntil and CodeWrong are for an unknown user: until when a pretended code would be
	// valid, and the number of wrong attempts at it.
	CodeUntil time.Time `json:"sent,omitzero"`
	CodeWrong int       `json:"wrong,omitzero"`
}

// FailureKey is the key of a failures record.
type FailureKey struct {
	Bucket []byte
	Key    string
}

// PasswordFailuresOf counts a user's wrong passwords and second factors.
func PasswordFailuresOf(sub string) FailureKey {
	return FailureKey{failuresBucket, "password\x00" + sub}
}

// CodeFailuresOf counts wrong attempts at codes that were sent to a user.
func CodeFailuresOf(sub string) FailureKey { return FailureKey{failuresBucket, "code\x00" + sub} }

// The errors of too many failures.
var (
	ErrAttempts = wire.Refuse("NotAuthorizedException", "Password attempts exceeded")
	ErrLimit    = wire.Refuse("LimitExceededException", "Attempt limit exceeded, please try after some time.")
)

// MustWait reports whether the next attempt is still delayed.
func (r Records) MustWait(t FailureKey) (bool, error) {
	var f Failures
	_, err := r.Read(t.Bucket, t.Key, &f)
	return r.Now.Before(f.Until), err
}

// CountFailure counts a failure. After the free ones, the delay begins at one second and
// doubles.
func (r Records) CountFailure(t FailureKey, free int) error {
	var f Failures
	found, err := r.Read(t.Bucket, t.Key, &f)
	if err != nil {
		return err
	}
	if !found && string(t.Bucket) == string(UnknownNamesBucket) {
		if err := r.CountUnknownName(); err != nil {
			return err
		}
	}
	f.Count++
	if more := f.Count - free; more >= 0 {
		wait := longestWait
		if more < 10 {
			wait = min(wait, time.Second<<more)
		}
		f.Until = r.Now.Add(wait)
	}
	return r.Write(t.Bucket, t.Key, f)
}

// CountUnknownName counts another unknown name. It deletes all of them when there are too
// many: there is no password to guess.
func (r Records) CountUnknownName() error {
	b := r.Bucket.Bucket(UnknownNamesBucket)
	if b.Sequence() >= mostUnknownNames {
		if err := r.Bucket.DeleteBucket(UnknownNamesBucket); err != nil {
			return err
		}
		var err error
		if b, err = r.Bucket.CreateBucket(UnknownNamesBucket); err != nil {
			return err
		}
	}
	_, err := b.NextSequence()
	return err
}

// ClearFailures ends the counting after a success.
func (r Records) ClearFailures(t FailureKey) error { return r.remove(t.Bucket, t.Key) }
