package identitypool

import (
	"context"

	"github.com/go-json-experiment/json"

	"gatewright/internal/text/lazyregexp"
	"gatewright/sandbox/constraint"
	"gatewright/sandbox/identity/token"
	"gatewright/sandbox/identity/wire"
)

const (
	// mostInput bounds the input of an operation, in bytes: a few tokens.
	mostInput = 4 * token.Longest
	// longestID is the cloud's bound for ids of identities and identity pools.
	longestID = 55
	// longestProvider is the cloud's bound for keys of Logins.
	longestProvider = 128
	longestRole     = 2048
)

// idForm is the cloud's pattern for both kinds of id.
var idForm = lazyregexp.New(`^[\w-]+:[0-9a-f-]+$`)

// input has the input fields of all operations.
type input struct {
	IdentityPoolID string `json:"IdentityPoolId"`
	IdentityID     string `json:"IdentityId"`
	Logins         map[string]string
	CustomRoleArn  string
	MaxResults     int
	NextToken      string
}

// operation is how the sandbox serves an operation.
type operation struct {
	public bool
	do     func(*Pools, input) (any, error)
}

var operations = map[string]operation{
	"GetId":                     {public: true, do: (*Pools).getID},
	"GetCredentialsForIdentity": {public: true, do: (*Pools).getCredentials},
	"GetOpenIdToken":            {public: true, do: (*Pools).getOpenIDToken},
	"DescribeIdentity":          {do: (*Pools).describeIdentity},
	"DescribeIdentityPool":      {do: (*Pools).describePool},
	"GetIdentityPoolRoles":      {do: (*Pools).describeRoles},
	"ListIdentityPools":         {do: (*Pools).listPools},
}

// IsPublic reports whether the cloud serves an operation without a signature.
func IsPublic(name string) bool { return operations[name].public }

// Do runs an operation, such as "GetId"; input and output are JSON. The error is a
// *wire.Error if the pool refuses. The caller decides who may call an operation (IsPublic).
func (p *Pools) Do(ctx context.Context, name string, text []byte) ([]byte, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	served, known := operations[name]
	switch {
	case !known && wire.IsOperation(name):
		return nil, wire.Refuse("UnsupportedOperationException", "The sandbox does not serve %s of identity pools", name)
	case !known:
		return nil, wire.Refuse("UnknownOperationException", "")
	case len(text) > mostInput:
		return nil, wire.Refuse("SerializationException", "The input is too long")
	}
	var in input
	if json.Unmarshal(text, &in) != nil {
		return nil, wire.Refuse("SerializationException", "The input is not a JSON object of this operation")
	}
	answer, err := served.do(p, in)
	if err != nil {
		return nil, err
	}
	return json.Marshal(answer)
}

// checkID checks an id as the cloud does. A valid id is safe to show.
func checkID(field, id string) error {
	v := constraint.Violations{HideValues: true}
	if v.Require(id != "", field) && v.Length(id, field, 0, longestID) {
		v.Match(idForm().MatchString(id), id, field, `[\w-]+:[0-9a-f-]+`)
	}
	return invalid(&v)
}

// invalid is a ValidationException about the constraints that an input breaks, nil if it
// breaks none.
func invalid(v *constraint.Violations) error {
	if message := v.Message(); message != "" {
		return wire.Refuse("ValidationException", "%s", message)
	}
	return nil
}
