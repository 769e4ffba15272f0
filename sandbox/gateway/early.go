package gateway

import (
	"fmt"
	"net/http"
	"strings"
)

// unacceptable refuses a request for the size of its headers or for its query. The sandbox
// looks at them when it has found the API, and before the stage, the path, the method and the
// credentials matter. In which order API Gateway checks them is not documented.
func (e *exchange) unacceptable() *refusal {
	head := &e.conn.head
	if head.BareLineFeeds {
		e.noteOnce("line feeds",
			"a line of the request's head ends in LF without CR: the sandbox accepts that, and what API Gateway does is not "+
				"documented; end lines with CR LF")
	}
	if head.Size > cloudHeaders {
		return tooManyHeaders(head.Size)
	}
	if i := strings.IndexAny(e.target.query, unencoded); i >= 0 {
		return unencodedQuery(e.target.query[i])
	}
	return nil
}

// tooManyHeaders refuses headers of a size in bytes. The text of the answer is the one that
// https://ntsblog.homedev.com.au/index.php/2021/03/09/aws-api-gateway-http-header-is-larger-than-10240-bytes/
// shows, and the status is that of
// https://backbencher.dev/solved-431-status-code-with-request-header-fields-too-large, which
// saw it through Cloudflare. No public source shows the whole answer.
func tooManyHeaders(size int) *refusal {
	return &refusal{
		status: http.StatusRequestHeaderFieldsTooLarge, early: true,
		body: fmt.Sprintf("HTTP header is larger than %d bytes.", cloudHeaders),
		why:  fmt.Sprintf("the request's headers are %d bytes, and API Gateway accepts %d", size, cloudHeaders),
		fix:  "send fewer or shorter headers, such as cookies",
	}
}

// unencoded are the characters that a query may have only percent-encoded
// (https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-known-issues.html).
const unencoded = "|{}"

// unencodedQuery refuses a query with one of those characters. That the answer is 400 and no
// function runs is in https://github.com/outmoded/lout/pull/179 and
// https://github.com/yezyilomo/django-restql/issues/279. Neither shows the body: other
// answers of this kind have none, as in https://github.com/aws-amplify/amplify-js/issues/8494.
func unencodedQuery(c byte) *refusal {
	return &refusal{
		status: http.StatusBadRequest, early: true,
		why: fmt.Sprintf("the query has the character %c, which API Gateway does not accept there", c),
		fix: fmt.Sprintf("send it as %%%X", c),
	}
}
