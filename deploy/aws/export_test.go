package aws

import "gatewright/deploy/account"

// newAccount is an account that is not asked.
func newAccount(id, region string) *account.Account { return &account.Account{ID: id, Region: region} }
