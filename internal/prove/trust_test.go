package prove_test

import (
	"strings"
	"testing"
)

// pooled is the template of a stack of the CDK whose roles trust its identity pool, with more in it.
func pooled(t *testing.T, users, more string) string {
	t.Helper()
	text := strings.Replace(with(t, "", `"Pool": {"Type": "AWS::Cognito::IdentityPool", "Properties": {"AllowUnauthenticatedIdentities": true}}`+more), `"Properties": {"Roles": {"authenticated"`, `"Properties": {"IdentityPoolId": {"Ref": "Pool"}, "Roles": {"authenticated"`, 1)
	for role, statement := range map[string]string{"Users": users, "Guests": token("unauthenticated", `{"Ref": "Pool"}`)} {
		text = changed(t, text, `"`+role+`": {"Type": "AWS::IAM::Role", "Properties": {`, `"`+role+`": {"Type": "AWS::IAM::Role", "Properties": {"AssumeRolePolicyDocument": {"Statement": [`+statement+`]}`)
	}
	return text
}

// token lets callers of an identity pool take a role.
func token(claim, pool string) string {
	return `{"Effect": "Allow", "Principal": {"Federated": "cognito-identity.amazonaws.com"}, "Action": "sts:AssumeRoleWithWebIdentity", "Condition": {"StringEquals": {"cognito-identity.amazonaws.com:aud": ` + pool + `}, "ForAnyValue:StringLike": {"cognito-identity.amazonaws.com:amr": "` + claim + `"}}}`
}

// assume lets a principal take a role.
func assume(principal string) string {
	return `{"Effect": "Allow", "Principal": ` + principal + `, "Action": "sts:AssumeRole"}`
}

// told reports a template that does not say what is wanted; "" is for nothing.
func told(t *testing.T, name, text, want string) {
	t.Helper()
	if got := strings.TrimSpace(doorsOf(compareText(t, votes(), text, nil))); !strings.Contains(got, want) || want == "" && got != "" {
		t.Errorf("%s:\n%s\nwant %s", name, got, want)
	}
}

