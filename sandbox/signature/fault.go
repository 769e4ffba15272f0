package signature

import "slices"

// clientFault is a known fault of clients, for naming it in the log. The request is refused.
type clientFault struct {
	reason string
	path   func(raw string) string
	query  func([]parameter) string
}

// normalPath is the canonical path.
func normalPath(raw string) string { return pathEncoding.encode(Normal(raw)) }

// Clients that encode as JavaScript does leave these bytes in a path unencoded. The cloud's
// canonical string has them encoded: kndt84/aws-api-gateway-client#43 (a REST API and *),
// aws/aws-sdk-js-v3#5797 (parentheses), mhart/aws4#12 (the cloud's canonical string).
var scriptEncoding = newEncoding("/!'()*")

var clientFaults = []clientFault{
	{
		// Verify has tried this form already, unless AsWritten is set.
		"the client signed the path without its empty and relative segments, which is another resource; send the path " +
			"that was signed",
		normalPath, canonicalQuery,
	},
	{
		"the client signed ! ' ( ) or * in the path as they are, which the cloud refuses as well; write them as %21 %27 " +
			"%28 %29 %2A in the path",
		func(raw string) string { return scriptEncoding.encode(raw) }, canonicalQuery,
	},
	{
		"the client signed the path as it is sent, which is right for S3 only; encode its escapes again (%20 as %2520)",
		func(raw string) string { return raw }, canonicalQuery,
	},
	{
		"the client sorted the parameters of the query before encoding them, and the rule is to encode them first; use " +
			"only ASCII letters, digits, - and _ where the order depends on it",
		normalPath, sortedBeforeEncoding,
	},
}

// sortedBeforeEncoding is a query whose parameters are sorted before they are encoded.
func sortedBeforeEncoding(parameters []parameter) string {
	all := slices.Clone(parameters)
	slices.SortStableFunc(all, byNameThenValue)
	return joinParameters(encodeParameters(all))
}
