package main

import (
	"bytes"
	"encoding/json"
	"regexp"
	"testing"
	"time"

	"gatewright/cli/licence"
	"gatewright/tools/release/sbom"
)

// billed is what the tests read of a bill.
type billed struct {
	SerialNumber string
	Metadata     struct{ Component billedPart }
	Components   []billedPart
	Dependencies []struct {
		Ref       string
		DependsOn []string
	}
}

// billedPart is the program or a module in a bill.
type billedPart struct {
	Ref        string `json:"bom-ref"`
	Name, Purl string
	Licenses   []struct{ License struct{ ID string } }
}

func bill(t *testing.T, version string, modules ...licence.Module) (billed, []byte) {
	t.Helper()
	out, err := sbom.Write(time.Date(2026, 11, 26, 3, 19, 0, 0, time.UTC), append([]licence.Module{{Path: "gatewright", Version: version}}, modules...))
	if err != nil {
		t.Fatal(err)
	}
	var d billed
	if err := json.Unmarshal(out, &d); err != nil {
		t.Fatal(err)
	}
	return d, out
}

var semverModule = licence.Module{Path: "github.com/Masterminds/semver/v3", Version: "v3.5.0+incompatible", Licenses: []string{"MIT"}}

func TestAModuleIsAComponentThatTheProgramDependsOn(t *testing.T) {
	t.Parallel()
	d, _ := bill(t, "1.2.3", semverModule)
	if len(d.Components) != 1 || d.Components[0].Purl != "pkg:golang/github.com/masterminds/semver/v3@v3.5.0%2Bincompatible" {
		t.Fatalf("components %+v", d.Components)
	}
	if c := d.Components[0]; c.Name != semverModule.Path || len(c.Licenses) != 1 || c.Licenses[0].License.ID != "MIT" {
		t.Errorf("component %+v", c)
	}
	if len(d.Dependencies) != 2 || d.Dependencies[0].Ref != d.Metadata.Component.Ref || d.Dependencies[0].DependsOn[0] != d.Components[0].Ref {
		t.Errorf("dependencies %+v", d.Dependencies)
	}
}

func TestTheSerialNumberFollowsTheContent(t *testing.T) {
	t.Parallel()
	d, first := bill(t, "1.2.3", semverModule)
	if !regexp.MustCompile(`^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`).MatchString(d.SerialNumber) {
		t.Errorf("serial number %s", d.SerialNumber)
	}
	if _, again := bill(t, "1.2.3", semverModule); !bytes.Equal(first, again) {
		t.Error("the same modules gave other bytes")
	}
	if other, _ := bill(t, "1.2.4", semverModule); other.SerialNumber == d.SerialNumber {
		t.Error("another version has the same serial number")
	}
}
