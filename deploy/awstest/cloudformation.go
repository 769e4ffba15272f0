package awstest

import (
	"net/http"
	"net/url"
	"strings"

	"gatewright/internal/cfn"
)

func (s *Server) cloudFormation(r *request) (answer, *fault) {
	actions := map[string]func(*request) (answer, *fault){
		"CreateChangeSet": s.createChangeSet, "DescribeChangeSet": s.describeChangeSet, "ListChangeSets": s.listChangeSets,
		"DeleteChangeSet": s.deleteChangeSet, "ExecuteChangeSet": s.executeChangeSet,
		"DescribeStacks": s.describeStacks, "ListStacks": s.listStacks, "DescribeStackEvents": s.describeStackEvents,
		"DescribeStackResource": s.describeStackResource, "DescribeStackResources": s.describeStackResources,
		"ListStackResources": s.listStackResources, "GetTemplate": s.getTemplate, "GetTemplateSummary": s.getTemplateSummary,
		"CancelUpdateStack": s.cancelUpdate, "ContinueUpdateRollback": s.continueRollback, "DeleteStack": s.deleteStack,
		"UpdateTerminationProtection": s.updateProtection, "SetStackPolicy": s.setPolicy, "GetStackPolicy": s.getPolicy,
		"ValidateTemplate": s.getTemplateSummary,
		"DetectStackDrift": s.detectDrift, "DescribeStackDriftDetectionStatus": s.describeDetection,
		"DescribeStackResourceDrifts": s.describeDrifts,
	}
	do := actions[r.Action]
	if do == nil {
		return answer{},
			&fault{http.StatusBadRequest, "InvalidAction", "Could not find operation " + r.Action + " for version 2010-05-15"}
	}
	return do(r)
}

// named is the stack that a request names, or the error that there is none.
func (s *Server) named(r *request, text string) (*stack, *fault) {
	name := r.get("StackName")
	if name == "" {
		return nil, invalid("1 validation error detected: Value null at 'stackName' failed to satisfy constraint: Member " +
			"must not be null")
	}
	if st := s.find(r.Account, r.Region, name); st != nil {
		return st, nil
	}
	return nil, invalid(strings.ReplaceAll(text, "%", name))
}

const (
	noStackWithID = "Stack with id % does not exist"
	noStackPlain  = "Stack [%] does not exist"
	noStackQuoted = "Stack '%' does not exist"
)

// templateOf reads the template that a request has, names, or leaves as it is.
func (s *Server) templateOf(r *request, st *stack) ([]byte, *fault) {
	switch {
	case r.get("UsePreviousTemplate") == "true" && st != nil && st.deployed.text != nil:
		return st.deployed.text, nil
	case r.get("TemplateURL") != "":
		return s.templateAt(r.Account, r.get("TemplateURL"))
	case r.get("TemplateBody") == "":
		return nil, invalid("Either Template URL or Template Body must be specified.")
	case len(r.get("TemplateBody")) > 51200:
		return nil, invalid("1 validation error detected: Value at 'templateBody' failed to satisfy constraint: Member " +
			"must have length less than or equal to 51200")
	}
	return []byte(r.get("TemplateBody")), nil
}

// templateAt reads a template from a bucket of the account.
func (s *Server) templateAt(account, address string) ([]byte, *fault) {
	u, err := url.Parse(address)
	if err != nil || u.Path == "" {
		return nil, invalid("TemplateURL must be a supported URL.")
	}
	name, key, _ := strings.Cut(strings.TrimPrefix(u.Path, "/"), "/")
	host, isAWS := strings.CutSuffix(u.Hostname(), ".amazonaws.com")
	switch {
	case !isAWS && address[:min(len(address), len(s.URL))] != s.URL:
		return nil, invalid("TemplateURL must be a supported URL.")
	case isAWS && !strings.HasPrefix(host, "s3"):
		name, _, _ = strings.Cut(host, ".s3")
		key = strings.TrimPrefix(u.Path, "/")
	}
	b := s.buckets[name]
	if b == nil || b.owner != account {
		return nil, invalid("S3 error: Access Denied\nFor more information check " +
			"http://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html")
	}
	o := b.objects[key]
	if o == nil {
		return nil, invalid("S3 error: The specified key does not exist.\nFor more information check " +
			"http://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html")
	}
	if len(o.body) > 1<<20 {
		return nil, invalid("Template may not exceed 1000000 bytes in size.")
	}
	return o.body, nil
}

// revisionOf reads what a request wants a stack to be.
func (s *Server) revisionOf(r *request, st *stack) (revision, *fault) {
	text, f := s.templateOf(r, st)
	if f != nil {
		return revision{}, f
	}
	template, err := cfn.Parse("template", text)
	if err != nil {
		return revision{}, invalid("Template format error: " + err.Error())
	}
	to := revision{
		text: text, template: template, parameters: make(map[string]string),
		adopt: r.get("ImportExistingResources") == "true", onFailure: r.get("OnStackFailure"),
		nested: r.get("IncludeNestedStacks") == "true",
	}
	if st != nil {
		to.tags = st.deployed.tags
	}
	if tags := r.members("Tags"); tags != nil {
		to.tags = nil
		for _, t := range tags {
			to.tags = append(to.tags, tag{t["Key"], t["Value"]})
		}
	}
	for _, c := range r.members("Capabilities") {
		to.capabilities = append(to.capabilities, c[""])
	}
	if f := to.fill(r.members("Parameters"), st); f != nil {
		return revision{}, f
	}
	return to, s.check(to, st)
}

