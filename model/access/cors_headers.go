package access

// The values of the CORS headers, as the Amplify CLI configures them in the REST APIs that it
// deploys (https://github.com/aws-amplify/amplify-category-api). CORSHeaders and CORSExposed
// are on the answers that the gateway gives itself, CORSPreflight is on the answer to a
// preflight.
const (
	CORSMethods   = "DELETE,GET,HEAD,OPTIONS,PATCH,POST,PUT"
	CORSHeaders   = "Content-Type,X-Amz-Date,Authorization,X-Api-Key,X-Amz-Security-Token"
	CORSPreflight = CORSHeaders + ",X-Amz-User-Agent"
	CORSExposed   = "Date,X-Amzn-ErrorType"
)
