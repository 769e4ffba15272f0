// Package awstest is a fake of the AWS services that a push speaks to: STS, S3 and CloudFormation, with what
// describes the tables, log groups, functions and pools that exist. It answers their wire protocols on 127.0.0.1 to
// the real SDK, and keeps state: a stack is a state machine with resources, events and outputs, a bucket has an owner
// and objects. Tests script what goes wrong and read what was done.
//
// # How to use it
//
//	fake := awstest.New(t, awstest.Options{})
//	cmd.Env = append(os.Environ(), fake.Env()...)
//
// S3 has to be used with path style. An access key of 12 digits belongs to the account with
// that number, any other key to Options.Account; the secret key is always awstest.SecretKey,
// and signatures are verified. State is kept per account and region.
//
// # Time
//
// There is no clock to wait for. Each DescribeStacks and DescribeStackEvents of a stack moves its running operation
// on: resources that were in progress end, and as many as Options.Speed begin. Then the call answers. So a client
// that polls without a pause ends in a known number of calls. Speed(0) holds all operations; Step moves one from a
// test. A change set is made by the call that creates it, unless SlowChangeSets is called.
//
// # Scripts
//
// Throttle, Fail, ExpireTokensAfter, CutAt, CutFrom and KillAt change how calls are
// answered; they count calls from 1 as Calls lists them. FailResource and FailRollback change
// how operations end. SetStatus and Busy make states that somebody else left.
//
// # What is real
//
// The texts and codes of errors, the order of statuses, and which property replaces a
// resource are those of AWS's documentation:
//
//   - https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_Operations.html
//   - https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/view-stack-events.html
//   - https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html
//
// A change of DeletionPolicy or UpdateReplacePolicy alone is no change, as documented; one of
// outputs alone is a change set without changes that can be executed. A change of DependsOn,
// Description or the Metadata of the template is none. A nested stack always is a change
// (ChangeSource Automatic) unless CreateChangeSet says IncludeNestedStacks. Properties of resources are not
// validated, transforms are not run, and no resource does anything.
package awstest
