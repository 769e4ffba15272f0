package flow_test

import (
	"slices"
	"strings"
	"testing"

	"gatewright/flow"
	"gatewright/model"
	"gatewright/project/amplify"
)

func TestANewAPIHasTheBinaryMediaTypesOfItsAnswer(t *testing.T) {
	t.Parallel()
	f := flow.New(&model.Backend{}, flow.Task{}, "shop")
	f.Restore(flow.Sample())
	answer(t, f, "api.binaryMediaTypes=image/png,  */* ,")
	next, err := f.Backend()
	must(t, err)
	if got := next.API("bookshop").BinaryMediaTypes; !slices.Equal(got, []string{"image/png", "*/*"}) {
		t.Errorf("the types are %q", got)
	}
	at := find(t, f, "api")
	if got := f.Summary(at); got != "bookshop, bytes of image/png, */*" {
		t.Errorf("the summary is %q", got)
	}
	commands := strings.Join(f.Commands(), "\n")
	if strings.Count(commands, "--binary-media-types 'image/png,*/*'") != 1 || !strings.Contains(commands, "add api bookshop --path /books ") {
		t.Errorf("the commands are\n%s", commands)
	}
	answer(t, f, "api.binaryMediaTypes=image")
	if err := f.Check(at); err == nil || !strings.Contains(err.Error(), "the binary media type image is not a media type") {
		t.Errorf("a bad type: %v", err)
	}
}

func TestBinaryMediaTypesAreNotAskedForInAProjectOfTheAmplifyCLI(t *testing.T) {
	t.Parallel()
	b := shop(t)
	b.Layout = amplify.Layout
	f := flow.New(b, flow.Task{}, "")
	if _, asked := f.Ask(find(t, f, "api")).Field("binaryMediaTypes"); asked {
		t.Error("they are asked for")
	}
}
