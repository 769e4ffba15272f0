package npm_test

import "testing"

func TestPackagesNameTheRepositoryThatIsKnown(t *testing.T) {
	t.Parallel()
	r := release(t)
	for _, repository := range []string{"", "https://github.com/example/gatewright"} {
		r.Repository = repository
		_, packed := write(t, r)
		for name, p := range packed {
			got, is := manifest(t, unpack(t, p))["repository"].(map[string]any)
			if is != (repository != "") || is && got["url"] != "git+"+repository+".git" {
				t.Errorf("%s: the repository is %v", name, got)
			}
		}
	}
}
