package userpool

import (
	"encoding/binary"

	"gatewright/sandbox/identity/pool"
	"gatewright/sandbox/uuid"
)

// nobody is who a name means that nobody has.
func (p *Pools) nobody(of pool.Pool, name string) (claimant, error) {
	// Capitals are left out of the name as well: that it comes back in others than it was sent in is the sign of a user.
	name = fold(name)
	var failed error
	made := func(what string, length int) []byte {
		var out []byte
		for n := uint32(0); len(out) < length; n++ {
			sum, err := p.options.Keys.MAC("user pools: nobody", of.UserPoolID, name, what+string(binary.BigEndian.AppendUint32(nil, n)))
			if err != nil {
				failed = err
				return make([]byte, length)
			}
			out = append(out, sum...)
		}
		return out[:length]
	}
	c := claimant{
		name: name, salt: made("salt", 16), verifier: made("verifier", verifierBytes),
		tried: tried{strangers, string(made("tries", 16))}, codes: tried{strangers, string(made("codes", 16))},
	}
	c.verifier[0] = c.verifier[0]&0x7f | 1
	if names := namesOf(of); !names.free || names.checkFree(name) != nil {
		c.name = uuid.Of([16]byte(made("id", 16)))
	}
	return c, failed
}

// pretended is what is said to have been sent to a name that nobody has, always the same.
func (p *Pools) pretended(of pool.Pool, name string) (*deliveryOutput, error) {
	nobody, err := p.nobody(of, name)
	if err != nil {
		return nil, err
	}
	letter := func(b byte) string { return string('a' + rune(b)%26) }
	m := &Message{Medium: mediumEmail, To: letter(nobody.salt[0]) + "@" + letter(nobody.salt[1])}
	if isEmail(name) {
		m.To = name
	}
	return &deliveryOutput{m.details()}, nil
}

// sendNobody remembers that a code was asked for, so that takeCodeOfNobody answers as takeCode does.
func (p *Pools) sendNobody(r records, name string) error {
	nobody, err := p.nobody(r.pool, name)
	if err != nil {
		return err
	}
	var f failures
	found, err := r.read(strangers, nobody.codes.key, &f)
	if err == nil && !found {
		err = r.oneStrangerMore()
	}
	if err != nil {
		return err
	}
	f.Sent, f.Wrong = r.now.Add(otherCodeFor), 0
	return r.write(strangers, nobody.codes.key, f)
}

// takeCodeOfNobody refuses a code as it would be with a user.
func (p *Pools) takeCodeOfNobody(r records, name string) error {
	nobody, err := p.nobody(r.pool, name)
	if err != nil {
		return err
	}
	var f failures
	_, err = r.read(strangers, nobody.codes.key, &f)
	switch {
	case err != nil:
		return err
	case r.now.Before(f.Until):
		return errLimit
	case !r.now.Before(f.Sent):
		return errCodeExpired
	case f.Wrong >= triesOfCode:
		return errLimit
	}
	f.Wrong++
	if err := r.write(strangers, nobody.codes.key, f); err != nil {
		return err
	}
	return orErr(r.failed(nobody.codes, freeCodes), kept{errCode})
}
