package sandbox

import (
	"encoding/json"
	"io"
	"net/http"
)

// mostQuestion is how long a question about users may be, in bytes.
const mostQuestion = 1 << 20

// questioned reads a question, and answers where it cannot be read.
func questioned(w http.ResponseWriter, r *http.Request, into any) bool {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, mostQuestion))
	if err == nil {
		err = json.Unmarshal(body, into)
	}
	if err != nil {
		refuse(w, http.StatusBadRequest, err)
	}
	return err == nil
}

// settled answers with what made gives; what a pool refuses is part of the answer.
func settled(w http.ResponseWriter, err error, made func(refused) any) {
	refusal, err := refusedBy(err)
	if err != nil {
		refuse(w, http.StatusUnprocessableEntity, err)
		return
	}
	answer(w, http.StatusOK, made(refusal))
}

// posed answers questions of one kind: made gives the answer from what a pool
// did, or from what it refuses.
func posed[Question any](made func(*http.Request, Question) (func(refused) any, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		var question Question
		if !questioned(w, r, &question) {
			return
		}
		answered, err := made(r, question)
		settled(w, err, answered)
	}
}

func (c *control) users(r *http.Request, q usersQuestion) (func(refused) any, error) {
	output, err := c.facility.pools.Do(r.Context(), q.Operation, q.Input)
	return func(no refused) any { return usersAnswer{no, output} }, err
}

func (c *control) tokens(_ *http.Request, q tokensQuestion) (func(refused) any, error) {
	tokens, err := c.facility.pools.Tokens(q.UserPoolID, q.Name)
	return func(no refused) any { return tokensAnswer{refused: no, Tokens: tokens} }, err
}

func (c *control) user(_ *http.Request, q tokensQuestion) (func(refused) any, error) {
	user, err := c.facility.pools.User(q.UserPoolID, q.Name)
	return func(no refused) any { return tokensAnswer{refused: no, User: user} }, err
}

func (c *control) credentials(_ *http.Request, q credentialsQuestion) (func(refused) any, error) {
	given, err := c.facility.pools.Identities.Mint(q.Environment, q.Who)
	return func(no refused) any { return credentialsAnswer{no, given} }, err
}
