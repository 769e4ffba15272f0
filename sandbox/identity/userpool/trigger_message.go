package userpool

import (
	"strings"
	"unicode/utf8"

	"gatewright/model"
)

// The placeholders in messages that a function writes.
const (
	codePlaceholder = "{####}"
	namePlaceholder = "{username}"
	linkPlaceholder = "{##Click Here##}"
)

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
	if m.Undeliverable || !hasTrigger(o.pool, model.CustomMessage) {
		return nil
	}
	request := map[string]any{
		"userAttributes": m.attributes, "codeParameter": codePlaceholder,
		"linkParameter": linkPlaceholder, "usernameParameter": nil,
	}
	if m.Purpose == PurposeTemporary {
		request["usernameParameter"] = namePlaceholder
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
	case text != "" && !strings.Contains(text, codePlaceholder):
		m.Note = "the function's message lacks " + codePlaceholder + ", so the cloud would send its own"
		return nil
	case utf8.RuneCountInString(text) > longest || utf8.RuneCountInString(subject) > longestSubject:
		m.Note = "the function's message is too long, so the cloud would send its own"
		return nil
	}
	m.Text = strings.NewReplacer(codePlaceholder, m.Code, namePlaceholder, m.User).Replace(text)
	m.Subject = subject
	return nil
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
