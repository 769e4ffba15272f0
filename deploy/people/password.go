package people

import (
	"crypto/rand"
	"math/big"
	"strings"

	"gatewright/model"
)

// LongestPassword is Cognito's limit, in characters.
const LongestPassword = 256

// The characters of passwords that are made: none that looks like another, and none that is
// special in a shell.
const (
	lowercase = "abcdefghijkmnpqrstuvwxyz"
	uppercase = "ABCDEFGHJKLMNPQRSTUVWXYZ"
	numbers   = "23456789"
	symbols   = "-_.+="
)

// NewPassword makes a password that the pool's policy accepts: long enough, with every kind
// of character.
func NewPassword(definition *model.Auth) string {
	const least = 16
	policy := model.PasswordPolicy{}
	if definition != nil && definition.PasswordPolicy != nil {
		policy = *definition.PasswordPolicy
	}
	length := max(least, *policy.Whole().MinLength)
	text := make([]byte, 0, length)
	for _, kind := range []string{lowercase, uppercase, numbers, symbols} {
		text = append(text, kind[random(len(kind))])
	}
	for every := lowercase + uppercase + numbers; len(text) < length; {
		text = append(text, every[random(len(every))])
	}
	for i := len(text) - 1; i > 0; i-- {
		j := random(i + 1)
		text[i], text[j] = text[j], text[i]
	}
	// A command could take a symbol at the start for a flag.
	if at := strings.IndexAny(string(text), lowercase+uppercase); strings.IndexByte(symbols, text[0]) >= 0 {
		text[0], text[at] = text[at], text[0]
	}
	return string(text)
}

// random returns a number below n that nobody can guess.
func random(n int) int {
	number, err := rand.Int(rand.Reader, big.NewInt(int64(n)))
	if err != nil {
		panic(err) // crypto/rand does not fail
	}
	return int(number.Int64())
}
