package invoke

import (
	"net/http"
	"strings"

	"gatewright/internal/cfn"
	"gatewright/internal/text/phrase"
)

// resolve finds the function that a request means, and checks that its caller may call it.
// Lambda too says first that something is not allowed, and only to those who may that it
// does not exist.
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
		called.Account, called.Name, found = ref.account, "", false
	}
	arn := called.ARN()
	if ref.qualifier != "" {
		arn += ":" + ref.qualifier
	}
	switch permission := s.permission(q.caller, arn); {
	case other && permission == cfn.Granted:
		return denied(q.caller, arn, "no resource-based policy allows the lambda:InvokeFunction action")
	case permission == cfn.Denied:
		s.options.Refused(*q.caller, called)
		return denied(q.caller, arn, "")
	case permission == cfn.Absent:
		s.options.Refused(*q.caller, called)
		return denied(q.caller, arn, "no identity-based policy allows the lambda:InvokeFunction action")
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
	missing := Function{Deployed: ref.name, Region: "us-east-1", Account: "000000000000"}
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

// permission is what the policies of a caller say. Programs of the user may call everything.
func (s *Service) permission(caller *Function, arn string) cfn.Permission {
	if caller == nil {
		return cfn.Granted
	}
	return s.options.May(*caller, arn)
}

// denied is the refusal of what a caller may not do. why is "" if a policy forbids it.
func denied(caller *Function, arn, why string) *fault {
	who := "arn:aws:iam::" + strings.Split(arn, ":")[4] + ":root"
	if caller != nil {
		who = "arn:aws:sts::" + caller.Account + ":assumed-role/" + caller.Deployed + "/" + caller.Deployed
	}
	text := "User: " + who + " is not authorized to perform: lambda:InvokeFunction on resource: " + arn
	if why == "" {
		text += " with an explicit deny in an identity-based policy"
	} else {
		text += " because " + why
	}
	return &fault{status: http.StatusForbidden, code: accessDenied, text: text}
}
