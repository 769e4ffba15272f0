package prove

import (
	"math"

	"gatewright/internal/cfn"
)

// Deployment is what a template says about access.
type Deployment struct {
	APIs []*API
	// Guest, SignedIn and Groups are the policies of the callers' roles.
	Guest, SignedIn Role
	// Groups are the user pool's groups in order of precedence. A group without a role acts
	// as a signed-in user.
	Groups []Group
	// Notices are sentences about what was found, Unread those about what could not be read
	// and may change who may do what.
	Notices, Unread []string

	// unset are the parameters without a value.
	unset []string
	doors []Door
	// functions are those of the template, and functionIn finds one by its address.
	functions  []*function
	functionIn func(text string) *function
	// takers are those who may send requests with rights that are not those of callers.
	takers []caller
	// reader has what was read of the roles of functions; nil if nothing was.
	reader *reader
	// refs are what Ref of each API gives.
	refs map[string]bool
	// place is where it is; nil if that is not known.
	place *Place
}

// Group is a group of the user pool with its role; Role is nil if it has none.
type Group struct {
	Name string
	Role *Role
	// Precedence is the group's place among those of a member of several; lower ones come
	// first. It is -1 for a group without one, which comes last. See
	// https://docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/API_GroupType.html
	Precedence int

	// unordered says that the template has the group's role and not the group.
	unordered bool
}

// rank orders groups by precedence.
func (g Group) rank() int {
	if g.Precedence < 0 {
		return math.MaxInt32
	}
	return g.Precedence
}

// Role is the policies of a role.
type Role struct {
	// Name is what the template calls it; "" if there is no such role.
	Name       string
	Statements []cfn.Statement
}

// API is a REST API of the deployment.
type API struct {
	// Name is that of the RestApi, ID its logical ID in the template.
	Name, ID string
	// ref is what Ref of the API gives. stage is its stage, which is part of the ARNs of its
	// requests.
	ref, stage string
	// policy is the API's resource policy; nil if it has none.
	policy []cfn.Statement
	// defined says that a definition has all its methods. preflight is what that of each
	// path asks for, if it has one without saying so.
	defined   bool
	preflight *Authorization
	Resources []Resource
	// functions are those behind it.
	functions []string
	// closed says that requests to the own address of the API are refused.
	closed bool
	// unread says why it may have more paths than Resources; "" if it has not.
	unread string
}

// Resource is a path of an API, such as /items/{proxy+}, with its methods.
type Resource struct {
	Path    string
	Methods map[string]Authorization
	// calls are the addresses of what they call.
	calls map[string]string
}

// Authorization is what a method asks of a caller. See
// https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-apigateway-method.html
type Authorization string

// The kinds of authorization. Unjudged is a custom authorizer, or what could not be read. Failing is any,
// for a method whose function API Gateway may not call.
const (
	Nothing  Authorization = "NONE"
	Signed   Authorization = "AWS_IAM"
	UserPool Authorization = "COGNITO_USER_POOLS"
	Unjudged Authorization = "CUSTOM"
	Failing  Authorization = "FAILING"
)

// anyMethod is the method that stands for all others of a resource.
const anyMethod = "ANY"

// authorization returns what a method asks for; ok is false if the resource lacks it.
func (r *Resource) authorization(method string) (a Authorization, ok bool) {
	if a, ok = r.Methods[method]; !ok {
		a, ok = r.Methods[anyMethod]
	}
	return a, ok
}
