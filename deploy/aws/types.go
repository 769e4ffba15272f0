package aws

// The types of resources in a stack
// (https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-template-resource-type-ref.html).
const (
	functionType     = "AWS::Lambda::Function"
	logGroupType     = "AWS::Logs::LogGroup"
	ruleType         = "AWS::Events::Rule"
	tableType        = "AWS::DynamoDB::Table"
	apiType          = "AWS::ApiGateway::RestApi"
	stageType        = "AWS::ApiGateway::Stage"
	userPoolType     = "AWS::Cognito::UserPool"
	groupType        = "AWS::Cognito::UserPoolGroup"
	identityPoolType = "AWS::Cognito::IdentityPool"
	attachmentType   = "AWS::Cognito::IdentityPoolRoleAttachment"
	roleType         = "AWS::IAM::Role"
	nestedType       = "AWS::CloudFormation::Stack"
)
