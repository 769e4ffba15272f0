package amplify

import (
	"encoding/json"
	"path"
	"slices"
	"strconv"
	"strings"

	"gatewright/model"
	"gatewright/project/document"
)

// poolAnswers reads what the answers about a user pool say next to what clients are told: texts that are not those
// of the Amplify CLI, how long refresh tokens are valid, and custom attributes, of which only the names are known.
func poolAnswers(auth *model.Auth, answers document.Node) {
	said := func(name string) string {
		value, _ := answers.Get(name)
		if value.Kind() == document.Number {
			return string(value.Raw())
		}
		return value.Text()
	}
	texts := make(map[string]string)
	for name, into := range map[string]string{
		"emailVerificationSubject": "email_subject", "emailVerificationMessage": "email_message",
		"smsVerificationMessage": "sms_message", "smsAuthenticationMessage": "sign_in_sms_message",
	} {
		text := said(name)
		start := strings.TrimSuffix(text, " is {####}")
		own := text != "" && start != "Your verification code" && start != "Your authentication code"
		if own && (strings.Contains(text, model.CodePlaceholder) || into == "email_subject") {
			texts[into] = text
		}
	}
	if len(texts) > 0 {
		auth.Messages = texts
	}
	const byDefault, most = 30, 3650
	if days, err := strconv.Atoi(said("userpoolClientRefreshTokenValidity")); err == nil && days > 0 && days <= most &&
		days != byDefault {
		auth.TokenLifetimes = map[string]string{"refresh": strconv.Itoa(days) + "d"}
	}
	for _, list := range []string{"userpoolClientReadAttributes", "userpoolClientWriteAttributes"} {
		for _, name := range amplifyTexts(answers, list) {
			if custom, ok := strings.CutPrefix(name, model.CustomPrefix); ok {
				put(auth, custom, model.CustomAttribute{Type: model.AttributeTypes[0]})
			}
		}
	}
}

func put(auth *model.Auth, name string, a model.CustomAttribute) {
	if auth.CustomAttributes == nil {
		auth.CustomAttributes = make(map[string]model.CustomAttribute)
	}
	auth.CustomAttributes[name] = a
}

// completeAuth reads the attributes and the flows of the user pool from its template, which the Amplify CLI keeps in
// the folder or builds next to it. Without one they are not known.
func (p *Project) completeAuth(folder, name string) {
	template := p.Template("auth", name)
	if template == nil {
		template, _ = p.readTemplate(path.Join(folder, "build"), name)
	}
	if template == nil {
		return
	}
	var all struct {
		Resources map[string]struct {
			Type       string
			Properties struct {
				Schema            []model.SchemaAttribute
				ExplicitAuthFlows json.RawMessage
			}
		}
	}
	// What is not written as a value, such as a Ref, stays empty.
	_ = json.Unmarshal(template.Root.Minified(), &all)
	auth := p.Backend.Auth
	for _, resource := range all.Resources {
		switch resource.Type {
		case "AWS::Cognito::UserPool":
			auth.CustomAttributes = nil
			for _, a := range resource.Properties.Schema {
				if custom := a.Custom(); !slices.Contains(model.StandardAttributes, a.Name) && custom.Type != "" {
					put(auth, a.Name, custom)
				}
			}
		case "AWS::Cognito::UserPoolClient":
			flows := []string{model.AuthFlows["srp"], model.AuthFlows["custom"]} // those of a client that names none
			if given := resource.Properties.ExplicitAuthFlows; given != nil && json.Unmarshal(given, &flows) != nil {
				flows = nil
			}
			for word, allows := range model.AuthFlows {
				if slices.Contains(flows, allows) && !slices.Contains(auth.AuthFlows, word) {
					auth.AuthFlows = append(auth.AuthFlows, word)
				}
			}
		}
	}
	slices.Sort(auth.AuthFlows)
}
