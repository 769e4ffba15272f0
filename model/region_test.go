package model_test

import (
	"strings"
	"testing"

	"gatewright/model"
)

func TestRegionsHaveTheFormOfTheCloud(t *testing.T) {
	for _, region := range append([]string{"us-iso-east-1", "us-isob-east-1", "eu-isoe-west-1", "eusc-de-east-1"}, model.Regions...) {
		if err := model.CheckRegion(region); err != nil {
			t.Errorf("%s is refused: %v", region, err)
		}
	}
	for wrong, fix := range map[string]string{
		"eu west/../1": "such as eu-west-1", "/book/{isbn}": "such as eu-west-1", "eu-west1": "did you mean eu-west-1?",
		"EU-WEST-1": "did you mean eu-west-1?", "us_east_1": "did you mean us-east-1?", "eu-west-1 ": "did you mean eu-west-1?", "": "such as",
	} {
		if err := model.CheckRegion(wrong); err == nil || !strings.Contains(err.Error(), fix) {
			t.Errorf("%q gives %v, want %q", wrong, err, fix)
		}
	}
}
