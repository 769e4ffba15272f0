package aws

import (
	"slices"
	"strings"
)

// regions are those in which REST APIs, functions and tables are offered. See
// https://docs.aws.amazon.com/global-infrastructure/latest/regions/aws-regions.html
var regions = []string{
	"af-south-1", "ap-east-1", "ap-east-2", "ap-northeast-1", "ap-northeast-2", "ap-northeast-3", "ap-south-1",
	"ap-south-2",
	"ap-southeast-1", "ap-southeast-2", "ap-southeast-3", "ap-southeast-4", "ap-southeast-5", "ap-southeast-6",
	"ap-southeast-7",
	"ca-central-1", "ca-west-1", "cn-north-1", "cn-northwest-1", "eu-central-1", "eu-central-2", "eu-north-1",
	"eu-south-1",
	"eu-south-2", "eu-west-1", "eu-west-2", "eu-west-3", "eusc-de-east-1", "il-central-1", "me-central-1", "me-south-1",
	"mx-central-1", "sa-east-1", "us-east-1", "us-east-2", "us-gov-east-1", "us-gov-west-1", "us-west-1", "us-west-2",
}

// isolated begin regions of partitions that are not public, whose regions are not listed.
var isolated = []string{"us-iso", "eu-iso"}

func knownRegion(region string) bool {
	return slices.Contains(regions, region) ||
		slices.ContainsFunc(isolated, func(prefix string) bool { return strings.HasPrefix(region, prefix) })
}

// Partition returns the partition of a region, which the ARNs in it begin with. See
// https://docs.aws.amazon.com/IAM/latest/UserGuide/reference-arns.html
func Partition(region string) string {
	for _, p := range []struct{ prefix, partition string }{
		{"cn-", "aws-cn"},
		{"us-gov-", "aws-us-gov"},
		{"eusc-", "aws-eusc"},
		{"us-isob-", "aws-iso-b"},
		{"us-isof-", "aws-iso-f"},
		{"us-iso-", "aws-iso"},
		{"eu-isoe-", "aws-iso-e"},
	} {
		if strings.HasPrefix(region, p.prefix) {
			return p.partition
		}
	}
	return "aws"
}

// hasUserPools reports whether Amazon Cognito offers user pools in a region. See
// https://docs.amazonaws.cn/en_us/aws/latest/userguide/cognito.html
func hasUserPools(region string) bool { return Partition(region) != "aws-cn" }
