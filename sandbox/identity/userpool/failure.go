package userpool

import (
	"time"

	"gatewright/sandbox/identity/wire"
)

const (
	// codeTries is the number of wrong attempts at one code.
	codeTries = 5
	// freePasswordTries and freeCodeTries are the consecutive wrong passwords and codes
	// without a delay. The latter are the tries of two codes.
	freePasswordTries = 5
	freeCodeTries     = 2 * codeTries
	// longestWait bounds the delay, as in the cloud.
	longestWait = 15 * time.Minute
	// mostUnknownNames bounds the unknown user names whose failures are counted.
	mostUnknownNames = 10_000
)

// failures counts consecutive failures. The file keeps it, so a restart of the sandbox does
// not clear it.
type failures struct {
	Count int       `json:"count"`
	Until time.Time `json:"until,omitzero"`
	// CodeUntil and CodeWrong are for an unknown user: until when a pretended code would be
	// valid, and the number of wrong attempts at it.
	CodeUntil time.Time `json:"sent,omitzero"`
	CodeWrong int       `json:"wrong,omitzero"`
}

// failureKey is the key of a failures record.
type failureKey struct {
	bucket []byte
	key    string
}

// passwordFailuresOf counts a user's wrong passwords and second factors.
func passwordFailuresOf(sub string) failureKey {
	return failureKey{failuresBucket, "password\x00" + sub}
}

// codeFailuresOf counts wrong attempts at codes that were sent to a user.
func codeFailuresOf(sub string) failureKey { return failureKey{failuresBucket, "code\x00" + sub} }

// The errors of too many failures.
var (
	errAttempts = wire.Refuse("NotAuthorizedException", "Password attempts exceeded")
	errLimit    = wire.Refuse("LimitExceededException", "Attempt limit exceeded, please try after some time.")
)

// mustWait reports whether the next attempt is still delayed.
func (r records) mustWait(t failureKey) (bool, error) {
	var f failures
	_, err := r.read(t.bucket, t.key, &f)
	return r.now.Before(f.Until), err
}

// countFailure counts a failure. After the free ones, the delay begins at one second and
// doubles.
func (r records) countFailure(t failureKey, free int) error {
	var f failures
	found, err := r.read(t.bucket, t.key, &f)
	if err != nil {
		return err
	}
	if !found && string(t.bucket) == string(unknownNamesBucket) {
		if err := r.countUnknownName(); err != nil {
			return err
		}
	}
	f.Count++
	if more := f.Count - free; more >= 0 {
		wait := longestWait
		if more < 10 {
			wait = min(wait, time.Second<<more)
		}
		f.Until = r.now.Add(wait)
	}
	return r.write(t.bucket, t.key, f)
}

// countUnknownName counts another unknown name. It deletes all of them when there are too
// many: there is no password to guess.
func (r records) countUnknownName() error {
	b := r.bucket.Bucket(unknownNamesBucket)
	if b.Sequence() >= mostUnknownNames {
		if err := r.bucket.DeleteBucket(unknownNamesBucket); err != nil {
			return err
		}
		var err error
		if b, err = r.bucket.CreateBucket(unknownNamesBucket); err != nil {
			return err
		}
	}
	_, err := b.NextSequence()
	return err
}

// clearFailures ends the counting after a success.
func (r records) clearFailures(t failureKey) error { return r.remove(t.bucket, t.key) }
