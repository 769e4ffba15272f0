package amplifystack

import (
	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/render"
)

// finish checks the values, and translates them to version 1 in the neutral dialect.
func (r *reader) finish() (model.Outputs, error) {
	if err := r.checkRegions(); err != nil {
		return nil, err
	}
	r.placeKey()
	conversion := render.Convert(r.values, model.Amplify, model.Amplify)
	connect := false
	for _, lost := range conversion.Lost {
		connect = connect || lost.Pointer == "/notifications/amazon_connect"
		// From version 1.5 on the section may have Amazon Connect alone.
		follows := connect && lost.Pointer == "/notifications"
		if !lost.Unknown && !follows {
			return nil, &model.Problem{
				Pointer: lost.Pointer,
				Text: "the outputs of stack " + phrase.Quote(r.name) + " are not a client configuration file: " +
					phrase.Quote(lost.Pointer) + " " + lost.Text,
				Fix: "fix that in the backend and deploy again", Cause: ErrInvalid,
			}
		}
		r.note("left out %s: %s", phrase.Quote(lost.Pointer), lost.Text)
	}
	for name := range conversion.Values {
		if name != "version" {
			return conversion.Values, nil
		}
	}
	return nil, r.fault(ErrNothing, "has no outputs for clients, so the file would be empty",
		"add auth, data, storage or an API to the backend and deploy again")
}

// placeKey writes the placeholder of a key that the data API uses and that no output has.
func (r *reader) placeKey() {
	data, ok := r.values["data"].(map[string]any)
	if !ok || data["api_key"] != nil {
		return
	}
	uses := data["default_authorization_type"] == model.APIKeyAuthorization
	types, _ := data["authorization_types"].([]any)
	for _, t := range types {
		uses = uses || t == model.APIKeyAuthorization
	}
	if uses {
		data["api_key"] = model.APIKeyPlaceholder
		r.note("data.api_key is %s: the stack has no output with the key", model.APIKeyPlaceholder)
	}
}

// checkRegions refuses outputs of different regions. What addOutput gave may be anywhere.
func (r *reader) checkRegions() error {
	for _, n := range r.regions {
		if model.CheckRegion(n.region) != nil {
			return r.malformed(n.output, phrase.Quote(n.region)+" is not a region")
		}
		if n.region != r.stack.Region {
			return r.fault(ErrRegions, "is in "+r.stack.Region+", and its output "+phrase.Quote(n.output)+" in "+n.region,
				"deploy it in one region")
		}
	}
	return nil
}
