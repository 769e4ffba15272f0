package signature

import "slices"

// fault is a known way to sign that is refused, so that the log can name it.
type clientFault struct {
	reason string
	path   func(raw string) string
	query  func([]parameter) string
}

// strict is the canonical path.
func normalPath(raw string) string { return pathEncoding.encode(Normal(raw)) }

// Client libraries that encode as JavaScript does leave these bytes in a path. The
// cloud's canonical string has them encoded: kndt84/aws-api-gateway-client#43 (a
// REST API and *), aws/aws-sdk-js-v3#5797 (parentheses), mhart/aws4#12 (the
// canonical string that came back).
var scriptEncoding = newEncoding("/!'()*")

var clientFaults = []clientFault{
	{
		// Only where the path has to be signed as it is written has this not been asked.
		"it is of the path without its empty and relative segments, which leads elsewhere here; send the path that is signed",
		normalPath, canonicalQuery,
	},
	{
		"the client signed ! ' ( ) or * in the path as they are, which the cloud refuses as well; write them as %21 %27 %28 %29 %2A in the path",
		func(raw string) string { return scriptEncoding.encode(raw) }, canonicalQuery,
	},
	{
		"the client signed the path as it is sent, which only s3 wants; its escapes have to be encoded again (%20 as %2520)",
		func(raw string) string { return raw }, canonicalQuery,
	},
	{
		"the client ordered the parameters of the query before it encoded them, and the rule is to encode them first; keep to ASCII letters, digits, - and _ where the order depends on it",
		normalPath, sortedBeforeEncoding,
	},
}

// orderedFirst is a query whose parameters were put in order as text.
func sortedBeforeEncoding(parameters []parameter) string {
	all := slices.Clone(parameters)
	slices.SortStableFunc(all, byNameThenValue)
	encoded := make([]parameter, 0, len(all))
	for _, p := range all {
		if p.name != signatureParameter {
			encoded = append(encoded, parameter{queryEncoding.encode(p.name), queryEncoding.encode(p.value)})
		}
	}
	return joinParameters(encoded)
}
