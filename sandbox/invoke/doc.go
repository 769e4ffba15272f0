// Package invoke is the part of the API of AWS Lambda that calls functions: Invoke and
// InvokeWithResponseStream, for functions of the sandbox and for programs of its user.
//
// What AWS documents is followed (https://docs.aws.amazon.com/lambda/latest/api/API_Invoke.html), and for the
// texts of errors the answers of Lambda itself that LocalStack recorded for its tests:
// https://github.com/localstack/localstack/tree/master/tests/aws/services/lambda_ (test_lambda.snapshot.json
// and test_lambda_api.snapshot.json). Comments call these "the recordings".
package invoke
