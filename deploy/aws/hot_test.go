package aws_test

import (
	"encoding/base64"
	"encoding/hex"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"gatewright/deploy/aws"
	"gatewright/deploy/awstest"
	"gatewright/deploy/deploytest"
	"gatewright/model"
	"gatewright/model/edit"
	"gatewright/project"
)

// lambda keeps the code of deployed functions, as Lambda tells it.
type lambda struct {
	code map[string]string
	// conflicts is how many updates are refused because another goes on, slow how many
	// questions an update is still going on for, fails why updates fail.
	conflicts, slow int
	fails           string
}

// serve answers the calls for the code of functions.
func (l *lambda) serve(r awstest.Request) (any, error) {
	name, what, _ := strings.Cut(strings.TrimPrefix(r.Path, "/2015-03-31/functions/"), "/")
	if what == "code" {
		if l.conflicts > 0 {
			l.conflicts--
			return nil, &awstest.Refusal{Code: "ResourceConflictException", Message: "The operation cannot be performed at this time. An update is in progress for resource: " + name}
		}
		var in struct{ S3Bucket, S3Key string }
		if err := r.Read(&in); err != nil {
			return nil, err
		}
		if in.S3Bucket != awsBucket {
			return nil, errors.New("another bucket: " + in.S3Bucket)
		}
		l.code[name] = hashOfKey(in.S3Key)
	}
	if l.code[name] == "" {
		return nil, awstest.ErrUnserved
	}
	status := "Successful"
	switch {
	case l.slow > 0 && what == "configuration":
		l.slow--
		status = "InProgress"
	case l.fails != "":
		status = "Failed"
	}
	return map[string]string{"CodeSha256": l.code[name], "State": "Active", "LastUpdateStatus": status, "LastUpdateStatusReason": l.fails}, nil
}

// hashOfKey is the hash in the key of an archive, as Lambda writes it.
func hashOfKey(key string) string {
	sum, err := hex.DecodeString(strings.TrimSuffix(strings.TrimPrefix(key, "functions/"), ".zip"))
	if err != nil || len(sum) != 32 {
		return "no hash"
	}
	return base64.StdEncoding.EncodeToString(sum)
}

// hotRoom is a pushed environment whose functions have the code of their stack.
func hotRoom(t *testing.T) (*cloudRoom, *lambda) {
	t.Helper()
	r := roomInCloud(t, cloudShop(t), archives(t), awstest.Options{})
	l := &lambda{code: make(map[string]string)}
	r.fake.Serve("lambda", l.serve)
	deploytest.Must(t, r.push(pushOptions{}).err)
	l.code["items-dev"] = r.codeOfStack()
	return r, l
}

// codeOfStack is the hash of the archive that the stack names for the function items.
func (r *cloudRoom) codeOfStack() string {
	r.t.Helper()
	p := r.open()
	found, err := r.aws.Templates(r.t.Context(), p, p.Backend.Environment("dev"), r.stackName("dev"))
	deploytest.Must(r.t, err)
	for _, m := range found.Root.Root.Get("Resources").Members {
		if m.Value.Get("Type").Text == "AWS::Lambda::Function" {
			return hashOfKey(m.Value.Get("Properties", "Code", "S3Key").Text)
		}
	}
	r.t.Fatal("the stack has no function")
	return ""
}

// hot prepares a hot push and carries it out.
func (r *cloudRoom) hot() (*aws.HotPush, error) {
	r.t.Helper()
	hot, err := r.aws.PrepareHot(r.t.Context(), deploytest.Target(r.open(), "dev"), nil)
	if err != nil {
		return nil, err
	}
	return hot, hot.Apply(r.t.Context(), nil)
}

const (
	firstCode  = "exports.handler = async () => ({ statusCode: 200 });\n"
	secondCode = "exports.handler = async () => ({ statusCode: 201 });\n"
)

func TestAHotPushChangesTheCodeOfFunctionsAlone(t *testing.T) {
	t.Parallel()
	r, l := hotRoom(t)
	updates := r.fake.Count("CreateChangeSet")
	hot, err := r.hot()
	deploytest.Must(t, err)
	if len(hot.Functions) != 0 || !slices.Equal(hot.Same, []string{"items"}) || r.fake.Count("PUT /2015-03-31/functions/items-dev/code") != 0 {
		t.Fatalf("without another source it has %+v", hot)
	}
	r.source(secondCode)
	l.conflicts, l.slow = 2, 2
	hot, err = r.hot()
	deploytest.Must(t, err)
	if len(hot.Functions) != 1 || hot.Functions[0].Name != "items" || hot.Functions[0].Deployed != "items-dev" || len(hot.Waiting) != 0 {
		t.Errorf("it changes %+v", hot)
	}
	if l.code["items-dev"] == r.codeOfStack() {
		t.Error("the function has the code of the stack")
	}
	if n := r.fake.Count("CreateChangeSet"); n != updates {
		t.Error("the stack was updated")
	}
	// The same again has nothing to do.
	if hot, err = r.hot(); err != nil || len(hot.Functions) != 0 {
		t.Errorf("again: %+v, %v", hot, err)
	}
	// The push brings the stack in line, and leaves nothing behind.
	o := r.push(pushOptions{})
	deploytest.Must(t, o.err)
	if !o.prepared.Changed() || l.code["items-dev"] != r.codeOfStack() {
		t.Error("after the push, stack and function have other code")
	}
	if o = r.push(pushOptions{}); o.err != nil || o.prepared.Changed() {
		t.Errorf("the push after it: %v, changed %v", o.err, o.prepared.Changed())
	}
}

