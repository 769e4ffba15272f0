package aws_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gatewright/deploy"
	"gatewright/deploy/aws"
	"gatewright/deploy/awstest"
	"gatewright/deploy/contract"
	"gatewright/deploy/deploytest"
	"gatewright/deploy/index"
	"gatewright/deploy/local"
	"gatewright/deploy/refuse"
	"gatewright/deploy/secretfile"
	"gatewright/model"
	"gatewright/model/edit"
	"gatewright/project/amplify"
)

// spoiled are ways to make a project that a push refuses, or that it does not, by what they are.
var spoiled = map[string]func(t *testing.T, dir string){
	"good":  func(*testing.T, string) {},
	"warns": func(t *testing.T, dir string) { write(t, dir, "backend/outputs/note.json", `{"custom": {"a": "b"}}`) },
	"a file that is not JSON": func(t *testing.T, dir string) {
		write(t, dir, "backend/function/items/function.json", `{`)
	},
	"a function that does not exist": func(t *testing.T, dir string) {
		replace(t, dir, "backend/api/shop/cli-inputs.json", `"lambdaFunction": "items"`, `"lambdaFunction": "itms"`)
	},
	"two errors": func(t *testing.T, dir string) {
		replace(t, dir, "backend/api/shop/cli-inputs.json", `"lambdaFunction": "items"`, `"lambdaFunction": "itms"`)
		replace(t, dir, "backend/function/items/function.json", `"version": 1`, `"version": 1, "colour": "red"`)
	},
	"no application id": func(t *testing.T, dir string) {
		replace(t, dir, "backend/project.json", `"applicationId": "app1"`, `"applicationId": ""`)
	},
	"no file in a function": func(t *testing.T, dir string) {
		src := filepath.Join(dir, "backend", "function", "items", "src")
		deploytest.Must(t, os.RemoveAll(src))
		deploytest.Must(t, os.MkdirAll(src, 0o755))
	},
	"no folder of a function": func(t *testing.T, dir string) {
		deploytest.Must(t, os.RemoveAll(filepath.Join(dir, "backend", "function", "items", "src")))
	},
	"a region that AWS does not have": func(t *testing.T, dir string) {
		replace(t, dir, "backend/project.json", `"region": "`+awsRegion+`"`, `"region": "eu-nowhere-9"`)
	},
	"a variable that AWS sets": func(t *testing.T, dir string) {
		replace(t, dir, "backend/function/items/function.json", `"version": 1`, `"version": 1, "environment": {"AWS_REGION": "x"}`)
	},
	"a secret without a value": func(t *testing.T, dir string) {
		replace(t, dir, "backend/function/items/function.json", `"version": 1`, `"version": 1, "secrets": ["PAYMENT_KEY"]`)
	},
	"a secret whose value CloudFormation would replace": func(t *testing.T, dir string) {
		replace(t, dir, "backend/function/items/function.json", `"version": 1`, `"version": 1, "secrets": ["PAYMENT_KEY"]`)
		write(t, dir, secretfile.Name("dev"), `{"PAYMENT_KEY": "{{resolve:secretsmanager:payment}}"}`)
	},
	"a secret with a value": func(t *testing.T, dir string) {
		replace(t, dir, "backend/function/items/function.json", `"version": 1`, `"version": 1, "secrets": ["PAYMENT_KEY"]`)
		write(t, dir, secretfile.Name("dev"), `{"PAYMENT_KEY": "x"}`)
	},
}

func write(t *testing.T, dir, name, text string) {
	t.Helper()
	file := filepath.Join(dir, filepath.FromSlash(name))
	deploytest.Must(t, os.MkdirAll(filepath.Dir(file), 0o700))
	deploytest.Must(t, os.WriteFile(file, []byte(text), 0o600))
}

func replace(t *testing.T, dir, name, old, with string) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
	deploytest.Must(t, err)
	if !strings.Contains(string(data), old) {
		t.Fatalf("%s has no %s:\n%s", name, old, data)
	}
	write(t, dir, name, strings.Replace(string(data), old, with, 1))
}

// sayTheSame holds what is said before a push against what the push says.
func sayTheSame(t *testing.T, said *refuse.Refusal, push error) {
	t.Helper()
	switch {
	case said == nil && push != nil:
		t.Errorf("nothing is said, and the push ends with: %v", push)
	case said != nil && push == nil:
		t.Errorf("%v is said, and the push is not refused", said)
	case said != nil && known(said.Error()) != known(push.Error()):
		t.Errorf("what is said is\n%v\nand the push says\n%v", said, push)
	}
	for _, reason := range reasonsOf(said) {
		if strings.Contains(reason.Error(), "\n") || !strings.Contains(reason.Error(), "; ") {
			t.Errorf("a reason is not one line that ends with what to do: %q", reason)
		}
	}
}

// known is a text without the new id that it proposes.
func known(text string) string {
	before, _, _ := strings.Cut(text, "--app-id ")
	return before
}

func reasonsOf(r *refuse.Refusal) []error {
	if r == nil {
		return nil
	}
	return r.Reasons
}

