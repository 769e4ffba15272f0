package assets_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/aws/retry"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/s3"

	"gatewright/deploy/account"
	"gatewright/deploy/assets"
	"gatewright/deploy/awstest"
	"gatewright/deploy/deploytest"
)

// otherAccount is not the one that a bucket is for.
const otherAccount = "210987654321"

// accountID is the account that owns the buckets.
const accountID = "123456789012"

// owned is a client that checks that calls name the account that must own the bucket.
type owned struct{ t *testing.T }

func (o owned) Do(r *http.Request) (*http.Response, error) {
	// What makes a bucket cannot name its owner.
	creates := r.Method == http.MethodPut && strings.Count(strings.Trim(r.URL.Path, "/"), "/") == 0 && len(r.URL.RawQuery) == 0
	if r.Header.Get("X-Amz-Expected-Bucket-Owner") != accountID && !creates {
		o.t.Errorf("%s %s names no owner", r.Method, r.URL)
	}
	return account.HTTPClient(http.DefaultClient).Do(r)
}

func bucketIn(t *testing.T, fake *awstest.Server, region string) *assets.Bucket {
	config := aws.Config{
		Region: region, Credentials: credentials.NewStaticCredentialsProvider(accountID, awstest.SecretKey, ""), BaseEndpoint: aws.String(fake.URL), HTTPClient: owned{t},
		Retryer: func() aws.Retryer {
			return retry.NewStandard(func(o *retry.StandardOptions) {
				o.Backoff = retry.BackoffDelayerFunc(func(int, error) (time.Duration, error) { return 0, nil })
			})
		},
	}
	return &assets.Bucket{Client: s3.NewFromConfig(config, func(o *s3.Options) { o.UsePathStyle = true }), Account: accountID, Region: region, Partition: "aws"}
}

// mustBePrivate checks that a bucket has all its settings.
func mustBePrivate(t *testing.T, fake *awstest.Server, name string) {
	t.Helper()
	const policy = `{"Statement":[{"Action":"s3:*","Condition":{"Bool":{"aws:SecureTransport":"false"}},"Effect":"Deny","Principal":"*",` +
		`"Resource":["arn:aws:s3:::NAME","arn:aws:s3:::NAME/*"],"Sid":"EncryptedConnectionsOnly"}],"Version":"2012-10-17"}`
	for setting, all := range map[string][]string{
		"publicAccessBlock": {
			"<BlockPublicAcls>true</BlockPublicAcls>", "<IgnorePublicAcls>true</IgnorePublicAcls>", "<BlockPublicPolicy>true</BlockPublicPolicy>",
			"<RestrictPublicBuckets>true</RestrictPublicBuckets>",
		},
		"encryption": {"<SSEAlgorithm>AES256</SSEAlgorithm>"}, "policy": {strings.ReplaceAll(policy, "NAME", name)}, "versioning": {"<Status>Enabled</Status>"},
	} {
		for _, want := range all {
			if got := string(fake.BucketSetting(name, setting)); !strings.Contains(got, want) {
				t.Errorf("the setting %s is %q, want %s", setting, got, want)
			}
		}
	}
}

