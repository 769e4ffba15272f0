package userpool

import (
	"cmp"
	"encoding/binary"

	"gatewright/internal/uuid"
	"gatewright/sandbox/identity/pool"
)

// unknownUser is the claimant with a name that no user has. Its values depend on the name
// only, so that answers do not reveal which users exist.
func (p *Pools) unknownUser(cfg pool.Pool, name string) (claimant, error) {
	// The name of an existing user comes back as it was created, so an unknown one comes
	// back folded.
	name = fold(name)
	var failed error
	derive := func(what string, length int) []byte {
		var out []byte
		for n := uint32(0); len(out) < length; n++ {
			sum, err := p.options.Keys.MAC("user pools: nobody", cfg.UserPoolID, name, what+string(binary.BigEndian.AppendUint32(nil, n)))
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
		passwordFailures: failureKey{bucket: unknownNamesBucket, key: string(derive("tries", 16))}, codeFailures: failureKey{bucket: unknownNamesBucket, key: string(derive("codes", 16))},
	}
	c.verifier[0] = c.verifier[0]&0x7f | 1
	if names := nameRulesOf(cfg); !names.chosenName || names.checkFree(name) != nil {
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
	if isEmail(name) {
		m.To = name
	}
	return &deliveryOutput{m.details()}, nil
}

// sendCodeToUnknown records the request for a code, so that takeCodeOfUnknown answers as
// takeCode does.
func (p *Pools) sendCodeToUnknown(r records, name string) error {
	unknown, err := p.unknownUser(r.pool, name)
	if err != nil {
		return err
	}
	var f failures
	found, err := r.read(unknownNamesBucket, unknown.codeFailures.key, &f)
	if err == nil && !found {
		err = r.countUnknownName()
	}
	if err != nil {
		return err
	}
	f.CodeUntil, f.CodeWrong = r.now.Add(codeLife), 0
	return r.write(unknownNamesBucket, unknown.codeFailures.key, f)
}

// takeCodeOfUnknown refuses a code as takeCode would refuse a wrong one.
func (p *Pools) takeCodeOfUnknown(r records, name string) error {
	unknown, err := p.unknownUser(r.pool, name)
	if err != nil {
		return err
	}
	var f failures
	_, err = r.read(unknownNamesBucket, unknown.codeFailures.key, &f)
	switch {
	case err != nil:
		return err
	case r.now.Before(f.Until):
		return errLimit
	case !r.now.Before(f.CodeUntil):
		return errCodeExpired
	case f.CodeWrong >= codeTries:
		return errLimit
	}
	f.CodeWrong++
	if err := r.write(unknownNamesBucket, unknown.codeFailures.key, f); err != nil {
		return err
	}
	return cmp.Or[error](r.countFailure(unknown.codeFailures, freeCodeTries), committedError{err: errCode})
}
