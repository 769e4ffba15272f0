package amplifystack

import (
	"cmp"
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"gatewright/internal/text/phrase"
)

// mostNested bounds the nested stacks that are asked for, one request each.
const mostNested = 200

// categories begin the logical IDs of the nested stacks of the first generation, which are
// the category and the name of the resource
// (https://github.com/aws-amplify/amplify-cli/blob/dev/packages/amplify-provider-awscloudformation/src/push-resources.ts).
var categories = []string{"analytics", "api", "auth", "storage"}

// absent is what no output of the first generation has.
const absent = "the outputs of Amplify's first generation do not have password_policy, username_attributes, " +
	"user_verification_types, " +
	"mfa_configuration and the other settings of auth: add those that the client needs, or convert its own " +
	"file with --from"

// nested is a nested stack of the first generation.
type nested struct {
	id, category string
	stack        Stack
}

// output returns an output of a nested stack, "" if it has none.
func (n nested) output(name string) string { return n.stack.Outputs[name] }

// readFirst reads the nested stacks of a root stack of the first generation. The names of
// their outputs are those that the Amplify CLI makes its own file of:
// https://github.com/aws-amplify/amplify-cli/blob/dev/packages/amplify-frontend-javascript/lib/frontend-config-creator.js
func (r *reader) readFirst(ctx context.Context, from Source) error {
	ids, err := from.Nested(ctx, r.name)
	if err != nil {
		return err
	}
	if len(ids) > mostNested {
		return r.fault(ErrTooLarge, "has too many nested stacks", "name another stack")
	}
	found := false
	for _, id := range slices.Sorted(maps.Keys(ids)) {
		i := slices.IndexFunc(categories, func(category string) bool { return strings.HasPrefix(id, category) })
		if i < 0 {
			continue
		}
		stack, err := from.Stack(ctx, ids[id])
		if err != nil {
			return err
		}
		if err := checkSize(r.name+" "+id, stack.Outputs); err != nil {
			return err
		}
		took, err := r.readNested(ctx, from, ids[id], nested{id, categories[i], stack})
		if err != nil {
			return err
		}
		found = found || took
	}
	if !found {
		return r.notAmplify(ids)
	}
	return nil
}

// readNested reads one nested stack. It is false if it has nothing that is known.
func (r *reader) readNested(ctx context.Context, from Source, arn string, n nested) (bool, error) {
	switch {
	case n.category == "api" && n.output("RootUrl") != "":
		return true, r.addAPI(n)
	case n.category == "api" && n.output("GraphQLAPIEndpointOutput") != "":
		return true, r.addData(ctx, from, arn, n)
	case n.category == "auth" && n.output("UserPoolId")+n.output("IdentityPoolId") != "":
		return true, r.addAuth(n)
	case n.category == "storage" && n.output("BucketName") != "":
		return true, r.addSection(n, "storage", map[string]any{
			"aws_region": cmp.Or(n.output("Region"), r.stack.Region), "bucket_name": n.output("BucketName"),
		})
	case n.category == "analytics" && n.output("Id") != "" && n.output("appName") != "":
		// Amazon Pinpoint may be in another region than the stack.
		return true, r.addSection(n, "analytics", map[string]any{"amazon_pinpoint": map[string]any{
			"aws_region": cmp.Or(n.output("Region"), r.stack.Region), "app_id": n.output("Id"),
		}})
	}
	if len(n.stack.Outputs) > 0 {
		r.note("left out the nested stack %s: it has no known outputs for clients", phrase.Quote(n.id))
	}
	return false, nil
}

// addSection adds a section of the file, which only one nested stack may give.
func (r *reader) addSection(n nested, section string, values map[string]any) error {
	if r.values[section] != nil {
		return r.fault(ErrConflict, "has two nested stacks with "+section+", one of them "+phrase.Quote(n.id),
			"remove one of them and deploy again")
	}
	r.values[section] = values
	return nil
}

// addAPI adds a REST API, as gatewright's own file has it.
func (r *reader) addAPI(n nested) error {
	label := cmp.Or(n.output("ApiName"), strings.TrimPrefix(n.id, n.category), n.id)
	custom, _ := r.values["custom"].(map[string]any)
	if custom == nil {
		custom = map[string]any{"API": map[string]any{}}
		r.values["custom"] = custom
	}
	apis := custom["API"].(map[string]any)
	if apis[label] != nil {
		return r.fault(ErrConflict, "has two APIs with the name "+phrase.Quote(label)+", one of them "+phrase.Quote(n.id),
			"rename one of them and deploy again")
	}
	apis[label] = map[string]any{
		"endpoint": strings.TrimRight(n.output("RootUrl"), "/"), "region": r.stack.Region,
		"apiName": label,
	}
	return nil
}

func (r *reader) addAuth(n nested) error {
	auth := map[string]any{"aws_region": r.stack.Region}
	for field, output := range map[string]string{
		"user_pool_id": n.output("UserPoolId"), "identity_pool_id": n.output("IdentityPoolId"),
		"user_pool_client_id": cmp.Or(n.output("AppClientIDWeb"), n.output("AppClientID")),
	} {
		if output != "" {
			auth[field] = output
		}
	}
	if err := r.addSignInPage(n, auth); err != nil {
		return err
	}
	r.note(absent)
	return r.addSection(n, "auth", auth)
}

// addSignInPage adds the section oauth from the JSON in the output OAuthMetadata.
func (r *reader) addSignInPage(n nested, auth map[string]any) error {
	text, domain := n.output("OAuthMetadata"), n.output("HostedUIDomain")
	if text == "" || domain == "" {
		return nil
	}
	var metadata struct {
		AllowedOAuthFlows, AllowedOAuthScopes, CallbackURLs, LogoutURLs []string
	}
	if json.Unmarshal([]byte(text), &metadata) != nil {
		return r.malformed("OAuthMetadata", "it is not a JSON object with lists of strings")
	}
	in, out := split(strings.Join(metadata.CallbackURLs, ",")), split(strings.Join(metadata.LogoutURLs, ","))
	if len(in) == 0 || len(out) == 0 || len(metadata.AllowedOAuthFlows) == 0 {
		return nil
	}
	auth["oauth"] = map[string]any{
		"identity_providers": []any{}, "domain": domain + ".auth." + r.stack.Region + ".amazoncognito.com",
		"scopes":               split(strings.Join(metadata.AllowedOAuthScopes, ",")),
		"redirect_sign_in_uri": in, "redirect_sign_out_uri": out, "response_type": metadata.AllowedOAuthFlows[0],
	}
	r.note("auth.oauth.identity_providers is empty: no output has them")
	return nil
}

// addData adds the data API. No output has its types of authorization, so they are read from
// the template of the nested stack.
func (r *reader) addData(ctx context.Context, from Source, arn string, n nested) error {
	text, err := from.Template(ctx, arn)
	if err != nil {
		return err
	}
	standard, others, err := authorization(r.name+" "+n.id, text)
	if err != nil {
		return err
	}
	if standard == "" {
		r.note("left out data: the template of the nested stack %s does not say how its API authorizes", phrase.Quote(n.id))
		return nil
	}
	data := map[string]any{
		"aws_region": r.stack.Region, "url": n.output("GraphQLAPIEndpointOutput"),
		"default_authorization_type": standard, "authorization_types": others,
	}
	if key := n.output("GraphQLAPIKeyOutput"); key != "" && key != noKey {
		data["api_key"] = key
	}
	r.note("left out data.model_introspection: no output has it")
	return r.addSection(n, "data", data)
}

// noKey is the output of an API without a key.
const noKey = "null"
