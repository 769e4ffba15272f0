package traffic_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"gatewright/internal/secret"
	"gatewright/sandbox/traffic"
)

func TestValuesOfSecretsAreTakenOutOfTexts(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`{"title":"Emma","n":1}`:                                                           `{"title":"Emma","n":1}`,
		`{"user": "a", "password" : "hunter2", "n":1}`:                                     `{"user": "a", "password" : "<redacted>", "n":1}`,
		`{"a":[{"apiKey":"k","b":2}],"Token":17}`:                                          `{"a":[{"apiKey":"<redacted>","b":2}],"Token":"<redacted>"}`,
		`{"credentials":{"id":"x","deep":["y"]},"n":1}`:                                    `{"credentials":"<redacted>","n":1}`,
		`{"tokens":["abc"],"nextToken":"page2"}`:                                           `{"tokens":"<redacted>","nextToken":"page2"}`,
		`{"password":null,"secret":""}`:                                                    `{"password":null,"secret":""}`,
		`{"body":"{\"access_token\":\"abc\",\"n\":1}"}`:                                    `{"body":"{\"access_token\":\"<redacted>\",\"n\":1}"}`,
		`name=emma&password=hunter2&page=1`:                                                `name=emma&password=<redacted>&page=1`,
		`/books?title=a&X-Amz-Signature=0123&x=1`:                                          `/books?title=a&X-Amz-Signature=<redacted>&x=1`,
		`?x=1&pass%77ord=hunter2&y=2`:                                                      `?x=1&pass%77ord=<redacted>&y=2`,
		`?a=1;token=hunter2;x`:                                                             `?a=1;token=<redacted>`,
		`?a;b=2;c=3;pass%77ord=hunter2&y=2;pin=1234`:                                       `?a;b=2;c=3;pass%77ord=<redacted>&y=2;pin=<redacted>`,
		`text/html; charset=utf-8; q=1`:                                                    `text/html; charset=utf-8; q=1`,
		`?x=1&%70%61ssword=hunter2&rate=100%`:                                              `?x=1&%70%61ssword=<redacted>&rate=100%`,
		"--b\r\nContent-Disposition: form-data; name=\"password\"\r\n\r\nhunter2\r\n--b--": "--b\r\nContent-Disposition: form-data; name=\"password\"\r\n\r\n<redacted>\r\n--b--",
		`<user><password>hunter2</password><id>7</id></user>`:                              `<user><password><redacted></password><id>7</id></user>`,
		"user: emma\npassword: hunter2\nDB_PASSWORD=hunter2\n":                             "user: emma\npassword: <redacted>\nDB_PASSWORD=<redacted>\n",
		`login failed: {"password":"hunter2","x"`:                                          `login failed: {"password":<redacted>,"x"`,
		`{\"secret\":\"hunter2\",\"n\":1} and more`:                                        `{\"secret\":<redacted>,\"n\":1} and more`,
		`a token is no secret here`:                                                        `a token is no secret here`,
		`"{\"set-cookie\":\"a=b\"}"`:                                                       `"{\"set-cookie\":\"<redacted>\"}"`,
	} {
		got, names := traffic.Masked(text)
		if got != want {
			t.Errorf("%s\nbecomes %s\nwant    %s", text, got, want)
		}
		if (len(names) > 0) != (got != text) {
			t.Errorf("%s: the names are %q", text, names)
		}
	}
}

func TestNamesOfSecretsAreKnownHoweverTheyAreWritten(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"Authorization", "x-amz-security-token", "X-API-Key", "api_key", "accessKeyId", "newPassword", "Set-Cookie", "client_secret", "refreshToken", "X-Amz-Credential", "X-Amz-Signature", "private.key"} {
		if !secret.Named(name) || !secret.Maybe(`{"`+name+`":1}`) {
			t.Errorf("%s is not known", name)
		}
	}
	for _, name := range []string{"title", "author", "keyboard", "next_token", "assignment", "passenger"} {
		if secret.Named(name) {
			t.Errorf("%s is taken for a secret", name)
		}
	}
}

func TestCredentialsAreFoundInTheValuesOfHeaders(t *testing.T) {
	t.Parallel()
	for value, want := range map[string][]string{
		"Bearer eyJhbGciOi.J9.abc":   {"eyJhbGciOi.J9.abc"},
		"session=0123456789abc; a=b": {"0123456789abc"},
		"short":                      nil,
	} {
		if got := traffic.Credentials(value); !slices.Equal(got, want) {
			t.Errorf("%s has %q, want %q", value, got, want)
		}
	}
}