// TestABucketIsWholeAfterAnyInterruption cuts a first Ensure at each call, before and after its
// effect, and for good: the next one makes what is missing.
func TestABucketIsWholeAfterAnyInterruption(t *testing.T) {
	t.Parallel()
	for _, region := range []string{"us-east-1", "eu-central-1"} {
		for n := 1; ; n++ {
			fake := awstest.New(t, awstest.Options{Region: region})
			b := bucketIn(t, fake, region)
			fake.CutFrom(n)
			made, err := b.Ensure(t.Context())
			if err == nil {
				if !made || n < 6 {
					t.Errorf("after %d calls it is whole, made is %t", n-1, made)
				}
				mustBePrivate(t, fake, b.Name())
				if made, err := b.Ensure(t.Context()); made || err == nil {
					t.Errorf("without a network: made is %t, %v", made, err)
				}
				break
			}
			fake.CutFrom(0)
			_, err = b.Ensure(t.Context())
			deploytest.Must(t, err)
			mustBePrivate(t, fake, b.Name())
			calls := len(fake.Calls())
			if made, err := b.Ensure(t.Context()); made || err != nil || len(fake.Calls()) != calls+2 {
				t.Errorf("a bucket that is whole: made is %t, %v, with %d calls", made, err, len(fake.Calls())-calls)
			}
		}
		for n := 1; n <= 6; n++ {
			fake := awstest.New(t, awstest.Options{Region: region})
			b := bucketIn(t, fake, region)
			fake.CutAt(n, awstest.AfterHandling)
			_, err := b.Ensure(t.Context())
			deploytest.Must(t, err)
			mustBePrivate(t, fake, b.Name())
		}
	}
}

func TestABucketOfAnotherAccountIsNotUsed(t *testing.T) {
	t.Parallel()
	fake := awstest.New(t, awstest.Options{})
	b := bucketIn(t, fake, "eu-central-1")
	fake.AddBucket(b.Name(), otherAccount, "eu-central-1")
	if there, err := b.Exists(t.Context()); there || !errors.Is(err, assets.ErrForeign) {
		t.Errorf("it is there: %t, %v", there, err)
	}
	if made, err := b.Ensure(t.Context()); made || !errors.Is(err, assets.ErrForeign) || strings.Contains(err.Error(), "\n") {
		t.Errorf("made is %t, %v", made, err)
	}
	if _, err := b.Upload(t.Context(), []assets.Asset{assets.NewAsset("a", []byte("secret"))}, nil); err == nil {
		t.Error("it is uploaded into")
	}
	// It is made by somebody else after it was looked for.
	fake = awstest.New(t, awstest.Options{})
	b = bucketIn(t, fake, "eu-central-1")
	fake.KillAt(2, awstest.BeforeHandling, func() { fake.AddBucket(b.Name(), otherAccount, "eu-central-1") })
	if made, err := b.Ensure(t.Context()); made || !errors.Is(err, assets.ErrForeign) {
		t.Errorf("made meanwhile: %t, %v", made, err)
	}
	for _, c := range fake.Calls() {
		if strings.HasPrefix(c.Action, "Put") {
			t.Errorf("%s is called", c.Action)
		}
	}
	if there, err := bucketIn(t, awstest.New(t, awstest.Options{}), "eu-central-1").Exists(t.Context()); there || err != nil {
		t.Errorf("a bucket that is nowhere: %t, %v", there, err)
	}
}

// manyAssets makes assets of several sizes, some of which are files.
func manyAssets(t *testing.T, n int) (all []assets.Asset, total int64) {
	t.Helper()
	for i := range n {
		a := assets.NewAsset(fmt.Sprintf("functions/%d.zip", i), bytes.Repeat([]byte{byte(i)}, i*3000))
		if i%2 == 0 {
			a.File, a.Body = filepath.Join(t.TempDir(), "archive"), nil
			deploytest.Must(t, os.WriteFile(a.File, bytes.Repeat([]byte{byte(i)}, i*3000), 0o600))
		}
		all, total = append(all, a), total+a.Size
	}
	return all, total
}

