package prove

// ARN is what the ARNs of an API's requests begin with.
func (a *API) ARN() string { return a.arn }
