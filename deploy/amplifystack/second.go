package amplifystack

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"slices"
	"strings"

	"gatewright/internal/text/phrase"
	"gatewright/model"
)

// readSecond reads a stack of the second generation. What each output becomes is as in
// https://github.com/aws-amplify/amplify-backend/blob/main/packages/client-config/src/client-config-contributor/client_config_contributor_v1.ts
func (r *reader) readSecond(entries []entry) error {
	var custom *part
	for _, e := range entries {
		p, err := r.part(e)
		if err != nil {
			return err
		}
		switch e.key {
		case platformKey:
			p.region("region")
		case authKey:
			err = p.auth()
		case dataKey:
			p.data()
		case storageKey:
			p.storage()
		case geoKey:
			err = p.geo()
		case customKey:
			custom = &p
		default:
			if !silent[e.key] {
				r.note("left out %s: version %s of the file has no place for it", phrase.Quote(e.key), model.ClientFileVersion)
			}
			continue
		}
		p.noteUnknown()
		if err != nil {
			return err
		}
	}
	if custom != nil {
		// It is added to what the other entries give.
		return custom.custom()
	}
	return nil
}

// known are the outputs of each entry that are read here, or that only the tools of Amplify
// need. All others are of later versions of the file: groups, buckets and so on.
var known = map[string][]string{
	platformKey: {"deploymentType", "region"},
	authKey: {
		"authRegion", "userPoolId", "webClientId", "identityPoolId", "mfaTypes", "signupAttributes", "usernameAttributes",
		"verificationMechanisms", "mfaConfiguration", "allowUnauthenticatedIdentities", "passwordPolicyMinLength",
		"passwordPolicyRequirements", "oauthRedirectSignIn", "oauthRedirectSignOut", "oauthCognitoDomain",
		"oauthResponseType",
		"oauthScope", "socialProviders", "oauthClientId",
	},
	dataKey: {
		"awsAppsyncRegion", "awsAppsyncApiEndpoint", "awsAppsyncApiKey", "awsAppsyncAuthenticationType",
		"awsAppsyncAdditionalAuthenticationTypes", "amplifyApiModelSchemaS3Uri", "awsAppsyncApiId",
		"awsAppsyncConflictResolutionMode",
	},
	storageKey: {"bucketName", "storageRegion"},
	geoKey:     {"geoRegion", "geofenceCollections"},
	customKey:  {customOutput},
}

// noteUnknown notes the outputs of an entry that are not known, except empty lists and maps.
func (p part) noteUnknown() {
	for _, name := range slices.Sorted(maps.Keys(p.values)) {
		if value := p.values[name]; !slices.Contains(known[p.key], name) && value != "[]" && value != "{}" {
			p.r.note("left out the output %s of %s: version %s of the file has no place for it", phrase.Quote(name), p.key,
				model.ClientFileVersion)
		}
	}
}

// region returns the value of an output that has a region, which must be the stack's.
func (p part) region(output string) string {
	region := p.values[output]
	if region != "" {
		p.r.regions = append(p.r.regions, namedRegion{output, region})
	}
	return region
}

// take copies outputs that are there into the fields of a section.
func (p part) take(section map[string]any, fields map[string]string) {
	for field, output := range fields {
		if value := p.values[output]; value != "" {
			section[field] = value
		}
	}
}

func (p part) data() {
	data := map[string]any{"authorization_types": split(p.values["awsAppsyncAdditionalAuthenticationTypes"])}
	p.take(data, map[string]string{
		"url": "awsAppsyncApiEndpoint", "api_key": "awsAppsyncApiKey",
		"default_authorization_type": "awsAppsyncAuthenticationType",
	})
	if region := p.region("awsAppsyncRegion"); region != "" {
		data["aws_region"] = region
	}
	p.r.values["data"] = data
	if p.values["amplifyApiModelSchemaS3Uri"] != "" {
		p.r.note("left out data.model_introspection: its source is a file in a bucket, which is not read")
	}
}

func (p part) storage() {
	storage := make(map[string]any)
	p.take(storage, map[string]string{"bucket_name": "bucketName"})
	if region := p.region("storageRegion"); region != "" {
		storage["aws_region"] = region
	}
	p.r.values["storage"] = storage
}

// geo reads what version 1 has of
// https://github.com/aws-amplify/amplify-backend/blob/main/packages/backend-output-schemas/src/geo/v1.ts
func (p part) geo() error {
	geo := make(map[string]any)
	if region := p.region("geoRegion"); region != "" {
		geo["aws_region"] = region
	}
	if _, ok := p.values["geofenceCollections"]; ok {
		collections, err := p.json("geofenceCollections")
		if err != nil {
			return err
		}
		geo["geofence_collections"] = collections
	}
	if len(geo) > 1 {
		p.r.values["geo"] = geo
	}
	return nil
}

// json reads an output that has one JSON value.
func (p part) json(output string) (any, error) {
	decoder := json.NewDecoder(bytes.NewReader([]byte(p.values[output])))
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); err != nil {
		return nil, p.r.malformed(output, "it is not JSON")
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return nil, p.r.malformed(output, "there is more text after its JSON value")
	}
	return value, nil
}

// list reads an output that has a JSON array of texts. It drops what comes twice.
func (p part) list(output string) ([]any, error) {
	value, err := p.json(output)
	if err != nil {
		return nil, err
	}
	items, ok := value.([]any)
	if !ok {
		return nil, p.r.malformed(output, "it is not an array")
	}
	for _, item := range items {
		if _, ok := item.(string); !ok {
			return nil, p.r.malformed(output, "it has an item that is not a string")
		}
	}
	return union(nil, items), nil
}

// split returns the parts of a text with commas, without what comes twice.
func split(text string) []any {
	items := []any{}
	for item := range strings.SplitSeq(text, ",") {
		if item != "" {
			items = append(items, item)
		}
	}
	return union(nil, items)
}
