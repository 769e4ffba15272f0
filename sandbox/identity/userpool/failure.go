package userpool

import (
	"time"

	"gatewright/sandbox/identity/wire"
)

const (
	// freePasswords is how many wrong passwords in a row cost no waiting, freeCodes the same of codes: those that two of them take.
	freePasswordTries = 5
	freeCodeTries     = 2 * codeTries
	// longestWait ends the doubling, as in the cloud.
	longestWait = 15 * time.Minute
	// mostStrangers bounds the names that nobody has and are counted all the same.
	mostUnknownNames = 10_000
)

// failures are wrong tries in a row. They are kept with everything else, so that starting the sandbox anew forgives nothing.
type failures struct {
	Count int       `json:"count"`
	Until time.Time `json:"until,omitzero"`
	// Sent is until when a code would be good that nobody got, Wrong how often it was got wrong.
	CodeUntil time.Time `json:"sent,omitzero"`
	CodeWrong int       `json:"wrong,omitzero"`
}

// tried is what somebody tries to guess.
type failureKey struct {
	bucket []byte
	key    string
}

// passwordOf counts passwords and second factors of a user.
func passwordFailuresOf(sub string) failureKey {
	return failureKey{failuresBucket, "password\x00" + sub}
}

// codesOf counts the codes that were sent to a user.
func codeFailuresOf(sub string) failureKey { return failureKey{failuresBucket, "code\x00" + sub} }

var (
	errAttempts = unauthorized("Password attempts exceeded")
	errLimit    = wire.Refuse("LimitExceededException", "Attempt limit exceeded, please try after some time.")
)

// waits reports whether nothing may be tried now.
func (r records) mustWait(t failureKey) (bool, error) {
	var f failures
	_, err := r.read(t.bucket, t.key, &f)
	return r.now.Before(f.Until), err
}

// failed counts a wrong try. From the last free one on each doubles the waiting, from a second on.
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

// oneStrangerMore makes room: where too many names were tried that nobody has, they are forgotten, since there is nothing to guess.
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

// forgive ends the counting, after the right one.
func (r records) clearFailures(t failureKey) error { return r.remove(t.bucket, t.key) }
