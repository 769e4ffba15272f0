package model_test

import (
	"slices"
	"testing"

	"gatewright/model"
	"gatewright/model/access"
	"gatewright/model/accesstest"
	"gatewright/model/check"
	"gatewright/model/edit"
	"gatewright/model/modeltest"
)

func TestBinaryMediaTypesAreChecked(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"image/png": "", "image/*": "", "*/*": "", "application/vnd.api+json": "", "application/x-7z-compressed": "", "Image/PNG": "", "x/x-a!#$&^_": "",
		"image":            "API shop: the binary media type image is not a media type; use one such as image/png, image/* or */*",
		"":                 `API shop: the binary media type "" is not a media type; use one such as image/png, image/* or */*`,
		"*":                "API shop: the binary media type * is not a media type; use one such as image/png, image/* or */*",
		"image/":           "API shop: the binary media type image/ is not a media type; use one such as image/png, image/* or */*",
		"image/png/x":      "API shop: the binary media type image/png/x is not a media type; use one such as image/png, image/* or */*",
		"image/p*":         "API shop: the binary media type image/p* is not a media type; use one such as image/png, image/* or */*",
		"image/ png":       `API shop: the binary media type "image/ png" is not a media type; use one such as image/png, image/* or */*`,
		"image/png,a/b":    `API shop: the binary media type "image/png,a/b" is not a media type; use one such as image/png, image/* or */*`,
		"a/b\x1b[31m":      `API shop: the binary media type "a/b\x1b[31m" is not a media type; use one such as image/png, image/* or */*`,
		"image~1png":       "API shop: the binary media type image~1png has a slash escaped as in templates; write image/png",
		"text/plain; q=1":  `API shop: the binary media type "text/plain; q=1" has parameters, which do not count; write text/plain`,
		"*/test":           "API shop: the binary media type */test matches nothing: API Gateway accepts a wildcard after the slash only, or in both parts; name the types, or use */*",
		"application/json": "",
	} {
		b := modeltest.Backend(t, nil, accesstest.Open("/a", "f"))
		b.APIs = []*access.API{{Label: "shop", BinaryMediaTypes: []string{text}, Paths: b.APIs[0].Paths}}
		got := ""
		for _, p := range check.Backend(b) {
			if p.Pointer == "/binaryMediaTypes/0" {
				got += p.Error()
			}
		}
		if got != want {
			t.Errorf("%q:\n got %s\nwant %s", text, got, want)
		}
	}
}

func TestABinaryMediaTypeIsListedOnce(t *testing.T) {
	t.Parallel()
	b := modeltest.Backend(t, nil, accesstest.Open("/a", "f"))
	modeltest.Refused(t, "a type twice", edit.SetBinaryMediaTypes(b, "shop", []string{"image/png", "application/pdf", "IMAGE/png"}),
		"API shop: the binary media type IMAGE/png is listed twice; remove one")
}

func TestBinaryMediaTypesAreSetAndRemoved(t *testing.T) {
	t.Parallel()
	b := modeltest.Backend(t, nil, accesstest.Open("/a", "f"))
	before := *b
	types := []string{"image/png", "*/test"}
	modeltest.Must(t, edit.SetBinaryMediaTypes(b, "shop", types))
	types[0] = "changed"
	if got := b.API("shop"); !slices.Equal(got.BinaryMediaTypes, []string{"image/png", "*/test"}) || len(got.Paths) != 1 || len(before.API("shop").BinaryMediaTypes) > 0 {
		t.Errorf("the types are %q, and were %q", got.BinaryMediaTypes, before.API("shop").BinaryMediaTypes)
	}
	set := b.API("shop")
	modeltest.Must(t, edit.SetBinaryMediaTypes(b, "shop", []string{"image/png", "*/test"}))
	if b.API("shop") != set {
		t.Error("the same types are a change")
	}
	modeltest.Refused(t, "an API that is not there", edit.SetBinaryMediaTypes(b, "shp", nil), "API shp: not found; did you mean shop?")
	modeltest.Refused(t, "a bad type", edit.SetBinaryMediaTypes(b, "shop", []string{"png"}), "API shop: the binary media type png is not a media type; use one such as image/png, image/* or */*")
	modeltest.Must(t, edit.SetBinaryMediaTypes(b, "shop", nil))
	if got := b.API("shop").BinaryMediaTypes; len(got) > 0 {
		t.Errorf("the types are %q", got)
	}
}

func TestOtherEditsKeepBinaryMediaTypes(t *testing.T) {
	t.Parallel()
	b := modeltest.Backend(t, []string{"Admins"}, accesstest.Open("/a", "f"), accesstest.Restricted("/b", "f", accesstest.ToGroup("Admins", access.Read)))
	modeltest.Must(t, edit.SetBinaryMediaTypes(b, "shop", []string{"image/png"}))
	modeltest.Must(t, edit.AddPath(b, "shop", accesstest.Open("/c", "f")))
	modeltest.Must(t, edit.UpdatePath(b, "shop", "/c", accesstest.Open("/d", "f")))
	modeltest.Must(t, edit.RemovePath(b, "shop", "/d"))
	modeltest.Must(t, edit.Rename(b, model.Ref{Kind: model.KindGroup, Name: "Admins"}, "Owners"))
	modeltest.Must(t, edit.Rename(b, model.Ref{Kind: model.KindAPI, Name: "shop"}, "store"))
	if got := b.API("store").BinaryMediaTypes; !slices.Equal(got, []string{"image/png"}) {
		t.Errorf("the types are %q", got)
	}
}

func TestAnUpdatedAPIHasExactlyTheBinaryMediaTypesGiven(t *testing.T) {
	t.Parallel()
	b := modeltest.Backend(t, nil, accesstest.Open("/a", "f"))
	given := func(types ...string) *access.API {
		return &access.API{Label: "shop", BinaryMediaTypes: types, Paths: []*access.Path{accesstest.Open("/a", "f")}}
	}
	path := b.API("shop").Paths[0]
	for _, types := range [][]string{{"image/png", "image/gif"}, {"image/gif"}, nil} {
		modeltest.Must(t, edit.UpdateAPI(b, given(types...)))
		if got := b.API("shop"); !slices.Equal(got.BinaryMediaTypes, types) || got.Paths[0] != path {
			t.Errorf("the types are %q, not %q", got.BinaryMediaTypes, types)
		}
	}
	modeltest.Must(t, edit.UpdateAPI(b, given("image/png", "image/gif")))
	have := b.API("shop")
	modeltest.Must(t, edit.UpdateAPI(b, given("image/gif", "image/png")))
	if b.API("shop") != have {
		t.Error("another order is a difference")
	}
	modeltest.Refused(t, "a bad type", edit.UpdateAPI(b, given("png")), "API shop: the binary media type png is not a media type; use one such as image/png, image/* or */*")
}
