package cloud

import (
	"cmp"
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	"gatewright/internal/text/lazyregexp"
	"gatewright/internal/uuid"
	"gatewright/model"
)

// amplifyParameter matches the name of the parameter that the Amplify CLI makes for a
// secret of a function: /amplify/APPLICATION/ENVIRONMENT/AMPLIFY_FUNCTION_NAME
// (https://docs.amplify.aws/gen1/javascript/tools/cli/function/secrets/).
var amplifyParameter = lazyregexp.New(`^/amplify/[^/]+/[^/]+/AMPLIFY_(.+)$`)

// valueOf finds the value of a parameter or secret: by its whole name; for a secret of
// the Amplify CLI by its own name; else by the last part of the name.
func (s *Server) valueOf(c Caller, name string) (string, bool) {
	if _, own, isARN := strings.Cut(name, ":parameter/"); isARN {
		// The name of one in a folder begins with a slash.
		if name = own; strings.Contains(own, "/") {
			name = "/" + own
		}
	}
	values := s.options.Values(c.Environment)
	if value, ok := values[name]; ok {
		return value, true
	}
	if short := ShortName(c.Function, name); short != name {
		value, ok := values[short]
		return value, ok
	}
	return "", false
}

// AmplifySecret returns the own name of a function's secret in the name of the parameter
// that the Amplify CLI makes for it; is reports whether it is such a parameter.
func AmplifySecret(function, parameter string) (name string, is bool) {
	found := amplifyParameter().FindStringSubmatch(parameter)
	if found == nil {
		return "", false
	}
	if own, ok := strings.CutPrefix(found[1], function+"_"); ok && own != "" {
		return own, true
	}
	_, own, ok := strings.Cut(found[1], "_")
	return own, ok && own != ""
}

// ShortName returns the name under which a value may be given instead of the whole name
// of a parameter or secret.
func ShortName(function, name string) string {
	if own, is := AmplifySecret(function, name); is {
		return own
	}
	return name[strings.LastIndexByte(name, '/')+1:]
}

// GivenName returns the name to give a value under: the own name of a secret of the Amplify CLI, else
// the whole name, since others may end the same way.
func GivenName(function, name string) string {
	if own, is := AmplifySecret(function, name); is {
		return own
	}
	return name
}

// parameter is a parameter in an answer
// (https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_Parameter.html).
type parameter struct {
	Name, Type, Value string
	Version           int
	LastModifiedDate  float64
	ARN               string
	DataType          string
}

func newParameter(c Caller, name, value string) parameter {
	return parameter{
		Name: name, Type: "SecureString", Value: value, Version: 1, LastModifiedDate: float64(time.Now().Unix()),
		ARN: parameterARN(c, name), DataType: "text",
	}
}

// parameters answers the operations of Systems Manager that read parameters; it is
// false for the others.
func (s *Server) parameters(w http.ResponseWriter, c Caller, wanted Request, body []byte) bool {
	var input struct {
		Name  string
		Names []string
		Path  string
		// Recursive is for GetParametersByPath: also what is further below.
		Recursive bool
	}
	if json.Unmarshal(body, &input) != nil {
		answerError(w, "ValidationException", "the request is not a JSON object")
		return true
	}
	asked := input.Names
	switch wanted.Action {
	case "GetParameter":
		asked = []string{input.Name}
	case "GetParametersByPath":
		asked = []string{input.Path}
	}
	for _, name := range asked {
		if s.forbidden(w, c, "ssm:"+wanted.Action, parameterARN(c, name), "") {
			return true
		}
	}
	switch wanted.Action {
	case "GetParameter":
		value, ok := s.valueOf(c, input.Name)
		if !ok {
			s.options.Missing(c, "ssm", input.Name)
			answerError(w, "ParameterNotFound", "Parameter "+input.Name+" not found.")
			return true
		}
		answerJSON(w, http.StatusOK, map[string]any{"Parameter": newParameter(c, input.Name, value)})
	case "GetParameters":
		found, invalid := []parameter{}, []string{}
		for _, name := range input.Names {
			if value, ok := s.valueOf(c, name); ok {
				found = append(found, newParameter(c, name, value))
				continue
			}
			s.options.Missing(c, "ssm", name)
			invalid = append(invalid, name)
		}
		answerJSON(w, http.StatusOK, map[string]any{"Parameters": found, "InvalidParameters": invalid})
	case "GetParametersByPath":
		found := []parameter{}
		values := s.options.Values(c.Environment)
		prefix := strings.TrimSuffix(input.Path, "/") + "/"
		for _, name := range slices.Sorted(maps.Keys(values)) {
			below, is := strings.CutPrefix(name, prefix)
			if is && (input.Recursive || !strings.Contains(below, "/")) {
				found = append(found, newParameter(c, name, values[name]))
			}
		}
		if len(found) == 0 {
			s.options.Missing(c, "ssm", prefix+"NAME")
		}
		answerJSON(w, http.StatusOK, map[string]any{"Parameters": found})
	default:
		return false
	}
	return true
}