func FuzzMaskedTextsKeepNoPassword(f *testing.F) {
	f.Add(`{"a":"b"}`, "c")
	f.Add(`[1,{"x":"\"}"}]`, `\`)
	f.Fuzz(func(t *testing.T, around, name string) {
		const secret = "hunter2hunter2"
		quoted, err := json.Marshal(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range []string{`{"password":"` + secret + `"}`, `[{` + string(quoted) + `:1,"password":["` + secret + `"]}]`} {
			got, _ := traffic.Masked(text)
			if strings.Contains(got, secret) {
				t.Errorf("%s keeps it", got)
			}
		}
		traffic.Masked(around)
	})
}

func TestTheQuickLookMissesNoSecret(t *testing.T) {
	t.Parallel()
	for _, name := range []string{
		"Authorization", "X-Amz-Security-Token", "api key", "API-KEY", "accessKeyId", "access_key", "newPassword", "passwd", "Passphrase", "pwd", "userPwd",
		"pin", "OTP", "Set-Cookie", "client_secret", "refreshToken", "X-Amz-Credential", "X-Amz-Signature", "private.key", "privateKey",
	} {
		text := `{"a":1,"` + name + `":"hunter2-hunter2"}`
		if masked, _ := traffic.Masked(text); !secret.Named(name) || masked == text {
			t.Errorf("%s stays", text)
		}
	}
	for _, shape := range []string{"eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0.c2ln", "Bearer abc.def-1234", "ASIA0123456789ABCDEF", "-----BEGIN PRIVATE KEY-----\\nMIIE"} {
		text := `{"value":"` + shape + `"}`
		if masked, names := traffic.Masked(text); masked == text || len(names) == 0 {
			t.Errorf("%s stays", text)
		}
	}
}

// TestTheNamesOfSecretsComeWithTheText has texts that end anywhere, and values that hold further
// ones.
func TestTheNamesOfSecretsComeWithTheText(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`redirect=https%3A%2F%2Fx%2F%3Ftoken%3Dhunter2&x=1`:         `redirect=<redacted>&x=1 [redirect]`,
		`a=1;back=%3Ftoken%3Dhunter2&b=2`:                           `a=1;back=<redacted>&b=2 [back]`,
		`back=%7B%22password%22%3A%22hunter2%22%7D&b=2`:             `back=<redacted>&b=2 [back]`,
		`back=%3Fnext%3D%253Ftoken%253Dhunter2`:                     `back=%3Fnext%3D%253Ftoken%253Dhunter2 []`,
		`back=a%20token&c=1`:                                        `back=a%20token&c=1 []`,
		`back=100%&c=1&pin=%zz`:                                     `back=100%&c=1&pin=<redacted> [pin]`,
		`{"password":`:                                              `{"password":"<redacted>" [password]`,
		`{"a":1,"password":"hun`:                                    `{"a":1,"password":"<redacted>" [password]`,
		`{"password":tru`:                                           `{"password":"<redacted>" [password]`,
		`{"a":1,"password":{"b":"hunter2"`:                          `{"a":1,"password":"<redacted>" [password]`,
		`{"a":1,"note":"token=hunter2`:                              `{"a":1,"note":"token=<redacted> [token]`,
		`{"a":x,"password":"hunter2"}`:                              `{"a":x,"password":<redacted>} [password]`,
		`{"body":"a=1&password=hunter2","pin":1,"more":"pin=2"}`:    `{"body":"a=1&password=<redacted>","pin":"<redacted>","more":"pin=<redacted>"} [password pin]`,
		`{"a":"b","password":"x"}{"pin":1}`:                         `{"a":"b","password":"<redacted>"}{"pin":"<redacted>"} [password pin]`,
		`[{"otp":[1,{"a":"b"}]},{"pin":"1"}]`:                       `[{"otp":"<redacted>"},{"pin":"<redacted>"}] [otp pin]`,
		`<a>x</a><pin kind="y">1234</pin><pin> </pin><otp>1</otp>`:  `<a>x</a><pin kind="y"><redacted></pin><pin> </pin><otp><redacted></otp> [pin otp]`,
		"- token: hunter2\n  pin:  \n":                              "- token: <redacted>\n  pin:  \n [token]",
		`password=<redacted>&x`:                                     `password=<redacted>&x []`,
		`{"value":"Bearer abc.def-1234"}`:                           `{"value":"<redacted>"} [a token or a key]`,
		`{"pin":1,"value":"Bearer abc.def-1234"}`:                   `{"pin":"<redacted>","value":"<redacted>"} [pin a token or a key]`,
		`spinner opinion shipping {"pinned":1,"to":"k","tokens":0}`: `spinner opinion shipping {"pinned":1,"to":"k","tokens":<redacted>} [tokens]`,
	} {
		masked, names := traffic.Masked(text)
		if got := fmt.Sprint(masked, " ", names); got != want {
			t.Errorf("%s\nbecomes %s\nwant    %s", text, got, want)
		}
	}
	if got := traffic.Without("a known b other known", []string{"known", "other"}); got != "a <redacted> b <redacted> <redacted>" {
		t.Errorf("without what is known it is %q", got)
	}
	for value, want := range map[string][]string{
		"Basic 0123456789ab, k=0123456789abc":       {"0123456789ab", "0123456789abc"},
		"0123456789a":                               nil,
		strings.Repeat("n", 32) + "=0123456789abc":  {strings.Repeat("n", 32) + "=0123456789abc"},
		strings.Repeat("n", 31) + "=0123456789abc=": {"0123456789abc="},
	} {
		if got := traffic.Credentials(value); !slices.Equal(got, want) {
			t.Errorf("%s has %q, want %q", value, got, want)
		}
	}
}
