package template

import (
	"gatewright/internal/cfn"
)

const (
	// outputsBesideAPIs is the greatest number of outputs that belong to no API and to no client.
	outputsBesideAPIs = 3
	// outputsPerAPI are its id and its URL.
	outputsPerAPI = 2
)

// outputs makes the outputs that the client configuration file is written from.
func (r *renderer) outputs() {
	r.root.output(RegionOutput, "The region", cfn.Ref("AWS::Region"))
	if r.pool {
		r.root.output(UserPoolOutput, "The id of the user pool", cfn.Ref(userPoolID))
		r.root.output(UserPoolClientOutput, "The id of the client of the user pool", cfn.Ref(clientID))
		if r.b.Auth.HasNativeClient() {
			r.root.output(NativeClientOutput, "The id of the client of native apps", cfn.Ref(nativeClientID))
		}
		r.root.output(IdentityPoolOutput, "The id of the identity pool", cfn.Ref(identityPoolID))
	}
	for _, a := range r.apis {
		e := EndpointOf(a.api.Label)
		r.root.output(e.ID, "The id of the API "+a.api.Label, cfn.Ref(a.id))
		r.root.output(e.URL, "The address of the API "+a.api.Label, r.url(a))
		r.template.Endpoints = append(r.template.Endpoints, e)
	}
}

// EndpointOf names the outputs of an API.
func EndpointOf(label string) Endpoint {
	return Endpoint{API: label, ID: logicalID("ApiId", label), URL: logicalID("ApiUrl", label)}
}
