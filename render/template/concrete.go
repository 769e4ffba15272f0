package template

import (
	"cmp"
	"fmt"
	"strings"

	"gatewright/internal/cfn"
	"gatewright/model"
)

// The lengths of what is known only in the cloud.
const (
	accountDigits = "123456789012"
	apiIDDigits   = "abcdefghij"

	poolIDDigits       = "abcdefghi"
	clientIDDigits     = "abcdefghijklmnopqrstuvwxyz"
	identityPoolDigits = "01234567-89ab-cdef-0123-456789abcdef"
)

// concrete gives texts of a template the values that they will have, or others of the same
// length, because the limits of the cloud are about those.
type concrete struct {
	pseudo map[string]string
	// values are those of Ref and Fn::GetAtt, by ID and ID.Attribute.
	values map[string]string
}

func (r *renderer) concrete() *concrete {
	region := r.b.Region(r.env)
	partition := partitionOf(region)
	c := &concrete{
		pseudo: map[string]string{
			"AWS::Region": region, "AWS::AccountId": accountDigits, "AWS::Partition": partition,
			"AWS::URLSuffix": suffixOf(partition),
		},
		values: make(map[string]string),
	}
	arn := func(service, resource string) string {
		return strings.Join([]string{"arn", partition, service, region, accountDigits, resource}, ":")
	}
	for _, t := range r.b.Tables {
		name := t.DeployedName(r.env.Name)
		c.values[tableID(t.Name)], c.values[tableID(t.Name)+".Arn"] = name, arn("dynamodb", "table/"+name)
	}
	for _, f := range r.b.Functions {
		c.values[r.logGroupID(f.Name)+".Arn"] = arn("logs", "log-group:/aws/lambda/"+r.deployed(f.Name)+":*")
	}
	for _, a := range r.apis {
		c.values[a.id] = apiIDDigits
	}
	if r.pool {
		id := region + "_" + poolIDDigits
		c.values[userPoolID], c.values[userPoolID+".Arn"] = id, arn("cognito-idp", "userpool/"+id)
		c.values[clientID], c.values[identityPoolID] = clientIDDigits, region+":"+identityPoolDigits
	}
	return c
}

// URLSuffix returns the domain of AWS in a region.
func URLSuffix(region string) string { return suffixOf(partitionOf(region)) }

func suffixOf(partition string) string {
	if partition == "aws-cn" {
		return "amazonaws.com.cn"
	}
	return "amazonaws.com"
}

// text returns the value of a text, of a Ref, a Fn::GetAtt, a Fn::Sub, or of such joined. A secret has none yet.
func (c *concrete) text(n *cfn.Node) string {
	if n.Kind != cfn.Map {
		return n.Text
	}
	switch m := n.Members[0]; m.Name {
	case "Ref":
		return cmp.Or(c.pseudo[m.Value.Text], c.values[m.Value.Text])
	case "Fn::GetAtt":
		return c.values[m.Value.Items[0].Text+"."+m.Value.Items[1].Text]
	case "Fn::Join":
		var b strings.Builder
		for _, item := range m.Value.Items[1].Items {
			b.WriteString(c.text(item))
		}
		return b.String()
	default:
		return c.substitute(m.Value.Text)
	}
}

func (c *concrete) substitute(text string) string {
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(text, "${")
		b.WriteString(before)
		if !found {
			return b.String()
		}
		name, after, _ := strings.Cut(rest, "}")
		b.WriteString(cmp.Or(c.pseudo[name], c.values[name]))
		text = after
	}
}

// characters is how long a value is as JSON without white space, which the limits of IAM do not count.
func (c *concrete) characters(value *cfn.Node) int {
	return len(c.known(value).Minified())
}

// known returns a node with texts in the place of functions.
func (c *concrete) known(n *cfn.Node) *cfn.Node {
	next := *n
	if n.Kind == cfn.Map && len(n.Members) == 1 &&
		(n.Members[0].Name == "Ref" || strings.HasPrefix(n.Members[0].Name, "Fn::")) {
		return cfn.TextNode(c.text(n))
	}
	next.Items, next.Members = nil, nil
	for _, item := range n.Items {
		next.Items = append(next.Items, c.known(item))
	}
	for _, m := range n.Members {
		next.Members = append(next.Members, cfn.Member{Name: m.Name, Value: c.known(m.Value)})
	}
	return &next
}

// variablesTooLarge is the problem of a function with more variables than it can have. They
// count as JSON: the service's refusal shows the text that it measured.
func (r *renderer) variablesTooLarge(f *model.Function, variables []cfn.Member) {
	if size := r.values.characters(cfn.MapNode(variables...)); size > mostVariables {
		r.problems = append(r.problems, &model.Problem{
			Of: model.Ref{Kind: model.KindFunction, Name: f.Name},
			Text: fmt.Sprintf("its variables have %d bytes, without the values of secrets, but a function may have at most "+
				"%d", size,
				mostVariables),
			Fix: "move long values into a file of the function",
		})
	}
}

// grantsTooLarge is the problem of a function that may do more than a role can say.
func (r *renderer) grantsTooLarge(f *model.Function, document *cfn.Node) {
	if n := r.values.characters(document); n > mostInline {
		r.problems = append(r.problems, &model.Problem{
			Of: model.Ref{Kind: model.KindFunction, Name: f.Name}, Pointer: "/access",
			Text: fmt.Sprintf("its access makes a policy of %d characters, but a role may have at most %d", n, mostInline),
			Fix:  "split it into functions that use less",
		})
	}
}