func TestAPushTakesBackTheCodeOfAHotPushWhoseSourceIsGone(t *testing.T) {
	t.Parallel()
	for name, hot := range map[string]func(*cloudRoom) error{
		"ended":       func(r *cloudRoom) error { _, err := r.hot(); return err },
		"interrupted": hotCut,
	} {
		t.Run(name, func(t *testing.T) {
			r := roomInCloud(t, cloudShop(t), archives(t), awstest.Options{})
			l := &lambda{code: make(map[string]string)}
			r.fake.Serve("lambda", l.serve)
			r.source(firstCode)
			deploytest.Must(t, r.push(pushOptions{}).err)
			l.code["items-dev"] = r.codeOfStack()
			r.source(secondCode)
			deploytest.Must(t, hot(r))
			if l.code["items-dev"] == r.codeOfStack() {
				t.Fatal("the hot push changed nothing")
			}
			r.source(firstCode)
			o := r.push(pushOptions{})
			deploytest.Must(t, o.err)
			if len(o.prepared.Changes) != 1 || o.prepared.Changes[0].Name != "the code of function items, which a hot push changed" || o.prepared.Updates != 0 {
				t.Errorf("it shows %+v in %d updates", o.prepared.Changes, o.prepared.Updates)
			}
			if l.code["items-dev"] != r.codeOfStack() {
				t.Error("the code of the hot push is still there")
			}
			if o = r.push(pushOptions{}); o.err != nil || o.prepared.Changed() {
				t.Errorf("the push after it: %v, changed %v", o.err, o.prepared.Changed())
			}
		})
	}
}

// hotCut makes a hot push whose connection ends after the code has changed, before anybody
// hears of it.
func hotCut(r *cloudRoom) error {
	r.fake.Speed(3)
	p := r.open()
	hot, err := r.aws.PrepareHot(r.t.Context(), deploytest.Target(p, "dev"), nil)
	if err != nil {
		return err
	}
	before := len(r.fake.Calls())
	// The upload asks for the bucket, its versioning and the archive, sends it, and leaves the
	// mark; then comes the code.
	const calls = 6
	r.fake.CutAt(before+calls, awstest.AfterHandling)
	r.fake.CutFrom(before + calls + 1)
	if err := hot.Apply(r.t.Context(), nil); err == nil {
		return errors.New("it is not interrupted")
	}
	r.fake.CutFrom(0)
	if action := r.fake.Calls()[before+calls-1].Action; action != "PUT /2015-03-31/functions/items-dev/code" {
		return errors.New("the call that was cut is " + action)
	}
	return nil
}

func TestAHotPushLeavesWhatTakesAPush(t *testing.T) {
	t.Parallel()
	r, l := hotRoom(t)
	before := l.code["items-dev"]
	r.edit(func(b *model.Backend) error { return edit.AddPath(b, "shop", deploytest.Open("/more", "items")) })
	r.source(secondCode)
	hot, err := r.hot()
	deploytest.Must(t, err)
	if len(hot.Functions) != 1 || len(hot.Waiting) != 1 || !strings.HasPrefix(hot.Waiting[0], "API shop changes (") {
		t.Errorf("beside a new path: %+v", hot)
	}
	// A function that runs in another way keeps its code.
	l.code["items-dev"] = before
	r.edit(func(b *model.Backend) error {
		f := *b.Function("items")
		f.Handler = "other.handler"
		return edit.UpdateFunction(b, &f)
	})
	hot, err = r.hot()
	deploytest.Must(t, err)
	if len(hot.Functions) != 0 || !strings.Contains(strings.Join(hot.Waiting, "\n"), "function items has other settings than the deployed one") || l.code["items-dev"] != before {
		t.Errorf("with another handler: %+v", hot)
	}
}

