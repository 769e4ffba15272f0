package userpool

import (
	"errors"
	"maps"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"gatewright/model"
	"gatewright/model/access"
	"gatewright/sandbox/identity/pool"
	"gatewright/sandbox/identity/userpool/record"
	"gatewright/sandbox/identity/wire"
)

// TriggerCall is a call of a function by a user pool.
type TriggerCall struct {
	Environment, Function string
	At                    model.Moment
	// Event is the event, JSON.
	Event []byte
}

// FunctionError is the error of a trigger's function that failed. Its Message is for the
// client.
type FunctionError struct{ Message string }

// Error is the message.
func (e *FunctionError) Error() string { return e.Message }

// ErrNoAnswer is the error of a trigger's function that did not answer in time, and
// ErrNoFunction of one that does not exist.
var (
	ErrNoAnswer   = errors.New("the function did not respond in time")
	ErrNoFunction = errors.New("the function does not exist")
)

// errOutput is for a function whose answer is not its event with a response.
var errOutput = wire.Refuse("InvalidLambdaResponseException", "Unrecognizable lambda output")

// noClient is the client in events of operations that no app client asks for.
const noClient = "CLIENT_ID_NOT_APPLICABLE"

// occasion is the request that calls triggers.
type occasion struct {
	pool pool.Pool
	// client is the app client; "" is an administrator's request.
	client string
	// metadata is ClientMetadata of the request, as far as the trigger gets it.
	metadata map[string]string
}

// event is the event of every trigger of a user pool, see
// https://docs.aws.amazon.com/cognito/latest/developerguide/cognito-user-identity-pools-working-with-aws-lambda-triggers.html
type event struct {
	Version       string `json:"version"`
	Region        string `json:"region"`
	UserPoolID    string `json:"userPoolId"`
	UserName      string `json:"userName"`
	CallerContext struct {
		SDK    string `json:"awsSdkVersion"`
		Client string `json:"clientId"`
	} `json:"callerContext"`
	Source   string         `json:"triggerSource"`
	Request  map[string]any `json:"request"`
	Response map[string]any `json:"response"`
}

// moment is one call of a trigger.
type moment struct {
	at model.Moment
	// source is what caused it, such as SignUp in PreSignUp_SignUp.
	source, userName string
	// request is the request without clientMetadata, response what the function may fill in.
	request, response map[string]any
}

// hasTrigger reports whether a pool calls a function at a moment.
func hasTrigger(cfg pool.Pool, at model.Moment) bool { return cfg.Triggers[at] != "" }

// call calls the function of a moment, if the pool has one, and reads its response into
// a value. It must not be called inside a transaction: the function may use the pool.
func (p *Pools) call(o occasion, m moment, into any) error {
	if !hasTrigger(o.pool, m.at) {
		return nil
	}
	e := event{
		Version: "1", Region: o.pool.Region, UserPoolID: o.pool.UserPoolID, UserName: m.userName,
		Source: m.at.Title() + "_" + m.source, Request: m.request, Response: m.response,
	}
	if m.at == model.PreTokenGenerationV2 {
		e.Version = "2"
	}
	if m.at.Title() == "PreTokenGeneration" {
		e.Source = "TokenGeneration_" + m.source
	}
	e.CallerContext.SDK, e.CallerContext.Client = "aws-sdk-unknown-unknown", o.client
	if o.client == "" {
		e.CallerContext.Client = noClient
	}
	if o.metadata != nil {
		e.Request["clientMetadata"] = o.metadata
	}
	text, err := json.Marshal(e, json.Deterministic(true))
	if err != nil {
		return err
	}
	answer, err := p.options.Call(TriggerCall{
		Environment: o.pool.Environment, Function: o.pool.Triggers[m.at], At: m.at,
		Event: text,
	})
	if err != nil {
		return refusedTrigger(m.at.Title(), err)
	}
	var whole struct {
		Response jsontext.Value `json:"response"`
	}
	if json.Unmarshal(answer, &whole) != nil || whole.Response.Kind() != '{' {
		return errOutput.Because(errors.New("the function has to return its event"))
	}
	if into == nil {
		return nil
	}
	if err := json.Unmarshal(whole.Response, into); err != nil {
		return errOutput.Because(err)
	}
	return nil
}

// refusedTrigger is what a client is told of a trigger that failed. How long the pool waits
// and how often it tries is up to Options.Call.
func refusedTrigger(title string, err error) error {
	var failed *FunctionError
	switch {
	case errors.As(err, &failed):
		return wire.Refuse("UserLambdaValidationException", "%s failed with error %s.", title, failed.Message)
	case errors.Is(err, ErrNoAnswer):
		return wire.Refuse("UnexpectedLambdaException",
			"%s invocation failed due to error Socket timeout while invoking Lambda function.", title)
	case errors.Is(err, ErrNoFunction):
		return wire.Refuse("UnexpectedLambdaException", "%s invocation failed due to error ResourceNotFoundException.", title)
	}
	// The error may name files, and the client may be a web page.
	return wire.Refuse("UnexpectedLambdaException", "%s invocation failed due to configuration.", title).Because(err)
}

