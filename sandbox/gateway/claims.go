package gateway

import (
	"encoding/base64"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"time"

	"gatewright/sandbox/identity/identitypool"
)

// claims writes the claims of a verified id token as API Gateway's Cognito authorizer passes them: each a
// string, arrays joined by commas, and exp and iat as dates. (Public projects keep such events.)
func (w *writer) claims(token string) {
	var all map[string]json.RawMessage
	if _, after, ok := strings.Cut(token, "."); ok {
		payload, _, _ := strings.Cut(after, ".")
		text, err := base64.RawURLEncoding.DecodeString(payload)
		if err == nil {
			_ = json.Unmarshal(text, &all)
		}
	}
	names := slices.Sorted(maps.Keys(all))
	w.object(len(names), "{}", func(i int) {
		w.text(names[i]).raw(":").text(claimText(names[i], all[names[i]]))
	})
}

// claimsOf writes the claims that an access token of the session's user would have.
func (w *writer) claimsOf(s identitypool.Session) {
	claims := map[string]string{
		"sub": s.User.Sub, "username": s.User.Name, "cognito:username": s.User.Name,
		"token_use": "access", "client_id": s.Pool.ClientID,
	}
	if len(s.Groups) > 0 {
		claims["cognito:groups"] = strings.Join(s.Groups, ",")
	}
	names := slices.Sorted(maps.Keys(claims))
	w.object(len(names), "{}", func(i int) {
		w.text(names[i]).raw(":").text(claims[names[i]])
	})
}

// dateLayout is the authorizer's format of dates.
const dateLayout = "Mon Jan 02 15:04:05 UTC 2006"

func claimText(name string, value json.RawMessage) string {
	var number int64
	if (name == "exp" || name == "iat") && json.Unmarshal(value, &number) == nil {
		return time.Unix(number, 0).UTC().Format(dateLayout)
	}
	var list []json.RawMessage
	if len(value) > 0 && value[0] == '[' && json.Unmarshal(value, &list) == nil {
		texts := make([]string, len(list))
		for i, item := range list {
			texts[i] = claimText("", item)
		}
		return strings.Join(texts, ",")
	}
	var plain string
	if json.Unmarshal(value, &plain) == nil && string(value) != "null" {
		return plain
	}
	return string(value)
}
