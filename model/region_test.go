package model_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"gatewright/model"
	"gatewright/model/edit"
)

func TestTheRegionOfAnEnvironmentIsCheckedWithItsPlace(t *testing.T) {
	t.Parallel()
	b := &model.Backend{Project: model.Project{Region: "/book/{isbn}"}}
	own, none := &model.Environment{Name: "dev", Region: "eu west/../1"}, &model.Environment{Name: "qa"}
	for _, c := range []struct {
		env  *model.Environment
		want string
	}{
		{own, "environment dev: \"eu west/../1\" is not a region; write a region such as eu-west-1"},
		{none, "project: /book/{isbn} is not a region; write a region such as eu-west-1"},
		{&model.Environment{Name: "prod", Region: "eu-west-1"}, ""},
	} {
		err := b.CheckRegionOf(c.env)
		if got := fmt.Sprint(err); err == nil && c.want != "" || err != nil && got != c.want {
			t.Errorf("%s: %v, want %q", c.env.Name, err, c.want)
		}
	}
}

func TestTheRegionsOfWhatExistsAreChecked(t *testing.T) {
	t.Parallel()
	const bad = "eu west/../1"
	for pointer, set := range map[string]func(b *model.Backend) error{
		"/cloud_region":     func(b *model.Backend) error { return edit.SetAuth(b, &model.Auth{Region: bad}) },
		"/user_pool_id":     func(b *model.Backend) error { return edit.SetAuth(b, &model.Auth{UserPoolID: bad + "_AbCdEfGhI"}) },
		"/identity_pool_id": func(b *model.Backend) error { return edit.SetAuth(b, &model.Auth{IdentityPoolID: "/book/{isbn}:1-2"}) },
		"/cloud_region ":    func(b *model.Backend) error { return edit.SetData(b, &model.Data{Region: bad}) },
		"/cloud_region  ":   func(b *model.Backend) error { return edit.SetStorage(b, &model.Storage{Region: bad}) },
	} {
		var p *model.Problem
		if err := set(new(model.Backend)); !errors.As(err, &p) || p.Pointer != strings.TrimSpace(pointer) {
			t.Errorf("%s: %v", pointer, err)
		}
	}
	if err := edit.SetAuth(new(model.Backend), &model.Auth{Region: "eu-west-1", UserPoolID: "eu-west-1_AbCdEfGhI"}); err != nil {
		t.Error(err)
	}
}

func TestRegionsHaveTheFormOfTheCloud(t *testing.T) {
	t.Parallel()
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