func TestWhatIsMissingIsUploadedAndCountedOnce(t *testing.T) {
	t.Parallel()
	for name, trouble := range map[string]func(*awstest.Server){
		"no trouble": func(*awstest.Server) {},
		"throttled":  func(f *awstest.Server) { f.Throttle("PutObject", 2) },
		"cut off": func(f *awstest.Server) {
			// Fewer than the tries of a call, so that no upload can fail.
			for _, n := range []int{40, 45} {
				f.CutAt(len(f.Calls())+n, awstest.AfterHandling)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			fake := awstest.New(t, awstest.Options{})
			b := bucketIn(t, fake, "eu-central-1")
			_, err := b.Ensure(t.Context())
			deploytest.Must(t, err)
			all, total := manyAssets(t, 30)
			_, err = b.Upload(t.Context(), all[:10], nil)
			deploytest.Must(t, err)
			for _, a := range all[:10] {
				total -= a.Size
			}
			puts := fake.Count("PutObject")
			trouble(fake)
			var (
				mu   sync.Mutex
				last assets.Progress
			)
			done, err := b.Upload(t.Context(), all, func(p assets.Progress) {
				if !mu.TryLock() {
					t.Error("two at once tell")
					return
				}
				defer mu.Unlock()
				if p.Done < last.Done || p.Done > p.Total || p.Uploaded < last.Uploaded {
					t.Errorf("after %+v comes %+v", last, p)
				}
				last = p
			})
			deploytest.Must(t, err)
			if want := (assets.Progress{Done: total, Total: total, Uploaded: 20, Kept: 10}); done != want || last != want {
				t.Errorf("done are %+v, told was %+v, want %+v", done, last, want)
			}
			if n := fake.Count("PutObject") - puts; name == "no trouble" && n != 20 {
				t.Errorf("%d uploads", n)
			}
			for _, a := range all {
				out, err := b.Client.GetObject(t.Context(), &s3.GetObjectInput{Bucket: aws.String(b.Name()), Key: &a.Key, ExpectedBucketOwner: aws.String(accountID)})
				if err != nil || aws.ToInt64(out.ContentLength) != a.Size {
					t.Errorf("%s: %v", a.Key, err)
				}
			}
		})
	}
}

func TestAnUploadThatFailsOrIsCancelledSaysSo(t *testing.T) {
	t.Parallel()
	fake := awstest.New(t, awstest.Options{})
	b := bucketIn(t, fake, "eu-central-1")
	_, err := b.Ensure(t.Context())
	deploytest.Must(t, err)
	all, _ := manyAssets(t, 12)
	deploytest.Must(t, os.Remove(all[4].File))
	if _, err := b.Upload(t.Context(), all, nil); err == nil || !strings.Contains(err.Error(), all[4].Key) || !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a file that is gone: %v", err)
	}
	fake.Fail("PutObject", "AccessDenied", "not you", 100)
	if done, err := b.Upload(t.Context(), []assets.Asset{assets.NewAsset("new", []byte("x"))}, nil); err == nil || done.Uploaded != 0 || done.Total != 1 {
		t.Errorf("a refusal: %v, %+v", err, done)
	}
	fake.Clear()
	ctx, cancel := context.WithCancel(t.Context())
	fresh := all[5:]
	for i := range fresh {
		fresh[i].Key = "other/" + fresh[i].Key
	}
	_, err = b.Upload(ctx, fresh, func(assets.Progress) { cancel() })
	if !errors.Is(err, context.Canceled) {
		t.Errorf("after a cancellation: %v", err)
	}
	if _, err = b.Upload(t.Context(), fresh, nil); err != nil {
		t.Errorf("the next upload: %v", err)
	}
	// A body that is another one than its hash says is refused.
	wrong := assets.NewAsset("wrong", []byte("one"))
	wrong.Body = []byte("two")
	if _, err := b.Upload(t.Context(), []assets.Asset{wrong}, nil); err == nil {
		t.Error("a wrong body is uploaded")
	}
}

func TestTheAddressOfAnObjectDependsOnThePartition(t *testing.T) {
	t.Parallel()
	b := assets.Bucket{Account: accountID, Region: "cn-north-1", Partition: "aws-cn"}
	if got := b.URL("k.json"); got != "https://s3.cn-north-1.amazonaws.com.cn/gatewright-assets-123456789012-cn-north-1/k.json" {
		t.Errorf("it is %s", got)
	}
}
