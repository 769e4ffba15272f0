package prove

// ARN is what the ARNs of an API's requests with a method begin with.
func (a *API) ARN(method string) string {
	return arn{api: a.ref, stage: a.stage, method: method}.String()
}
