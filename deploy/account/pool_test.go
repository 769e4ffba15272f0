package account_test

import "testing"

func TestAPoolIsAskedInItsOwnRegion(t *testing.T) {
	t.Parallel()
	_, a := openFake(t)
	for id, want := range map[string]string{
		"eu-west-1_Abc123XYZ":                            "eu-west-1",
		"us-east-1:11111111-2222-3333-4444-555555555555": "us-east-1",
		"eu-central-1_Abc123XYZ":                         "eu-central-1",
		"../x_1":                                         "eu-central-1",
		"":                                               "eu-central-1",
	} {
		if got := a.OfPool(id).Region; got != want {
			t.Errorf("%q is asked in %s, want %s", id, got, want)
		}
	}
}
