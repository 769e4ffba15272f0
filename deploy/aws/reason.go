package aws

import (
	"strings"

	"gatewright/internal/text/prose"
)

// shortly is a reason of the service as a part of one line: the message without what is
// wrapped around it, as in
//
//	Resource handler returned message: "NAME already exists (Service: ...)" (RequestToken: ..., HandlerErrorCode: ...)
func shortly(reason string) string {
	const (
		longest = 400
		wrapped = `Resource handler returned message: "`
	)
	reason = strings.TrimSpace(reason)
	if rest, is := strings.CutPrefix(reason, wrapped); is {
		if end := strings.LastIndex(rest, `" (RequestToken:`); end > 0 {
			reason = rest[:end]
		}
		reason, _, _ = strings.Cut(reason, " (Service: ")
	}
	reason = strings.TrimRight(strings.Join(strings.Fields(reason), " "), ".;:")
	if reason == "" {
		return "AWS gives no reason"
	}
	if len(reason) > longest {
		reason = strings.ToValidUTF8(reason[:longest], "") + "..."
	}
	return prose.Printable(reason)
}