// fill gives the parameters their values: given ones, the earlier ones if they are asked for, or the defaults.
func (to *revision) fill(given []map[string]string, st *stack) *fault {
	var unknown, missing []string
	values := make(map[string]string)
	for _, p := range given {
		key := p["ParameterKey"]
		if to.template.Root.Get("Parameters", key) == nil {
			unknown = append(unknown, key)
			continue
		}
		if p["UsePreviousValue"] == "true" {
			value, ok := "", false
			if st != nil {
				value, ok = st.deployed.parameters[key]
			}
			if !ok {
				return invalid("Invalid input for parameter key " + key +
					". Cannot specify usePreviousValue as true for a parameter key not in the previous template")
			}
			values[key] = value
			continue
		}
		values[key] = p["ParameterValue"]
	}
	if len(unknown) > 0 {
		return invalid("Parameters: [" + strings.Join(unknown, ", ") + "] do not exist in the template")
	}
	for _, p := range to.template.Parameters() {
		value, ok := values[p.Name]
		switch {
		case ok:
		case p.Default != nil:
			value = p.Default.Text
		default:
			missing = append(missing, p.Name)
		}
		to.parameters[p.Name] = value
	}
	if len(missing) > 0 {
		return invalid("Parameters: [" + strings.Join(missing, ", ") + "] must have values")
	}
	return nil
}

// check refuses a template as CloudFormation does before it makes anything.
func (s *Server) check(to revision, st *stack) *fault {
	all := to.template.Resources()
	if len(all) == 0 {
		return invalid("Template format error: At least one Resources member must be defined.")
	}
	if len(all) > 500 {
		return invalid("Template format error: Number of resources, " + padded(len(all), 1) +
			", is greater than maximum allowed, 500")
	}
	probe := &stack{account: "123456789012", region: "eu-central-1", name: "probe"}
	if st != nil {
		probe = st
	}
	existing := make(map[string]bool)
	for _, r := range all {
		existing[r.ID] = true
	}
	needed, stated := "", strings.Join(to.capabilities, " ")
	for _, r := range all {
		for _, id := range r.DependsOn {
			if !existing[id] {
				return invalid("Template format error: Unresolved resource dependencies [" + id +
					"] in the Resources block of the template")
			}
		}
		if bad := unresolved(to.template, r.Properties, existing); bad != "" {
			return invalid("Template format error: Unresolved resource dependencies [" + bad +
				"] in the Resources block of the template")
		}
		if strings.HasPrefix(r.Type, "AWS::IAM::") {
			needed = first(needed, "CAPABILITY_IAM")
			if r.Properties.Get("RoleName") != nil || r.Properties.Get("ManagedPolicyName") != nil {
				needed = "CAPABILITY_NAMED_IAM"
			}
		}
		if !strings.Contains(r.Type, "::") {
			return invalid("Template format error: Unrecognized resource types: [" + r.Type + "]")
		}
		if made := probe.resource(r.ID); st != nil && made != nil && st.deployed.template != nil && made.kind != r.Type {
			return invalid("Update of resource type is not permitted. The new template modifies resource type of the " +
				"following resources: [" + r.ID + "]")
		}
	}
	if len(probe.ordered(to)) < len(probe.existing(to)) {
		return invalid("Circular dependency between resources")
	}
	if needed != "" && !strings.Contains(stated, "CAPABILITY_NAMED_IAM") &&
		(needed != "CAPABILITY_IAM" || !strings.Contains(stated, "CAPABILITY_IAM")) {
		return &fault{http.StatusBadRequest, "InsufficientCapabilitiesException", "Requires capabilities : [" + needed + "]"}
	}
	return nil
}

// unresolved is the first name below a node that Ref or Fn::GetAtt look for in vain.
func unresolved(t *cfn.Template, n *cfn.Node, existing map[string]bool) string {
	if n == nil {
		return ""
	}
	for _, item := range n.Items {
		if bad := unresolved(t, item, existing); bad != "" {
			return bad
		}
	}
	for _, m := range n.Members {
		name := ""
		switch {
		case m.Name == "Ref" && m.Value.Kind == cfn.String && len(n.Members) == 1:
			name = m.Value.Text
		case m.Name == "Fn::GetAtt" && len(m.Value.Items) > 0:
			name = m.Value.Items[0].Text
		}
		if name != "" && !existing[name] && t.Root.Get("Parameters", name) == nil && !strings.HasPrefix(name, "AWS::") {
			return name
		}
		if bad := unresolved(t, m.Value, existing); bad != "" {
			return bad
		}
	}
	return ""
}
