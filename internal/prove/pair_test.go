package prove_test

import (
	"slices"
	"testing"

	"gatewright/internal/cfn"
	"gatewright/internal/prove"
	"gatewright/model"
	"gatewright/model/access"
)

// oneAPI is a template with one API, which serves nothing.
const oneAPI = `{"Resources": {"Api": {"Type": "AWS::ApiGateway::RestApi", "Properties": {"Name": "orders-2", "Body": {"paths": {}}}}}}`

func TestWhatIsInForceIsPairedByItsExactName(t *testing.T) {
	t.Parallel()
	read, err := cfn.Parse("template.json", []byte(oneAPI))
	if err != nil {
		t.Fatal(err)
	}
	inTemplate, err := prove.Read(read, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	inForce, err := prove.ReadAt(read, prove.Place{Region: "eu-central-1", Account: "123456789012", Partition: "aws"})
	if err != nil {
		t.Fatal(err)
	}
	for _, label := range []string{"orders", "shop"} {
		b := &model.Backend{APIs: []*access.API{{Label: label}}}
		want := []string{"the API " + label + " of the project is not in AWS", "the API orders-2 of AWS is not in the project"}
		if report := prove.Compare(inForce, b, prove.Options{}); !slices.Equal(report.Undecided, want) {
			t.Errorf("what is in force is compared with %s: %q", label, report.Undecided)
		}
		if report := prove.Compare(inTemplate, b, prove.Options{}); len(report.Undecided) > 0 {
			t.Errorf("the template is not compared with %s: %q", label, report.Undecided)
		}
	}
}

func TestAPIsThatAreAllGoneAreNoErrorWhereTheyWere(t *testing.T) {
	t.Parallel()
	read, err := cfn.Parse("template.json", []byte(`{"Resources": {}}`))
	if err != nil {
		t.Fatal(err)
	}
	d, err := prove.ReadAt(read, prove.Place{})
	if err != nil {
		t.Fatal(err)
	}
	b := &model.Backend{APIs: []*access.API{{Label: "shop"}}}
	a, err := prove.Ask(d, b, "shop", access.Caller{SignedIn: true}, "GET", "/books")
	if err != nil || a.Allowed || a.Served || !a.Known || a.Why != "the API no longer exists in AWS" || a.As != "signed-in users" {
		t.Errorf("the answer is %+v, %v", a, err)
	}
	if _, err := prove.Ask(d, b, "other", access.Caller{}, "GET", "/books"); err == nil {
		t.Error("an API that the backend does not have is answered for")
	}
}
