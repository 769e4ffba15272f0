package model

import (
	"cmp"
	"errors"
	"strings"

	"gatewright/internal/text/lazyregexp"
	"gatewright/internal/text/phrase"
	"gatewright/internal/text/spelling"
)

// Regions are the public regions of the cloud, for people to choose from
// (https://docs.aws.amazon.com/global-infrastructure/latest/regions/aws-regions.html). A
// region that was opened later is not refused: CheckRegion asks for the form only.
var Regions = []string{
	"us-east-1", "us-east-2", "us-west-1", "us-west-2", "ca-central-1", "ca-west-1", "mx-central-1", "sa-east-1",
	"eu-west-1", "eu-west-2", "eu-west-3", "eu-central-1", "eu-central-2", "eu-north-1", "eu-south-1", "eu-south-2",
	"ap-east-1", "ap-east-2", "ap-northeast-1", "ap-northeast-2", "ap-northeast-3", "ap-south-1", "ap-south-2",
	"ap-southeast-1", "ap-southeast-2", "ap-southeast-3", "ap-southeast-4", "ap-southeast-5", "ap-southeast-6",
	"ap-southeast-7",
	"af-south-1", "il-central-1", "me-central-1", "me-south-1",
	"us-gov-east-1", "us-gov-west-1", "cn-north-1", "cn-northwest-1",
}

// regionRule is the form that all regions of the cloud have, such as us-gov-west-1.
var regionRule = lazyregexp.New(`^[a-z]{2,4}(-[a-z]{2,12}){1,2}-[0-9]{1,2}$`)

// CheckRegionOf checks the region that an environment is deployed in (see Backend.Region).
// Loading a project takes any text, so everything that makes names, ids or addresses of a
// region asks this first. The error is a Problem with the place of the region.
func (b *Backend) CheckRegionOf(env *Environment) error {
	bad, ok := errors.AsType[*Problem](CheckRegion(b.Region(env)))
	if !ok {
		return nil
	}
	bad.Of, bad.Pointer = Ref{Kind: KindProject}, "/region"
	if env != nil && env.Region != "" {
		bad.Of = Ref{Kind: KindEnvironment, Name: env.Name}
	}
	return bad
}

// CheckRegion checks the form of the name of a region. The error is a Problem.
func CheckRegion(name string) error {
	if regionRule().MatchString(name) {
		return nil
	}
	fix := "write a region such as eu-west-1"
	if near := spelling.Nearest(name, Regions); near != "" {
		fix = "did you mean " + near + "?"
	}
	return &Problem{Field: "region", Text: phrase.Quote(name) + " is not a region", Fix: fix}
}

// CheckRegionsOf checks the region of a section of the client configuration file, and those that ids of pools in it
// begin with (https://docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/API_UserPoolType.html). The
// section is in the file of a thing, at a JSON pointer.
func CheckRegionsOf(of Ref, pointer string, section map[string]any) []*Problem {
	var problems []*Problem
	for _, field := range []struct{ name, separator string }{
		{"cloud_region", ""},
		{"user_pool_id", "_"},
		{"identity_pool_id", ":"},
	} {
		text, _ := section[field.name].(string)
		region, found := text, text != ""
		if field.separator != "" {
			region, _, found = strings.Cut(text, field.separator)
		}
		if !found {
			continue
		}
		if bad, ok := errors.AsType[*Problem](CheckRegion(region)); ok {
			bad.Of, bad.Pointer = of, pointer+"/"+field.name
			bad.Field = strings.TrimPrefix(bad.Pointer, "/")
			if field.separator != "" {
				bad.Text = phrase.Quote(text) + " does not begin with a region: " + bad.Text
			}
			problems = append(problems, bad)
		}
	}
	return problems
}

// NoAccount is the id of the AWS account if an environment names none.
const NoAccount = "000000000000"

// ARN is the ARN of what a service has in a region of an account, "" for DefaultRegion and NoAccount
// (https://docs.aws.amazon.com/IAM/latest/UserGuide/reference-arns.html).
func ARN(service, region, account, resource string) string {
	return strings.Join(
		[]string{"arn:aws", service, cmp.Or(region, DefaultRegion), cmp.Or(account, NoAccount), resource}, ":")
}
