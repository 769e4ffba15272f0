package sandbox

import "net/http"

// question returns the handler of one kind of question about users. do returns a function
// that makes the answer; its argument is the pool's refusal, if there was one.
func question[Question any](do func(*http.Request, Question) (func(refused) any, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		var q Question
		if !readJSON(w, r, maxQuestion, &q) {
			return
		}
		answered, err := do(r, q)
		refusal, err := refusedBy(err)
		if err != nil {
			refuse(w, http.StatusUnprocessableEntity, err)
			return
		}
		answer(w, http.StatusOK, answered(refusal))
	}
}

func (c *control) users(r *http.Request, q usersQuestion) (func(refused) any, error) {
	output, err := c.sandbox.pools.Do(r.Context(), q.Operation, q.Input)
	return func(no refused) any { return usersAnswer{no, output} }, err
}

func (c *control) tokens(_ *http.Request, q tokensQuestion) (func(refused) any, error) {
	tokens, err := c.sandbox.pools.Tokens(q.UserPoolID, q.Name)
	return func(no refused) any { return tokensAnswer{refused: no, Tokens: tokens} }, err
}

func (c *control) user(_ *http.Request, q tokensQuestion) (func(refused) any, error) {
	user, err := c.sandbox.pools.User(q.UserPoolID, q.Name)
	return func(no refused) any { return tokensAnswer{refused: no, User: user} }, err
}

func (c *control) roster(_ *http.Request, q tokensQuestion) (func(refused) any, error) {
	all, err := c.sandbox.pools.Roster(q.UserPoolID)
	return func(no refused) any { return rosterAnswer{no, all} }, err
}

func (c *control) credentials(_ *http.Request, q credentialsQuestion) (func(refused) any, error) {
	given, err := c.sandbox.pools.Identities.Mint(q.Environment, q.Who)
	return func(no refused) any { return credentialsAnswer{no, given} }, err
}
