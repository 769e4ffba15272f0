// Package signin signs users of a user pool in, as client libraries do, and gets credentials of
// an identity pool for them and for guests. It needs no credentials of AWS
// (https://docs.aws.amazon.com/cognito/latest/developerguide/amazon-cognito-user-pools-authentication-flow-methods.html).
// Passwords, tokens and keys stay in memory.
package signin

import (
	"context"

	"gatewright/internal/text/phrase"
)

// Kind says what a Question asks for.
type Kind uint8

// The kinds of questions.
const (
	// Password is the user's password, NewPassword one that the pool wants in its place.
	Password Kind = iota
	NewPassword
	// Code is a code of a second factor.
	Code
	// Attribute is a fact about the user that the pool wants to have.
	Attribute
)

// Question is something that only the user knows.
type Question struct {
	Kind Kind
	// User is the name with which the user signs in, Text what is asked, without the mark at its end.
	User, Text string
	// Options are all possible answers; none for a text.
	Options []string
}

// Hidden reports whether nobody shall read the answer over a shoulder.
func (q Question) Hidden() bool { return q.Kind == Password || q.Kind == NewPassword }

// String is the question as one line, with the possible answers.
func (q Question) String() string {
	if len(q.Options) == 0 {
		return q.Text
	}
	return q.Text + " (" + phrase.QuoteList(q.Options) + ")"
}

// Ask asks a person. Its errors are returned as they are.
type Ask func(ctx context.Context, q Question) (answer string, err error)
