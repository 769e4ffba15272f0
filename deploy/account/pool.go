package account

import (
	"strings"

	"gatewright/model"
)

// OfPool returns the account with calls that go to the region of a user pool or an identity pool,
// with which its id begins: one that was there before may be in another region than the rest.
// Identity pools: https://docs.aws.amazon.com/cognitoidentity/latest/APIReference/API_DescribeIdentityPool.html
func (a *Account) OfPool(id string) *Account {
	region, _, identities := strings.Cut(id, ":")
	if !identities {
		region = model.PoolRegion(id)
	}
	if region == a.Region || model.CheckRegion(region) != nil {
		return a
	}
	return a.In(region)
}
