package userpool

import (
	"cmp"
	"strings"
	"unicode/utf8"

	"gatewright/model"
)

// linkPlaceholder stands for a link in a message that a function writes.
const linkPlaceholder = "{##Click Here##}"

// The longest messages, in characters.
const (
	longestSMS     = 140
	longestSubject = 140
	longestEmail   = 20_000
)

// writeMessage lets the trigger write a message that the cloud would send, see
// https://docs.aws.amazon.com/cognito/latest/developerguide/user-pool-lambda-custom-message.html
// source is what the message is for, such as SignUp in CustomMessage_SignUp.
func (p *Pools) writeMessage(o occasion, source string, m *Message) error {
	if m.Undeliverable {
		return nil
	}
	m.write(definedText(o.pool.Definition, m))
	request := map[string]any{
		"userAttributes": m.attributes, "codeParameter": model.CodePlaceholder,
		"linkParameter": linkPlaceholder, "usernameParameter": nil,
	}
	if m.Purpose == PurposeTemporary {
		request["usernameParameter"] = model.NamePlaceholder
	}
	var given struct {
		SMS     string `json:"smsMessage"`
		Email   string `json:"emailMessage"`
		Subject string `json:"emailSubject"`
	}
	err := p.call(o, moment{
		at: model.CustomMessage, source: source, userName: m.User, request: request,
		response: map[string]any{"smsMessage": nil, "emailMessage": nil, "emailSubject": nil},
	}, &given)
	if err != nil {
		return err
	}
	text, subject, longest := given.Email, given.Subject, longestEmail
	if m.Medium == mediumSMS {
		text, subject, longest = given.SMS, "", longestSMS
	}
	switch {
	case text == "" && subject == "":
		return nil
	case text != "" && !strings.Contains(text, model.CodePlaceholder):
		m.Note = "the function's message lacks " + model.CodePlaceholder + ", so the cloud would send its own"
		return nil
	case utf8.RuneCountInString(text) > longest || utf8.RuneCountInString(subject) > longestSubject:
		m.Note = "the function's message is too long, so the cloud would send its own"
		return nil
	}
	m.write(text, subject)
	return nil
}

// write puts the code and the name into a text. An empty text or subject is none.
func (m *Message) write(text, subject string) {
	if text != "" {
		m.Text = strings.NewReplacer(model.CodePlaceholder, m.Code, model.NamePlaceholder, m.User).Replace(text)
	}
	m.Subject = cmp.Or(subject, m.Subject)
}

// definedText is what the definition says of a message, with its subject if it is an email.
func definedText(definition *model.Auth, m *Message) (text, subject string) {
	if definition == nil {
		return "", ""
	}
	of := map[string]string{PurposeTemporary: "invitation_", PurposeSignIn: "sign_in_"}[m.Purpose]
	if m.Medium == mediumSMS {
		return definition.Messages[of+"sms_message"], ""
	}
	return definition.Messages[of+"email_message"], definition.Messages[of+"email_subject"]
}

// send has messages written and delivers them. Their codes are stored already.
func (p *Pools) send(o occasion, source string, messages ...*Message) error {
	for _, m := range messages {
		if m == nil {
			continue
		}
		if err := p.writeMessage(o, source, m); err != nil {
			return err
		}
		p.options.Deliver(*m)
	}
	return nil
}
