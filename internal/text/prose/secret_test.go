package prose_test

import (
	"testing"

	"gatewright/internal/secret"
)

func TestNamesOfSecretsAreKnownHoweverTheyAreWritten(t *testing.T) {
	t.Parallel()
	for _, name := range []string{
		"Authorization", "x-amz-security-token", "X-API-Key", "api_key", "accessKeyId", "newPassword", "Set-Cookie", "client_secret", "refreshToken",
		"X-Amz-Credential", "X-Amz-Signature", "private.key", "pin", "PWD", "X-CSRF", "xsrf_value", "X-Auth", "x-auth-key", "PHPSESSIONID", "session_id",
		"passwd", "passphrase", "otp", "API key", "auth_token", "Authorization-Info", "csrf", "credentials", "X-Secret-Id", "cookie", "privateKey", "signature",
	} {
		if !secret.Named(name) {
			t.Errorf("%s is not known", name)
		}
	}
	for _, name := range []string{"title", "author", "authority", "session", "keyboard", "next_token", "assignment", "passenger", "spinning", "shipping", "pageToken", "continuation-token", "StartingToken", "otpu"} {
		if secret.Named(name) {
			t.Errorf("%s is taken for a secret", name)
		}
	}
}

func TestSecretsAreFoundByTheirShapes(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"see eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0.c2ln here":                         "see *** here",
		"authorization: Bearer abc.def-1234":                                        "authorization: ***",
		"it is BASIC aGlkZGVuOmg= now":                                              "it is *** now",
		"AKIA0123456789ABCDEF, AKIA01":                                              "***, AKIA01",
		"key ASIA0123456789ABCDEF":                                                  "key ***",
		"-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY----- rest": "*** rest",
		"a basic idea":                  "a basic idea",
		"eyJ alone, and ASIA the place": "eyJ alone, and ASIA the place",
	} {
		if got := secret.HideShapes(text, "***"); got != want {
			t.Errorf("%q becomes %q, want %q", text, got, want)
		}
	}
}
