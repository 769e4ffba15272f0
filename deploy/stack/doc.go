// Package stack works with the stacks of AWS CloudFormation: what state they are in, change
// sets, operations and their events. It knows nothing of projects.
//
// Every change goes through a change set, so that it is known before it happens
// (https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/using-cfn-updating-stacks-changesets.html).
package stack
