package npm_test

import "testing"

func TestPackagesNameTheRepositoryThatIsKnown(t *testing.T) {
	t.Parallel()
	r, programs := release()
	for _, repository := range []string{"", "https://github.com/example/gatewright"} {
		r.Repository = repository
		for name, p := range written(t, r, programs) {
			got, is := manifest(t, unpack(t, p))["repository"].(map[string]any)
			if is != (repository != "") || is && got["url"] != "git+"+repository+".git" {
				t.Errorf("%s: the repository is %v", name, got)
			}
		}
	}
}
