package traffic_test

import (
	"testing"

	"gatewright/sandbox/traffic"
)

func TestTheQuickLookFindsEveryNameOfASecret(t *testing.T) {
	for _, name := range []string{"X-Amz-Security-Token", "token", "Authorization", "Cookie", "password", "apiKey", "x-api-key", "secret", "credential", "Set-Cookie", "accessKey"} {
		if traffic.IsSecret(name) && !traffic.MaybeSecret(name) {
			t.Errorf("%s is a secret, and the quick look does not see it", name)
		}
		if !traffic.IsSecret(name) {
			t.Errorf("%s is no secret", name)
		}
	}
}
