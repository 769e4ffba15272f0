package userpool

import (
	"cmp"
	"encoding/binary"

	"gatewright/internal/uuid"
	"gatewright/sandbox/identity/pool"
	"gatewright/sandbox/identity/userpool/record"
)

// unknownUser is the claimant with a name that no user has. Its values depend on the name
// only, so that answers do not reveal which users exist.
func (p *Pools) unknownUser(cfg pool.Pool, name string) (claimant, error) {
	// The name of an existing user comes back as it was created, so an unknown one comes
	// back folded.
	name = record.Fold(name)
	var failed error
	derive := func(what string, length int) []byte {
		var out []byte
		for n := uint32(0); len(out) < length; n++ {
			sum, err := p.options.Keys.MAC("user pools: nobody", cfg.UserPoolID, name,
				what+string(binary.BigEndian.AppendUint32(nil, n)))
			if err != nil {
				failed = err
				return make([]byte, length)
			}
			out = append(out, sum...)
		}
		return out[:length]
	}
	c := claimant{
		name: name, salt: derive("salt", 16), verifier: derive("verifier", verifierBytes),
		passwordFailures: record.FailureKey{Bucket: record.UnknownNamesBucket, Key: string(derive("tries", 16))},
		codeFailures:     record.FailureKey{Bucket: record.UnknownNamesBucket, Key: string(derive("codes", 16))},
	}
	c.verifier[0] = c.verifier[0]&0x7f | 1
	if names := record.NameRulesOf(cfg); !names.ChosenName || names.CheckFree(name) != nil {
		c.name = uuid.V4([16]byte(derive("id", 16)))
	}
	return c, failed
}

// pretendedDelivery describes the message to an unknown user, always the same for one name.
func (p *Pools) pretendedDelivery(cfg pool.Pool, name string) (*deliveryOutput, error) {
	unknown, err := p.unknownUser(cfg, name)
	if err != nil {
		return nil, err
	}
	letter := func(b byte) string { return string('a' + rune(b)%26) }
	m := &Message{Medium: mediumEmail, To: letter(unknown.salt[0]) + "@" + letter(unknown.salt[1])}
	if record.IsEmail(name) {
		m.To = name
	}
	return &deliveryOutput{m.details()}, nil
}

// sendCodeToUnknown records the request for a code, so that takeCodeOfUnknown answers as
// takeCode does.
func (p *Pools) sendCodeToUnknown(r record.Records, name string) error {
	unknown, err := p.unknownUser(r.Pool, name)
	if err != nil {
		return err
	}
	var f record.Failures
	found, err := r.Read(record.UnknownNamesBucket, unknown.codeFailures.Key, &f)
	if err == nil && !found {
		err = r.CountUnknownName()
	}
	if err != nil {
		return err
	}
	f.CodeUntil, f.CodeWrong = r.Now.Add(codeLife), 0
	return r.Write(record.UnknownNamesBucket, unknown.codeFailures.Key, f)
}

// takeCodeOfUnknown refuses a code as takeCode would refuse a wrong one.
func (p *Pools) takeCodeOfUnknown(r record.Records, name string) error {
	unknown, err := p.unknownUser(r.Pool, name)
	if err != nil {
		return err
	}
	var f record.Failures
	_, err = r.Read(record.UnknownNamesBucket, unknown.codeFailures.Key, &f)
	switch {
	case err != nil:
		return err
	case r.Now.Before(f.Until):
		return record.ErrLimit
	case !r.Now.Before(f.CodeUntil):
		return errCodeExpired
	case f.CodeWrong >= record.CodeTries:
		return record.ErrLimit
	}
	f.CodeWrong++
	if err := r.Write(record.UnknownNamesBucket, unknown.codeFailures.Key, f); err != nil {
		return err
	}
	return cmp.Or[error](r.CountFailure(unknown.codeFailures, record.FreeCodeTries), record.CommittedError{Err: errCode})
}