func TestWhoeverMayTakeARoleOfTheProjectIsTold(t *testing.T) {
	t.Parallel()
	users := token("authenticated", `{"Ref": "Pool"}`)
	without := func(from, to string) string { return changed(t, users, from, to) }
	const ops = `, "Ops": {"Type": "AWS::IAM::Role", "Properties": {"AssumeRolePolicyDocument": {"Statement": {"Effect": "Allow", "Principal": {"Service": "ec2.amazonaws.com"}, "Action": "sts:AssumeRole"}}}}`
	for name, c := range map[string]struct{ trust, more, want string }{
		"its pool":                         {users, "", ""},
		"a service too":                    {users + ", " + assume(`{"Service": "lambda.amazonaws.com"}`), "", ""},
		"a role of a service too":          {users + ", " + assume(`{"AWS": {"Fn::GetAtt": ["Ops", "Arn"]}}`), ops, ""},
		"an equal claim":                   {without("StringLike", "StringEquals"), "", ""},
		"the beginning of the claim":       {without(`"authenticated"`, `"auth*"`), "", ""},
		"everybody who is refused":         {users + ", " + assume(`{"AWS": "*"}`) + `, {"Effect": "Deny", "Principal": "*", "Action": "*"}`, "", ""},
		"everybody":                        {users + ", " + assume(`{"AWS": "*"}`), "", "the role Users: anyone with an AWS account may take it by its trust policy; it names everybody (*)"},
		"everybody, by any action":         {users + `, {"Effect": "Allow", "Principal": "*", "Action": "sts:*"}`, "", "the role Users: anyone with an AWS account may take it"},
		"everybody but some":               {users + `, {"Effect": "Allow", "NotPrincipal": {"AWS": "1"}, "Action": "sts:AssumeRole"}`, "", "anyone with an AWS account may take it by its trust policy; it names all but some"},
		"everybody under a condition":      {users + `, {"Effect": "Allow", "Principal": "*", "Action": "sts:AssumeRole", "Condition": {"Bool": {"aws:MultiFactorAuthPresent": "true"}}}`, "", "whether anyone with an AWS account may take it by its trust policy is not known; it has a condition that is not read"},
		"an account":                       {users + ", " + assume(`{"AWS": ["999999999999"]}`), "", "the role Users: the account 999999999999 may take it by its trust policy; it names them"},
		"the account":                      {users + ", " + assume(`{"AWS": {"Fn::Sub": "arn:aws:iam::${AWS::AccountId}:root"}}`), "", "the role Users: whether anyone in the account with a right to it may take it by its trust policy is not known"},
		"a user of IAM":                    {users + ", " + assume(`{"AWS": {"Fn::Sub": "arn:aws:iam::${AWS::AccountId}:user/bob"}}`), "", "the role Users: the IAM user bob may take it by its trust policy"},
		"whom an import names":             {users + ", " + assume(`{"AWS": {"Fn::ImportValue": "Who"}}`), "", "whether somebody may take it by its trust policy is not known; whom it names is not known"},
		"users of SAML":                    {users + `, {"Effect": "Allow", "Principal": {"Federated": "arn:aws:iam::1:saml-provider/x"}, "Action": "sts:AssumeRoleWithSAML"}`, "", "the role Users: anyone who signs in with x may take it"},
		"guests":                           {users + ", " + token("unauthenticated", `{"Ref": "Pool"}`), "", "the role Users: guests may take it by its trust policy; its condition lets them in"},
		"guests, by their role":            {users + ", " + assume(`{"AWS": {"Fn::GetAtt": ["Guests", "Arn"]}}`), "", "the role Users: guests may take it by its trust policy; they have the role Guests"},
		"guests, by a pattern":             {without(`"authenticated"`, `"*authenticated"`), "", "the role Users: guests may take it"},
		"guests, without a claim":          {without(`, "ForAnyValue:StringLike": {"cognito-identity.amazonaws.com:amr": "authenticated"}`, ""), "", "the role Users: guests may take it"},
		"guests, where it lacks":           {without("StringLike", "StringLikeIfExists"), "", "the role Users: whether guests may take it by its trust policy is not known"},
		"guests, by all values":            {without("ForAnyValue", "ForAllValues"), "", "the role Users: whether guests may take it by its trust policy is not known"},
		"any pool":                         {without(`"StringEquals": {"cognito-identity.amazonaws.com:aud": {"Ref": "Pool"}}, `, ""), "", "the role Users: signed-in users of any identity pool may take it"},
		"any pool, where it lacks":         {without("StringEquals", "StringEqualsIfExists"), "", "the role Users: whether signed-in users of any identity pool may take it"},
		"another pool":                     {without(`{"Ref": "Pool"}`, `[{"Ref": "Pool"}, "eu-central-1:0"]`), "", "the role Users: signed-in users of the identity pool eu-central-1:0 may take it"},
		"a pool of an import":              {without(`{"Ref": "Pool"}`, `{"Fn::ImportValue": "Other"}`), "", "whether signed-in users of the identity pool Other may take it by its trust policy is not known; whether that is the pool of the template is not known"},
		"a policy that is not known":       {users + `, {"Fn::Transform": {"Name": "Own"}}`, "", "the role Users: whether somebody may take it by its trust policy is not known"},
		"a boundary":                       {users + `]}, "PermissionsBoundary": "arn:aws:iam::1:policy/b", "Tags": {"x": [`, "", "the role Users has a permissions boundary, which is not read: it may do less"},
		"another provider of sign-ins":     {users, `, "Own": {"Type": "AWS::Cognito::IdentityPool", "Properties": {"AllowUnauthenticatedIdentities": true, "SamlProviderARNs": ["x"]}}`, "the identity pool Own: anyone who signs in elsewhere may use it by SamlProviderARNs"},
		"another client of the users":      {users, `, "Own": {"Type": "AWS::Cognito::IdentityPool", "Properties": {"AllowUnauthenticatedIdentities": true, "CognitoIdentityProviders": [{"ClientId": "a", "ProviderName": {"Fn::GetAtt": ["People", "ProviderName"]}}, {"ClientId": "b", "ProviderName": {"Fn::Sub": "cognito-idp.${AWS::Region}.amazonaws.com/${People}"}}]}}, "People": {"Type": "AWS::Cognito::UserPool"}`, ""},
		"users of another pool":            {users, `, "Own": {"Type": "AWS::Cognito::IdentityPool", "Properties": {"AllowUnauthenticatedIdentities": true, "CognitoIdentityProviders": [{"ClientId": "a", "ProviderName": {"Fn::GetAtt": ["People", "ProviderName"]}}, {"ClientId": "b", "ProviderName": "cognito-idp.eu-central-1.amazonaws.com/eu-central-1_Other"}]}}, "People": {"Type": "AWS::Cognito::UserPool"}`, "the identity pool Own: users of another user pool may use it by CognitoIdentityProviders"},
		"users of another pool alone":      {users, `, "Own": {"Type": "AWS::Cognito::IdentityPool", "Properties": {"AllowUnauthenticatedIdentities": true, "CognitoIdentityProviders": [{"ClientId": "b", "ProviderName": "cognito-idp.eu-central-1.amazonaws.com/eu-central-1_Other"}]}}, "People": {"Type": "AWS::Cognito::UserPool"}`, "the identity pool Own: users of another user pool may use it by CognitoIdentityProviders"},
		"a function's own":                 {users, `, "F": {"Type": "AWS::Lambda::Function", "Properties": {"Role": {"Fn::GetAtt": ["Ops", "Arn"]}}}` + ops, ""},
		"everybody has that of a function": {users, `, "F": {"Type": "AWS::Lambda::Function", "Properties": {"Role": {"Fn::GetAtt": ["Ops", "Arn"]}}}` + strings.Replace(ops, `{"Service": "ec2.amazonaws.com"}`, `"*"`, 1), "the role Ops: anyone with an AWS account may take it by its trust policy"},
	} {
		told(t, name, pooled(t, c.trust, c.more), c.want)
	}
	noGuests := changed(t, pooled(t, without(`, "ForAnyValue:StringLike": {"cognito-identity.amazonaws.com:amr": "authenticated"}`, ""), ""), `"AllowUnauthenticatedIdentities": true`, `"AllowUnauthenticatedIdentities": false`)
	if got := doorsOf(compareText(t, votes(), noGuests, nil)); strings.Contains(got, "may take it") {
		t.Errorf("a pool without guests: %s", got)
	}
}