func TestWhatRefusesAPushToThisMachineIsSaidBefore(t *testing.T) {
	t.Parallel()
	refused := 0
	for name, spoil := range spoiled {
		t.Run(name, func(t *testing.T) {
			b := cloudShop(t)
			deploytest.Must(t, edit.UpdateEnvironment(b, &model.Environment{Name: "dev", Provider: model.Local}))
			dir := t.TempDir()
			deploytest.Made(t, dir, b)
			spoil(t, dir)
			p := deploytest.Opened(t, dir)
			target := contract.Target{Project: p, Environment: p.Backend.Environment("dev"), Now: time.Now()}
			said := deploy.WouldRefuse(target, nil)
			_, preview := local.Preview(target, nil)
			sayTheSame(t, said, preview)
			_, push := local.Provider{Index: index.Open(t.TempDir())}.Push(t.Context(), target, nil)
			sayTheSame(t, said, push)
			if said != nil {
				refused++
			}
		})
	}
	if refused < 4 {
		t.Errorf("only %d pushes were refused", refused)
	}
}

func TestWhatRefusesAPushToAWSIsSaidBefore(t *testing.T) {
	t.Parallel()
	refused := 0
	for name, spoil := range spoiled {
		t.Run(name, func(t *testing.T) {
			r := roomInCloud(t, cloudShop(t), t.TempDir(), awstest.Options{})
			spoil(t, r.dir)
			p := r.open()
			said := deploy.WouldRefuse(contract.Target{Project: p, Environment: p.Backend.Environment("dev"), Now: time.Now()}, nil)
			sayTheSame(t, said, r.push(pushOptions{}).err)
			if said != nil {
				refused++
			}
		})
	}
	if refused < 8 {
		t.Errorf("only %d pushes were refused", refused)
	}
}

func TestASecretThatIsDeployedNeedsNoValue(t *testing.T) {
	t.Parallel()
	r := roomInCloud(t, cloudShop(t), t.TempDir(), awstest.Options{})
	spoiled["a secret with a value"](t, r.dir)
	deploytest.Must(t, r.push(pushOptions{}).err)
	deploytest.Must(t, os.Remove(filepath.Join(r.dir, filepath.FromSlash(secretfile.Name("dev")))))
	p := r.open()
	target := contract.Target{Project: p, Environment: p.Backend.Environment("dev"), Now: time.Now()}
	if said := deploy.WouldRefuse(target, p.Backend); said != nil {
		t.Errorf("a secret that the stack has is said to refuse the push: %v", said)
	}
	if said := deploy.WouldRefuse(target, nil); !errors.Is(said, refuse.ErrNoSecret) {
		t.Errorf("of a secret without a value is said: %v", said)
	}
	sayTheSame(t, nil, r.push(pushOptions{}).err)
}

func TestASecretIsNotReplacedByCloudFormation(t *testing.T) {
	t.Parallel()
	r := roomInCloud(t, cloudShop(t), t.TempDir(), awstest.Options{})
	spoiled["a secret whose value CloudFormation would replace"](t, r.dir)
	const want = "nothing is deployed: environment dev: the value of the secret PAYMENT_KEY has a dynamic reference ({{resolve:...}}), which AWS CloudFormation would replace; " +
		"write the value itself into .gatewright/secrets/dev.json"
	if err := r.push(pushOptions{}).err; err == nil || err.Error() != want {
		t.Errorf("the push ends with %v", err)
	}
	write(t, r.dir, secretfile.Name("dev"), `{"PAYMENT_KEY": "{{payment}}"}`)
	deploytest.Must(t, r.push(pushOptions{}).err)
}

// TestAProjectOfTheAmplifyCLIIsPushedByThat has a push to AWS, and what is said before.
func TestAProjectOfTheAmplifyCLIIsPushedByThat(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	deploytest.Must(t, os.CopyFS(dir, os.DirFS("../../testdata/amplify")))
	p := deploytest.Opened(t, dir)
	target := contract.Target{Project: p, Environment: p.Backend.Environment("dev"), Now: time.Now()}
	fake := awstest.New(t, awstest.Options{})
	_, ofCloud := aws.Provider{Cache: t.TempDir(), Getenv: fake.Getenv}.Prepare(t.Context(), target, aws.PushOptions{}, nil)
	for name, err := range map[string]error{"AWS": ofCloud, "what is said before": deploy.WouldRefuse(target, nil)} {
		if want := "environment dev: belongs to an Amplify CLI project, which the Amplify CLI deploys; run: amplify push"; !errors.Is(err, amplify.ErrKept) || err.Error() != want {
			t.Errorf("%s says\n%v\nwant\n%s", name, err, want)
		}
	}
	if n := len(fake.Calls()); n > 0 {
		t.Errorf("AWS is called %d times", n)
	}
}

func TestAnEnvironmentOfNoProviderIsPushedByNobody(t *testing.T) {
	t.Parallel()
	_, err := deploy.ProviderOf(&model.Environment{Name: "dev", Provider: "moon"}, index.Index{})
	if want := "environment dev: has the provider moon; give it one of local, aws with: gatewright update env dev --provider local"; !errors.Is(err, contract.ErrProvider) || err.Error() != want {
		t.Errorf("it says\n%v\nwant\n%s", err, want)
	}
	for provider, want := range map[model.Provider]contract.Provider{model.Local: local.Provider{}, model.AWS: aws.Provider{}} {
		got, err := deploy.ProviderOf(&model.Environment{Provider: provider}, index.Index{})
		if err != nil || fmt.Sprintf("%T", got) != fmt.Sprintf("%T", want) {
			t.Errorf("of %s it is %T, %v", provider, got, err)
		}
	}
}
