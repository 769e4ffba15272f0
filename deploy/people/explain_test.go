package people_test

import (
	"strings"
	"testing"

	"gatewright/deploy/people"
	"gatewright/model"
	"gatewright/sandbox/identity/pool"
)

func TestARefusedPasswordSaysAllThatThePolicyAsksFor(t *testing.T) {
	length, yes := 10, true
	for want, policy := range map[string]*model.PasswordPolicy{
		"; give one with 8 characters or more": nil,
		"; give one with 10 characters or more, A-Z, a-z, 0-9, a symbol such as !": {
			MinLength: &length, RequireUppercase: &yes, RequireLowercase: &yes, RequireNumbers: &yes, RequireSymbols: &yes,
		},
	} {
		u := &people.Users{Pool: &pool.Pool{Definition: &model.Auth{PasswordPolicy: policy}}}
		if err := u.CheckPolicy("emma", "short"); err == nil || !strings.HasSuffix(err.Error(), want) {
			t.Errorf("the error is %v, want %s", err, want)
		}
	}
}
