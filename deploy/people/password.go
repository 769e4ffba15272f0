package people

import (
	"crypto/rand"
	"math/big"
	"strings"

	"gatewright/internal/text/phrase"
	"gatewright/model"
)

// LongestPassword is Cognito's limit, in characters.
const LongestPassword = 256

// The characters of passwords that are made: none that looks like another, and none that is special in a shell.
const (
	lowercase = "abcdefghijkmnpqrstuvwxyz"
	uppercase = "ABCDEFGHJKLMNPQRSTUVWXYZ"
	numbers   = "23456789"
	symbols   = "-_.+="
)

// policyOf is the policy of a pool, with Cognito's defaults.
func policyOf(definition *model.Auth) model.PasswordPolicy {
	policy := model.PasswordPolicy{}
	if definition != nil && definition.PasswordPolicy != nil {
		policy = *definition.PasswordPolicy
	}
	return policy.Whole()
}

// PolicyWords says which passwords a pool's policy accepts, such as "at least 10 characters, among them a number".
func PolicyWords(definition *model.Auth) string {
	policy := policyOf(definition)
	var kinds []string
	for _, kind := range []struct {
		required *bool
		word     string
	}{
		{policy.RequireLowercase, "a lowercase letter"},
		{policy.RequireUppercase, "an uppercase letter"},
		{policy.RequireNumbers, "a number"},
		{policy.RequireSymbols, "a symbol"},
	} {
		if *kind.required {
			kinds = append(kinds, kind.word)
		}
	}
	words := "at least " + phrase.Count(*policy.MinLength, "character")
	if len(kinds) > 0 {
		words += ", among them " + phrase.List(kinds)
	}
	return words
}

// NewPassword makes a password that the pool's policy accepts: long enough, with every kind of character.
func NewPassword(definition *model.Auth) string {
	const least = 16
	length := max(least, *policyOf(definition).MinLength)
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
