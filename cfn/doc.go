// Package cfn reads templates of AWS CloudFormation, in JSON and YAML, and works out
// their values
// (https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/intrinsic-function-reference.html).
// What cannot be worked out is named with its place. Templates come from files, so their
// size and depth are limited.
package cfn
