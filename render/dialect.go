package render

import (
	"strings"

	"gatewright/model"
)

// word is a word that differs between the dialects. At a place of the file it is a value of
// strings, or else the name of a member. Places are JSON pointers in the neutral dialect.
// The words of the amplify dialect are those of
// https://amplify.aws/2024-02/outputs-schema.json.
type word struct {
	place            string
	value            bool
	neutral, amplify string
}

var words = []word{
	{"/analytics", false, "messaging_app", "amazon_pinpoint"},
	{"/analytics/messaging_app", false, "cloud_region", "aws_region"},
	{"/auth", false, "cloud_region", "aws_region"},
	{"/auth/oauth/identity_providers", true, "PROVIDER_A", "GOOGLE"},
	{"/auth/oauth/identity_providers", true, "PROVIDER_B", "FACEBOOK"},
	{"/auth/oauth/identity_providers", true, "LOGIN_WITH_VENDOR", "LOGIN_WITH_AMAZON"},
	{"/auth/oauth/identity_providers", true, "PROVIDER_D", "SIGN_IN_WITH_APPLE"},
	{"/data", false, "cloud_region", "aws_region"},
	{"/data/default_authorization_type", true, "IDENTITY_USER_POOLS", "AMAZON_COGNITO_USER_POOLS"},
	{"/data/default_authorization_type", true, "CLOUD_IAM", "AWS_IAM"},
	{"/data/default_authorization_type", true, "CLOUD_FUNCTION", "AWS_LAMBDA"},
	{"/data/authorization_types", true, "IDENTITY_USER_POOLS", "AMAZON_COGNITO_USER_POOLS"},
	{"/data/authorization_types", true, "CLOUD_IAM", "AWS_IAM"},
	{"/data/authorization_types", true, "CLOUD_FUNCTION", "AWS_LAMBDA"},
	{"/geo", false, "cloud_region", "aws_region"},
	{"/notifications", false, "cloud_region", "aws_region"},
	{"/notifications", false, "messaging_app_id", "amazon_pinpoint_app_id"},
	{"/notifications/channels", true, "PUSH_A", "FCM"},
	{"/notifications/channels", true, "PUSH_B", "APNS"},
	{"/storage", false, "cloud_region", "aws_region"},
}

func (w word) in(dialect model.Dialect) string {
	if dialect == model.Amplify {
		return w.amplify
	}
	return w.neutral
}

// Translate translates the values of a client configuration file to another dialect. `custom`
// and `model_introspection` are not translated: their words are the project's own.
func Translate(values model.Outputs, from, to model.Dialect) model.Outputs {
	if from == to {
		return values
	}
	next, _ := translate(map[string]any(values), "", from, to).(map[string]any)
	return next
}

// translate translates a value; pointer is its place in the neutral dialect.
func translate(value any, pointer string, from, to model.Dialect) any {
	if pointer == "/custom" || pointer == "/data/model_introspection" {
		return value
	}
	switch v := value.(type) {
	case map[string]any:
		next := make(map[string]any, len(v))
		for key, member := range v {
			neutral := translateKey(pointer, key, from, model.Neutral)
			next[translateKey(pointer, key, from, to)] = translate(member, pointer+"/"+neutral, from, to)
		}
		return next
	case []any:
		next := make([]any, len(v))
		for i, item := range v {
			next[i] = translate(item, pointer, from, to)
		}
		return next
	case string:
		return translateWord(pointer, v, true, from, to)
	}
	return value
}

// TranslatePlace translates the names of a place of the file to another dialect.
func TranslatePlace(place []string, from, to model.Dialect) []string {
	next, pointer := make([]string, len(place)), ""
	for i, name := range place {
		next[i] = translateKey(pointer, name, from, to)
		pointer += "/" + translateKey(pointer, name, from, model.Neutral)
	}
	return next
}

func translateKey(pointer, key string, from, to model.Dialect) string {
	return translateWord(pointer, key, false, from, to)
}

func translateWord(place, given string, value bool, from, to model.Dialect) string {
	for _, w := range words {
		if w.place == place && w.value == value && w.in(from) == given {
			return w.in(to)
		}
	}
	return given
}

// DialectWords finds words that only one dialect has, and gives the JSON pointer of the first
// word of each dialect, "" if there is none.
func DialectWords(values model.Outputs) (neutral, amplify string) {
	for _, dialect := range []model.Dialect{model.Neutral, model.Amplify} {
		for _, w := range words {
			at := findWord(map[string]any(values), strings.Split(w.place, "/")[1:], "", w, dialect)
			if at != "" && dialect == model.Neutral && neutral == "" {
				neutral = at
			}
			if at != "" && dialect == model.Amplify && amplify == "" {
				amplify = at
			}
		}
	}
	return neutral, amplify
}

// findWord finds a word of a dialect. place is the rest of the place of the word, in the
// neutral dialect; the file may have each of its names in either dialect.
func findWord(value any, place []string, pointer string, w word, dialect model.Dialect) string {
	members, _ := value.(map[string]any)
	if len(place) > 0 {
		for _, step := range stepNames(place[0]) {
			if member, ok := members[step]; ok {
				if at := findWord(member, place[1:], pointer+"/"+step, w, dialect); at != "" {
					return at
				}
			}
		}
		return ""
	}
	if !w.value {
		if _, ok := members[w.in(dialect)]; ok {
			return pointer + "/" + w.in(dialect)
		}
		return ""
	}
	items, ok := value.([]any)
	if !ok {
		items = []any{value}
	}
	for _, item := range items {
		if item == w.in(dialect) {
			return pointer
		}
	}
	return ""
}

// stepNames returns the names of a key in all dialects.
func stepNames(neutral string) []string {
	names := []string{neutral}
	for _, w := range words {
		if !w.value && w.neutral == neutral {
			names = append(names, w.amplify)
		}
	}
	return names
}
