package people_test

import (
	"strings"
	"testing"

	"gatewright/deploy/people"
	"gatewright/model"
	"gatewright/sandbox/identity/pool"
)

func TestARefusedPasswordSaysAllThatThePolicyAsksFor(t *testing.T) {
	t.Parallel()
	length, yes := 10, true
	for want, policy := range map[string]*model.PasswordPolicy{
		"; give one of at least 8 characters": nil,
		"; give one of at least 10 characters, among them a lowercase letter, an uppercase letter, a number, a symbol": {
			MinLength: &length, RequireUppercase: &yes, RequireLowercase: &yes, RequireNumbers: &yes, RequireSymbols: &yes,
		},
	} {
		u := &people.Users{Pool: &pool.Pool{Definition: &model.Auth{PasswordPolicy: policy}}}
		if err := u.CheckPolicy("emma", "short"); err == nil || !strings.HasSuffix(err.Error(), want) {
			t.Errorf("the error is %v, want %s", err, want)
		}
	}
}
