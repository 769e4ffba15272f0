package awstest

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
)

// letters makes n characters of an alphabet from texts: the same from the same texts.
func letters(alphabet string, n int, from ...string) string {
	var b strings.Builder
	for i := 0; b.Len() < n; i++ {
		sum := sha256.Sum256([]byte(strings.Join(from, "\x00") + fmt.Sprint(i)))
		for _, c := range sum {
			if b.Len() < n {
				b.WriteByte(alphabet[int(c)%len(alphabet)])
			}
		}
	}
	return b.String()
}

const (
	lower = "abcdefghijklmnopqrstuvwxyz0123456789"
	upper = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
	mixed = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
)

func uuid(from ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(from, "\x00")))
	x := hex.EncodeToString(sum[:16])
	return x[:8] + "-" + x[8:12] + "-4" + x[13:16] + "-8" + x[17:20] + "-" + x[20:]
}

// names has the property that names a resource of a type, where there is one.
var names = map[string]string{
	"AWS::DynamoDB::Table":        "TableName",
	"AWS::Lambda::Function":       "FunctionName",
	"AWS::Logs::LogGroup":         "LogGroupName",
	"AWS::IAM::Role":              "RoleName",
	"AWS::S3::Bucket":             "BucketName",
	"AWS::SSM::Parameter":         "Name",
	"AWS::Events::Rule":           "Name",
	"AWS::ApiGateway::Stage":      "StageName",
	"AWS::Cognito::UserPoolGroup": "GroupName",
}

// unique reports whether a name of a resource is taken in its whole account and region.
func unique(kind string) bool {
	return names[kind] != "" && kind != "AWS::ApiGateway::Stage" && kind != "AWS::Cognito::UserPoolGroup"
}

// physical is the identifier of a resource. It is the same for a logical id of a stack
// until the resource is replaced.
func (st *stack) physical(id, kind string, properties map[string]string, generation int) string {
	if name := properties[names[kind]]; name != "" && names[kind] != "" {
		return name
	}
	seed := []string{st.account, st.region, st.name, id, fmt.Sprint(generation)}
	switch kind {
	case "AWS::ApiGateway::RestApi":
		return letters(lower, 10, seed...)
	case "AWS::ApiGateway::Resource", "AWS::ApiGateway::Deployment", "AWS::ApiGateway::Authorizer":
		return letters(lower, 6, seed...)
	case "AWS::Cognito::UserPool":
		return st.region + "_" + letters(mixed, 9, seed...)
	case "AWS::Cognito::UserPoolClient":
		return letters(lower, 26, seed...)
	case "AWS::Cognito::IdentityPool":
		return st.region + ":" + uuid(seed...)
	case "AWS::CloudFormation::WaitConditionHandle":
		return "https://cloudformation-waitcondition-" + st.region + ".s3." + st.region + ".amazonaws.com/" +
			letters(mixed, 20, seed...)
	case "AWS::Lambda::LayerVersion":
		return st.arnOf("lambda", "layer:"+first(properties["LayerName"], id)+":"+fmt.Sprint(generation+1))
	}
	return st.name + "-" + id + "-" + letters(upper, 12, seed...)
}

func first(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

func (st *stack) arnOf(service, rest string) string {
	return "arn:aws:" + service + ":" + st.region + ":" + st.account + ":" + rest
}

// attribute is what Fn::GetAtt gives.
func (st *stack) attribute(r *resource, name string) string {
	if out, ok := strings.CutPrefix(name, "Outputs."); ok && r.child != nil {
		for _, o := range r.child.outputs() {
			if o.name == out {
				return o.value
			}
		}
		return ""
	}
	switch r.kind + "." + name {
	case "AWS::Lambda::Function.Arn":
		return st.arnOf("lambda", "function:"+r.physical)
	case "AWS::DynamoDB::Table.Arn":
		return st.arnOf("dynamodb", "table/"+r.physical)
	case "AWS::DynamoDB::Table.StreamArn":
		return st.arnOf("dynamodb", "table/"+r.physical+"/stream/2026-01-02T03:04:05.000")
	case "AWS::IAM::Role.Arn":
		return "arn:aws:iam::" + st.account + ":role/" + r.physical
	case "AWS::IAM::Role.RoleId":
		return "AROA" + letters(upper, 17, r.physical)
	case "AWS::Logs::LogGroup.Arn":
		return st.arnOf("logs", "log-group:"+r.physical+":*")
	case "AWS::Cognito::UserPool.Arn":
		return st.arnOf("cognito-idp", "userpool/"+r.physical)
	case "AWS::Cognito::UserPool.ProviderName":
		return "cognito-idp." + st.region + ".amazonaws.com/" + r.physical
	case "AWS::Cognito::UserPool.ProviderURL":
		return "https://cognito-idp." + st.region + ".amazonaws.com/" + r.physical
	case "AWS::ApiGateway::RestApi.RootResourceId":
		return letters(lower, 10, "root", r.physical)
	case "AWS::S3::Bucket.Arn":
		return "arn:aws:s3:::" + r.physical
	case "AWS::Events::Rule.Arn":
		return st.arnOf("events", "rule/"+r.physical)
	case "AWS::ApiGateway::RestApi.RestApiId", "AWS::Cognito::UserPool.UserPoolId",
		"AWS::Cognito::UserPoolClient.ClientId",
		"AWS::ApiGateway::Resource.ResourceId", "AWS::ApiGateway::Deployment.DeploymentId",
		"AWS::Cognito::UserPoolClient.Name":
		return r.physical
	}
	return r.physical + "-" + name
}