// forbidden answers what a function may not do; it is false if it may. shown is what the refusal calls
// the resource, if it is not its ARN.
func (s *Server) forbidden(w http.ResponseWriter, c Caller, action, arn, shown string) bool {
	if c == (Caller{}) || s.options.May == nil {
		return false
	}
	refusal := s.options.May(c, action, arn, cmp.Or(shown, arn))
	if refusal != "" {
		answerError(w, "AccessDeniedException", refusal)
	}
	return refusal != ""
}

// parameterARN is the ARN of a parameter, which a request may name by it, and with a version
// (https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_GetParameter.html).
func parameterARN(c Caller, name string) string {
	if strings.HasPrefix(name, "arn:") {
		return name
	}
	return model.ARN("ssm", c.Region, c.Account, "parameter/"+parameterName(name))
}

// parameterName is what access calls a parameter, which a request may name by its ARN, and with a version.
func parameterName(name string) string {
	if _, own, isARN := strings.Cut(name, ":parameter/"); isARN {
		name = own
	}
	name, _, _ = strings.Cut(name, ":")
	return strings.TrimPrefix(name, "/")
}

// secret answers GetSecretValue of Secrets Manager
// (https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_GetSecretValue.html);
// it is false for other operations.
func (s *Server) secret(w http.ResponseWriter, c Caller, wanted Request, body []byte) bool {
	if wanted.Action != "GetSecretValue" {
		return false
	}
	var input struct {
		ID string `json:"SecretId"`
	}
	if json.Unmarshal(body, &input) != nil || input.ID == "" {
		answerError(w, "ValidationException", "the request has no SecretId")
		return true
	}
	name, arn := secretName(input.ID), input.ID
	switch {
	case !strings.HasPrefix(arn, "arn:"):
		arn = model.ARN("secretsmanager", c.Region, c.Account, "secret:"+name+"-"+secretEnd)
	case strings.HasSuffix(arn, ":"+name):
		// Part of an ARN, without the characters at its end, names a secret too.
		arn += "-" + secretEnd
	}
	if s.forbidden(w, c, "secretsmanager:GetSecretValue", arn, input.ID) {
		return true
	}
	value, ok := s.valueOf(c, name)
	if !ok {
		s.options.Missing(c, "secretsmanager", name)
		answerError(w, "ResourceNotFoundException", "Secrets Manager can't find the specified secret.")
		return true
	}
	answerJSON(w, http.StatusOK, map[string]any{
		"ARN": arn, "Name": name, "SecretString": value,
		"VersionId": uuid.New(), "VersionStages": []string{"AWSCURRENT"}, "CreatedDate": float64(time.Now().Unix()),
	})
	return true
}

// secretEnd are the characters that the ARN of a secret ends with here.
const secretEnd = "000000"

var secretARN = lazyregexp.New(`^arn:[^:]*:secretsmanager:[^:]*:[^:]*:secret:(.+?)(?:-[A-Za-z0-9]{6})?$`)

// secretName returns the name in the id of a secret, which may be an ARN.
func secretName(id string) string {
	if found := secretARN().FindStringSubmatch(id); found != nil {
		return found[1]
	}
	return id
}