func TestWhatSomebodyMayDoWithRightsOfHisOwnIsTold(t *testing.T) {
	t.Parallel()
	const api, function, invoke = `{"Fn::Sub": "arn:aws:execute-api:${AWS::Region}:${AWS::AccountId}:${polls7A1B}/*"}`, `"Votes": {"Type": "AWS::Lambda::Function", "Properties": {}}`, `{"Effect": "Allow", "Action": "lambda:InvokeFunction", "Resource": {"Fn::GetAtt": ["Votes", "Arn"]}}`
	role := func(trust, statements string) string {
		return `, "Ops": {"Type": "AWS::IAM::Role", "Properties": {"AssumeRolePolicyDocument": {"Statement": [` + trust + `]}, "Policies": [{"PolicyDocument": {"Statement": [` + statements + `]}}]}}`
	}
	users := func(action, resource string) string {
		return `, ` + grant("", `{"Ref": "Users"}`, `{"Effect": "Allow", "Action": "`+action+`", "Resource": `+resource+`}`)
	}
	statement := func(kind, to, statements string) string {
		return `, "P": {"Type": "AWS::IAM::` + kind + `", "Properties": {` + to + `, "PolicyDocument": {"Statement": [` + statements + `]}}}`
	}
	account, everybody, service := assume(`{"AWS": {"Fn::Sub": "arn:aws:iam::${AWS::AccountId}:root"}}`), assume(`{"AWS": "*"}`), assume(`{"Service": "states.amazonaws.com"}`)
	const pool, elsewhere = `, "People": {"Type": "AWS::Cognito::UserPool"}`, `"arn:aws:iam::1:role/other"`
	for name, c := range map[string]struct{ more, want string }{
		"a role without rights":              {role(everybody, ""), ""},
		"a role with other rights":           {role(everybody, `{"Effect": "Allow", "Action": "s3:*", "Resource": "*"}`), ""},
		"a role for another API":             {role(everybody, allow(`{"Fn::Sub": "arn:aws:execute-api:${AWS::Region}:${AWS::AccountId}:${Users}/*"}`)), ""},
		"a role of a service":                {role(service, allow(api)), ""},
		"a role with what guests may":        {role(everybody, allow(strings.Replace(api, "/*", "/dev/GET/vote", 1))), ""},
		"a role that denies it":              {role(everybody, allow(api)+`, {"Effect": "Deny", "Action": "*", "Resource": "*"}`), ""},
		"a right to a role that trusts none": {role(service, allow(api)) + users("sts:AssumeRole", `"*"`), ""},
		"a role for the API":                 {role(everybody, allow(api)), "DELETE, PATCH, POST, PUT /vote: anyone with an AWS account may; by the role Ops"},
		"a role with everything":             {role(everybody, `{"Effect": "Allow", "NotAction": "s3:*", "Resource": "*"}`), "the API polls7A1B: anyone with an AWS account may change it by the role Ops; its policies allow apigateway:PATCH"},
		"a role that guests may take":        {role(assume(`{"AWS": {"Fn::GetAtt": ["Guests", "Arn"]}}`), allow(api)), "DELETE, PATCH, POST, PUT /vote: guests may; by the role Ops"},
		"a role of the account":              {role(account, invoke) + users("sts:AssumeRole", `{"Fn::GetAtt": ["Ops", "Arn"]}`), "the function Votes: signed-in users may call it by the role Ops"},
		"a role by two others":               {role(assume(`{"AWS": {"Fn::GetAtt": ["Between", "Arn"]}}`), invoke) + strings.Replace(role(assume(`{"AWS": {"Fn::GetAtt": ["Guests", "Arn"]}}`), ""), "Ops", "Between", 1), "the function Votes: guests may call it by the role Ops"},
		"a role elsewhere":                   {statement("Policy", `"Roles": ["ops"]`, invoke), "the function Votes: whether anyone who may assume it may call it by the role ops is not known; whom it trusts is not in the template"},
		"a policy elsewhere":                 {strings.Replace(role(everybody, ""), `"Policies": [`, `"ManagedPolicyArns": ["arn:aws:iam::1:policy/own"], "Policies": [`, 1), "the policy own of the role Ops is not in the template: what it allows is not known"},
		"a user with other rights":           {statement("UserPolicy", `"UserName": "bob"`, `{"Effect": "Allow", "Action": "logs:*", "Resource": "*"}`), ""},
		"a user":                             {`, "Bob": {"Type": "AWS::IAM::User", "Properties": {"Policies": [{"PolicyDocument": {"Statement": ` + allow(api) + `}}]}}`, "DELETE, PATCH, POST, PUT /vote: the IAM user Bob may; by the policies of the IAM user Bob"},
		"a user by a policy":                 {statement("UserPolicy", `"UserName": "bob"`, invoke), "the function Votes: the IAM user bob may call it by the policies of the IAM user bob; its policies allow lambda:InvokeFunction"},
		"a user who may take a role":         {role(assume(`{"AWS": {"Fn::GetAtt": ["Bob", "Arn"]}}`), invoke) + `, "Bob": {"Type": "AWS::IAM::User"}`, "the function Votes: the IAM user Bob may call it by the role Ops"},
		"a group":                            {statement("ManagedPolicy", `"Groups": ["devs"]`, invoke), "the function Votes: members of the IAM group devs may call it"},
		"a policy that nobody has":           {statement("ManagedPolicy", `"Description": "x"`, invoke), ""},
		"users who may read the API":         {users("apigateway:GET", `"*"`), ""},
		"users who may change another API":   {users("apigateway:*", `"arn:aws:apigateway:*::/restapis/a1b2/*"`), ""},
		"users who may change the API":       {users("apigateway:*", `{"Fn::Sub": "arn:aws:apigateway:*::/restapis/${polls7A1B}/*"}`), "the API polls7A1B: signed-in users may change it by the role Users; its policies allow apigateway:PATCH"},
		"users who may change another role":  {users("iam:PutRolePolicy", elsewhere), ""},
		"users who may change a role":        {users("iam:PutRolePolicy", `{"Fn::GetAtt": ["Users", "Arn"]}`), "the role Users: signed-in users may change it by the role Users; its policies allow iam:PutRolePolicy"},
		"users who may change the stack":     {users("cloudformation:*", `{"Ref": "AWS::StackId"}`), "the stack: signed-in users may change it by the role Users"},
		"users who may see others":           {users("cognito-idp:AdminGetUser", `"*"`) + pool, ""},
		"users who may change others":        {users("cognito-idp:Admin*", `{"Fn::GetAtt": ["People", "Arn"]}`) + pool, "the user pool People: signed-in users may change it by the role Users; its policies allow cognito-idp:AdminAddUserToGroup"},
		"users who may change code":          {users("lambda:UpdateFunctionConfiguration", `"*"`), "the function Votes: signed-in users may call it by the role Users; its policies allow lambda:UpdateFunctionConfiguration"},
	} {
		told(t, name, pooled(t, token("authenticated", `{"Ref": "Pool"}`), ", "+function+c.more), c.want)
	}
}
