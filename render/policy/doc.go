// Package policy makes the policies with which AWS decides who may send what to an API as model.Router.Decide does.
// It never lets more through; what patterns cannot say is refused and named (Refusal).
//
// IAM matches METHOD/path with patterns whose * and ? stand for slashes too. So the pattern of /u/{id}, u/?*, also
// matches what lies below /u/1 and belongs to other paths, and a policy allows what a caller may send and denies what
// an allowed pattern reaches of other paths. See
// https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-control-access-using-iam-policies-to-invoke-api.html
package policy
