package userpool

import (
	"time"

	"gatewright/sandbox/identity/wire"
)

const (
	// freePasswords is how many wrong passwords in a row cost no waiting, freeCodes the same of codes: those that two of them take.
	freePasswords = 5
	freeCodes     = 2 * triesOfCode
	// longestWait ends the doubling, as in the cloud.
	longestWait = 15 * time.Minute
	// mostStrangers bounds the names that nobody has and are counted all the same.
	mostStrangers = 10_000
)

// failures are wrong tries in a row. They are kept with everything else, so that starting the sandbox anew forgives nothing.
type failures struct {
	Count int       `json:"count"`
	Until time.Time `json:"until,omitzero"`
	// Sent is until when a code would be good that nobody got, Wrong how often it was got wrong.
	Sent  time.Time `json:"sent,omitzero"`
	Wrong int       `json:"wrong,omitzero"`
}

// tried is what somebody tries to guess.
type tried struct {
	bucket []byte
	key    string
}

// passwordOf counts passwords and second factors of a user.
func passwordOf(sub string) tried { return tried{failuresOf, "password\x00" + sub} }

// codesOf counts the codes that were sent to a user.
func codesOf(sub string) tried { return tried{failuresOf, "code\x00" + sub} }

var (
	errAttempts = unauthorized("Password attempts exceeded")
	errLimit    = wire.Refuse("LimitExceededException", "Attempt limit exceeded, please try after some time.")
)

// waits reports whether nothing may be tried now.
func (r records) waits(t tried) (bool, error) {
	var f failures
	_, err := r.read(t.bucket, t.key, &f)
	return r.now.Before(f.Until), err
}

// failed counts a wrong try. From the last free one on each doubles the waiting, from a second on.
func (r records) failed(t tried, free int) error {
	var f failures
	found, err := r.read(t.bucket, t.key, &f)
	if err != nil {
		return err
	}
	if !found && string(t.bucket) == string(strangers) {
		if err := r.oneStrangerMore(); err != nil {
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
func (r records) oneStrangerMore() error {
	b := r.bucket.Bucket(strangers)
	if b.Sequence() >= mostStrangers {
		if err := r.bucket.DeleteBucket(strangers); err != nil {
			return err
		}
		var err error
		if b, err = r.bucket.CreateBucket(strangers); err != nil {
			return err
		}
	}
	_, err := b.NextSequence()
	return err
}

// forgive ends the counting, after the right one.
func (r records) forgive(t tried) error { return r.remove(t.bucket, t.key) }
