package signature

import (
	"slices"
	"strings"
	"time"

	"gatewright/sandbox/http1"
)

// unsignedHeaders are not signed: proxies may change them, or they are the signature itself.
var unsignedHeaders = map[string]bool{
	"authorization": true, "connection": true, "expect": true, "keep-alive": true, "proxy-connection": true, "te": true,
	"trailer": true, "transfer-encoding": true, "upgrade": true, "user-agent": true, "x-amzn-trace-id": true,
}

// Sign adds X-Amz-Date, X-Amz-Security-Token (if there is a session token) and
// Authorization to a request, and replaces any that it has. It signs the host and all other
// headers, except unsignedHeaders and headers that are added later.
func Sign(r *Request, c Credentials, region, service string, now time.Time) {
	fields := make([]http1.Field, 0, len(r.Fields)+3)
	for _, f := range r.Fields {
		switch strings.ToLower(f.Name) {
		case "authorization", dateHeader, tokenHeader:
		default:
			fields = append(fields, f)
		}
	}
	stamp := now.UTC().Format(stampLayout)
	fields = append(fields, http1.Field{Name: "X-Amz-Date", Value: stamp})
	if c.SessionToken != "" {
		fields = append(fields, http1.Field{Name: "X-Amz-Security-Token", Value: c.SessionToken})
	}
	r.Fields = fields
	signed := []string{"host"}
	for _, f := range fields {
		if name := strings.ToLower(f.Name); !unsignedHeaders[name] {
			signed = append(signed, name)
		}
	}
	slices.Sort(signed)
	signed = slices.Compact(signed)
	path, query := http1.SplitTarget(r.Target)
	if !r.AsWritten {
		path = Normal(path)
	}
	request := canonical(r, pathEncoding.encode(path), canonicalQuery(parseQuery(query)), signed, hash(r.Body))
	date := stamp[:dateLength]
	scope := scope(date, region, service, terminator)
	signature := sign(c.SecretKey, date, region, service, terminator, toSign(stamp, scope, request))
	r.Fields = append(fields, http1.Field{
		Name: "Authorization",
		Value: algorithm + " Credential=" + c.AccessKeyID + "/" + scope + ", SignedHeaders=" + strings.Join(signed, ";") +
			", Signature=" + signature,
	})
}