// eventAttributes are a user's attributes in events.
func eventAttributes(u *record.User, cfg pool.Pool) map[string]string {
	values := maps.Clone(u.Attributes)
	if values == nil {
		values = make(map[string]string)
	}
	values["sub"], values["cognito:user_status"] = u.Sub, u.Status
	for _, address := range record.NameRulesOf(cfg).Addresses {
		if value := u.Attributes[address]; value != "" {
			values["cognito:"+address+"_alias"] = value
		}
	}
	return values
}

// preSignUp is the response of the trigger before a sign-up.
type preSignUp struct {
	AutoConfirmUser bool `json:"autoConfirmUser"`
	AutoVerifyEmail bool `json:"autoVerifyEmail"`
	AutoVerifyPhone bool `json:"autoVerifyPhone"`
}

// beforeSignUp calls the trigger before a user is added, see
// https://docs.aws.amazon.com/cognito/latest/developerguide/user-pool-lambda-pre-sign-up.html
func (p *Pools) beforeSignUp(
	o occasion, source string, u *record.User, validation []attribute,
) (given preSignUp, err error) {
	// The user has neither a status nor an id yet.
	values := maps.Clone(u.Attributes)
	maps.DeleteFunc(values,
		func(name, value string) bool { return strings.HasSuffix(name, "_verified") && value == "false" })
	err = p.call(o, moment{
		at: model.PreSignUp, source: source, userName: u.Name,
		request:  map[string]any{"userAttributes": values, "validationData": byName(validation)},
		response: map[string]any{"autoConfirmUser": false, "autoVerifyEmail": false, "autoVerifyPhone": false},
	}, &given)
	return given, err
}

// apply confirms and verifies a new user as the function wants.
func (g preSignUp) apply(u *record.User) error {
	for _, each := range []struct {
		wanted  bool
		address string
	}{{g.AutoVerifyEmail, "email"}, {g.AutoVerifyPhone, "phone_number"}} {
		switch {
		case !each.wanted:
		case u.Attributes[each.address] == "":
			return wire.Refuse("InvalidLambdaResponseException",
				"The %s cannot be verified automatically: the user has none", each.address)
		default:
			u.Attributes[each.address+"_verified"] = "true"
		}
	}
	if g.AutoConfirmUser {
		u.Status = record.StatusConfirmed
	}
	return nil
}

// byName are attributes by name, nil if there are none.
func byName(list []attribute) map[string]string {
	if len(list) == 0 {
		return nil
	}
	values := make(map[string]string, len(list))
	for _, a := range list {
		values[a.Name] = a.Value
	}
	return values
}

// afterConfirmation calls the trigger after a user was confirmed, see
// https://docs.aws.amazon.com/cognito/latest/developerguide/user-pool-lambda-post-confirmation.html
// The user stays confirmed if it fails.
func (p *Pools) afterConfirmation(o occasion, source string, u *record.User) error {
	return p.call(o, moment{
		at: model.PostConfirmation, source: source, userName: u.Name,
		request: map[string]any{"userAttributes": eventAttributes(u, o.pool)}, response: map[string]any{},
	}, nil)
}

// beforeSignIn calls the trigger before a password is checked or a challenge begins, see
// https://docs.aws.amazon.com/cognito/latest/developerguide/user-pool-lambda-pre-authentication.html
// It is called for a name that no user has, too, so that answers do not reveal who exists.
func (p *Pools) beforeSignIn(o occasion, name string) error {
	if !hasTrigger(o.pool, model.PreAuthentication) {
		return nil
	}
	u, err := p.lookUp(o.pool, name)
	if err != nil {
		return err
	}
	attributes := map[string]string{}
	if u != nil {
		name, attributes = u.Name, eventAttributes(u, o.pool)
	}
	// ClientMetadata is called validationData here.
	validation := o.metadata
	o.metadata = nil
	return p.call(o, moment{
		at: model.PreAuthentication, source: "Authentication", userName: name,
		request:  map[string]any{"userAttributes": attributes, "validationData": validation, "userNotFound": u == nil},
		response: map[string]any{},
	}, nil)
}

// afterSignIn calls the trigger of a sign-in that has no tokens yet, see
// https://docs.aws.amazon.com/cognito/latest/developerguide/user-pool-lambda-post-authentication.html
func (p *Pools) afterSignIn(o occasion, u *record.User) error {
	return p.call(o, moment{
		at: model.PostAuthentication, source: "Authentication", userName: u.Name,
		request:  map[string]any{"userAttributes": eventAttributes(u, o.pool), "newDeviceUsed": false},
		response: map[string]any{},
	}, nil)
}

// lookUp finds a user by name, alias or sub; nil if there is none.
func (p *Pools) lookUp(cfg pool.Pool, name string) (u *record.User, err error) {
	err = p.view(cfg, func(r record.Records) (err error) {
		u, err = r.Find(name)
		return err
	})
	return u, err
}

// dropGranted deletes a session whose sign-in a trigger refused.
func (p *Pools) dropGranted(cfg pool.Pool, s *record.Session) error {
	return p.update(cfg, func(r record.Records) error { return r.DropSession(s.Origin) })
}

// groupRoles are the ARNs of the roles of groups.
func groupRoles(cfg pool.Pool, groups []string) []string {
	roles := make([]string, len(groups))
	for i, group := range groups {
		roles[i] = cfg.RoleARN(access.Principal{Kind: access.Group, Group: group})
	}
	return roles
}
