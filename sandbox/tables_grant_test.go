package sandbox

import (
	"strings"
	"testing"
)

func TestAccessKeysTellFunctionsApart(t *testing.T) {
	t.Parallel()
	keys := map[string]bool{}
	for _, of := range [][2]string{{"dev", "items"}, {"devi", "tems"}, {"items", "dev"}, {"dev", "item"}} {
		key := AccessKey(of[0], of[1])
		if len(key) != 20 || !strings.HasPrefix(key, "ASIA") || keys[key] || key != AccessKey(of[0], of[1]) {
			t.Errorf("the access key of %q is %s", of, key)
		}
		keys[key] = true
	}
}