func TestAHotPushIsRefusedBeforeAnythingChanges(t *testing.T) {
	t.Parallel()
	r, l := hotRoom(t)
	r.source(secondCode)
	r.guard(true)
	if _, err := r.hot(); !errors.Is(err, aws.ErrGuarded) {
		t.Errorf("guarded: %v", err)
	}
	r.guard(false)
	l.fails = "InvalidZipFile"
	if _, err := r.hot(); err == nil || !strings.Contains(err.Error(), "InvalidZipFile") {
		t.Errorf("Lambda fails: %v", err)
	}
	r.fake.Busy(r.stackName("dev"), "somebody", time.Now())
	calls := r.fake.Count("PUT /2015-03-31/functions/items-dev/code")
	if _, err := r.hot(); !errors.Is(err, aws.ErrStackBusy) {
		t.Errorf("during a push: %v", err)
	}
	if r.fake.Count("PUT /2015-03-31/functions/items-dev/code") != calls {
		t.Error("the code was changed during a push")
	}
	other := roomInCloud(t, cloudShop(t), archives(t), awstest.Options{})
	if _, err := other.hot(); !errors.Is(err, project.ErrNeverDeployed) {
		t.Errorf("never pushed: %v", err)
	}
}

func TestAHotPushTellsThatALayerWaitsForAPush(t *testing.T) {
	t.Parallel()
	b := cloudShop(t)
	f := *b.Function("items")
	f.Layers = []string{"layers/shared"}
	deploytest.Must(t, edit.UpdateFunction(b, &f))
	r := roomInCloud(t, b, archives(t), awstest.Options{})
	layer := func(text string) {
		t.Helper()
		file := filepath.Join(r.dir, "layers/shared/nodejs/node_modules/shared/index.js")
		deploytest.Must(t, os.MkdirAll(filepath.Dir(file), 0o755))
		deploytest.Must(t, os.WriteFile(file, []byte(text), 0o644))
	}
	layer("exports.price = 1;\n")
	l := &lambda{code: make(map[string]string)}
	r.fake.Serve("lambda", l.serve)
	deploytest.Must(t, r.push(pushOptions{}).err)
	l.code["items-dev"] = r.codeOfStack()
	hot, err := r.hot()
	deploytest.Must(t, err)
	if len(hot.Functions)+len(hot.Waiting) != 0 || !slices.Equal(hot.Same, []string{"items"}) {
		t.Errorf("with the layer as it was pushed: %+v", hot)
	}
	layer("exports.price = 2;\n")
	r.source(secondCode)
	hot, err = r.hot()
	deploytest.Must(t, err)
	if len(hot.Functions) != 1 || !slices.Equal(hot.Waiting, []string{"layer layers/shared changes"}) {
		t.Errorf("with another layer: %+v", hot)
	}
	deploytest.Must(t, r.push(pushOptions{}).err)
	if hot, err = r.hot(); err != nil || len(hot.Waiting) != 0 {
		t.Errorf("after the push: %+v, %v", hot, err)
	}
}

// hotMarks are the files in the bucket about hot pushes.
func (r *cloudRoom) hotMarks() (keys []string) {
	for key := range r.fake.Objects(awsBucket) {
		if strings.HasPrefix(key, "hot/") {
			keys = append(keys, key)
		}
	}
	return keys
}

func TestWhatHotPushesLeftGoesWithTheEnvironment(t *testing.T) {
	t.Parallel()
	for name, fails := range map[string]int{"it is removed": 0, "it cannot be removed before the next first push": 1} {
		t.Run(name, func(t *testing.T) {
			r, l := hotRoom(t)
			r.source(secondCode)
			_, err := r.hot()
			deploytest.Must(t, err)
			if marks := r.hotMarks(); len(marks) != 1 {
				t.Fatalf("the hot push left %q", marks)
			}
			p := r.open()
			removal, err := r.aws.PrepareRemoval(t.Context(), p, p.Backend.Environment("dev"))
			deploytest.Must(t, err)
			r.fake.Fail("ListObjectsV2", "AccessDenied", "not you", fails)
			_, err = removal.Apply(t.Context(), nil)
			deploytest.Must(t, err)
			if marks := r.hotMarks(); len(marks) != fails {
				t.Errorf("after the removal there are %q", marks)
			}
			deploytest.Must(t, p.Undeploy("dev"))
			delete(l.code, "items-dev")
			if fails > 0 {
				deploytest.Must(t, r.push(pushOptions{adopt: true}).err)
			}
			if marks := r.hotMarks(); len(marks) != 0 {
				t.Errorf("after the next first push there are %q", marks)
			}
		})
	}
}

func TestAProjectWithoutAnApplicationIsNotAskedOf(t *testing.T) {
	t.Parallel()
	b := cloudShop(t)
	b.Project.ApplicationID = ""
	r := roomInCloud(t, b, archives(t), awstest.Options{})
	if _, err := r.hot(); err == nil || !strings.Contains(err.Error(), "has no application id") {
		t.Errorf("a hot push: %v", err)
	}
	if n := len(r.fake.Calls()); n != 0 {
		t.Errorf("%d calls are made", n)
	}
}
