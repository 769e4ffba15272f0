package invoke

import (
	"cmp"
	"net/http"
	"strings"

	"gatewright/internal/text/lazyregexp"
	"gatewright/model"
	"gatewright/sandbox/constraint"
)

// Function is a function that can be called.
type Function struct {
	// Environment and Name are resource names. Deployed is the name of the deployed
	// function, and Cloud the one that it has in AWS, where another environment may have the
	// same function.
	Environment, Name, Deployed, Cloud string
	Region, Account                    string
	// Interpreter is the program that runs it, such as nodejs, which decides how its log looks.
	Interpreter string
}

// ARN is its ARN here.
func (f Function) ARN() string {
	return model.ARN("lambda", f.Region, f.Account, "function:"+f.Deployed)
}

// PolicyARN is the ARN that policies are about: that of AWS.
func (f Function) PolicyARN() string {
	return model.ARN("lambda", f.Region, f.Account, "function:"+cmp.Or(f.Cloud, f.Deployed))
}

// latest is the only version that the sandbox has: what was written last.
const latest = "$LATEST"

// The patterns of the model of the API, and as the recordings show them.
const (
	namePattern      = `(arn:(aws[a-zA-Z-]*)?:lambda:)?((eusc-)?[a-z]{2}((-gov)|(-iso([a-z]?)))?-[a-z]+-\d{1}:)?(\d{12}:)?(function:)?([a-zA-Z0-9-_\.]+)(:(\$LATEST(\.PUBLISHED)?|[a-zA-Z0-9-_]+))?`
	qualifierPattern = `\$(LATEST(\.PUBLISHED)?)|[a-zA-Z0-9-_$]+`
	longestName      = 256
	longestBareName  = 64
	longestQualifier = 128
)

var (
	isName      = lazyregexp.New(`^` + strings.ReplaceAll(namePattern, "9-_", `9\-_`) + `$`)
	isQualifier = lazyregexp.New(`^(` + strings.ReplaceAll(qualifierPattern, "9-_", `9\-_`) + `)$`)
)

// reference is what a request says of the function: a name or an ARN, whole or in part.
// Region, account and qualifier are "" if it does not say them.
type reference struct{ region, account, name, qualifier string }

// readReference reads a FunctionName and a Qualifier.
func readReference(text, qualifier string) (reference, *fault) {
	if len(text) > longestName {
		return reference{}, invalidMember(text, "functionName", constraint.MaxLength(longestName))
	}
	parts := isName().FindStringSubmatch(text)
	if parts == nil {
		return reference{}, invalidMember(text, "functionName", constraint.Pattern(namePattern))
	}
	r := reference{
		region: strings.TrimSuffix(parts[3], ":"), account: strings.TrimSuffix(parts[9], ":"), name: parts[11],
		qualifier: parts[13],
	}
	if r.region == "" && r.account == "" && len(r.name) > longestBareName {
		refused := invalidMember(r.name, "functionName", constraint.MaxLength(longestBareName))
		refused.code = invalidParameter
		return reference{}, refused
	}
	if qualifier == "" {
		return r, nil
	}
	switch {
	case len(qualifier) > longestQualifier:
		return reference{}, invalidMember(qualifier, "qualifier", constraint.MaxLength(longestQualifier))
	case !isQualifier().MatchString(qualifier):
		return reference{}, invalidMember(qualifier, "qualifier", constraint.Pattern(qualifierPattern))
	case r.qualifier != "" && r.qualifier != qualifier:
		return reference{},
			&fault{
				status: http.StatusBadRequest, code: invalidParameter,
				text: "The derived qualifier from the function name does not match the specified qualifier.",
			}
	}
	r.qualifier = qualifier
	return r, nil
}

// find returns the function that a reference means. Names are looked for in the environment
// of the calling function; for other callers in all environments, in their order. A name as in
// AWS is known too, where the environment is a part of it.
func find(all []Function, environment, name string) (Function, bool) {
	for _, named := range []func(Function) string{
		func(f Function) string { return f.Deployed },
		func(f Function) string { return f.Cloud },
	} {
		for _, f := range all {
			if named(f) == name && (environment == "" || f.Environment == environment) {
				return f, true
			}
		}
	}
	return Function{}, false
}
