package model

import (
	"cmp"
	"strings"
)

// NoAccount is the id of the AWS account if an environment names none.
const NoAccount = "000000000000"

// ARN is the ARN of what a service has in a region of an account, "" for DefaultRegion and NoAccount
// (https://docs.aws.amazon.com/IAM/latest/UserGuide/reference-arns.html).
func ARN(service, region, account, resource string) string {
	return strings.Join(
		[]string{"arn:aws", service, cmp.Or(region, DefaultRegion), cmp.Or(account, NoAccount), resource}, ":")
}
