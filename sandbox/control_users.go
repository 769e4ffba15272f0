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

func (c *control) users(w http.ResponseWriter, r *http.Request) {
	var question usersQuestion
	if !questioned(w, r, &question) {
		return
	}
	output, err := c.facility.pools.Do(r.Context(), question.Operation, question.Input)
	settled(w, err, func(no refused) any { return usersAnswer{no, output} })
}

func (c *control) tokens(w http.ResponseWriter, r *http.Request) {
	var question tokensQuestion
	if !questioned(w, r, &question) {
		return
	}
	tokens, err := c.facility.pools.Tokens(question.UserPoolID, question.Name)
	settled(w, err, func(no refused) any { return tokensAnswer{refused: no, Tokens: tokens} })
}

func (c *control) user(w http.ResponseWriter, r *http.Request) {
	var question tokensQuestion
	if !questioned(w, r, &question) {
		return
	}
	user, err := c.facility.pools.User(question.UserPoolID, question.Name)
	settled(w, err, func(no refused) any { return tokensAnswer{refused: no, User: user} })
}

func (c *control) credentials(w http.ResponseWriter, r *http.Request) {
	var question credentialsQuestion
	if !questioned(w, r, &question) {
		return
	}
	given, err := c.facility.pools.Identities.Mint(question.Environment, question.Who)
	settled(w, err, func(no refused) any { return credentialsAnswer{no, given} })
}
