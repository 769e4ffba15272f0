package invoke

import (
	"net/http"
	"strings"

	"gatewright/internal/text/phrase"
)

// resolve finds the function that a request means, and checks that its caller may call it. Lambda too says
// first that something is not allowed, and only to those who may that it does not exist.
func (s *Service) resolve(q *request, ref reference, served *Served) *fault {
	environment := ""
	if q.caller != nil {
		environment = q.caller.Environment
	}
	called, found := find(served.Functions, environment, ref.name)
	if !found {
		called = s.placeOf(q, ref, served)
	}
	if ref.region != "" && ref.region != called.Region {
		return &fault{
			status: http.StatusNotFound, code: notFound,
			text: "Functions from '" + ref.region + "' are not reachable in this region ('" + called.Region + "')",
		}
	}
	other := ref.account != "" && ref.account != called.Account
	if other {
		called.Account, called.Name, called.Cloud, found = ref.account, "", ref.name, false
	}
	arn, judged := called.ARN(), called.PolicyARN()
	if ref.qualifier != "" {
		arn, judged = arn+":"+ref.qualifier, judged+":"+ref.qualifier
	}
	refusal := ""
	if q.caller != nil {
		// Programs of the user may call everything.
		refusal = s.options.May(*q.caller, called, judged)
	}
	if refusal == "" && other {
		refusal = unknownAccount(q.caller, judged)
	}
	if refusal != "" {
		return &fault{status: http.StatusForbidden, code: accessDenied, text: refusal}
	}
	if found && (ref.qualifier == "" || ref.qualifier == latest) {
		q.called = called
		return nil
	}
	note := "there is no function " + phrase.Quote(ref.name) + " here; there are " + names(served.Functions, environment)
	if found {
		note = "there is no version or alias " + phrase.Quote(ref.qualifier) + " here, only " + latest
	} else if ref.qualifier == "" {
		arn += ":" + latest
	}
	return &fault{status: http.StatusNotFound, code: notFound, text: "Function not found: " + arn, note: note}
}

// placeOf is where a function that does not exist would be.
func (s *Service) placeOf(q *request, ref reference, served *Served) Function {
	missing := Function{Deployed: ref.name}
	switch {
	case q.caller != nil:
		missing.Region, missing.Account = q.caller.Region, q.caller.Account
	case len(served.Functions) > 0:
		missing.Region, missing.Account = served.Functions[0].Region, served.Functions[0].Account
	}
	return missing
}

// names are the names of functions, for a message.
func names(all []Function, environment string) string {
	var list []string
	for _, f := range all {
		if environment == "" || f.Environment == environment {
			list = append(list, f.Deployed)
		}
	}
	if len(list) == 0 {
		return "none"
	}
	return phrase.QuoteList(list)
}

// unknownAccount is the refusal of a call of another account's function, which has no policy here.
func unknownAccount(caller *Function, arn string) string {
	who := "arn:aws:iam::" + strings.Split(arn, ":")[4] + ":root"
	if caller != nil {
		who = "arn:aws:sts::" + caller.Account + ":assumed-role/" + caller.Deployed + "/" + caller.Deployed
	}
	return "User: " + who + " is not authorized to perform: lambda:InvokeFunction on resource: " + arn +
		" because no resource-based policy allows the lambda:InvokeFunction action"
}
