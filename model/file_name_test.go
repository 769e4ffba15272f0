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

func TestNamesThatNoFileCanHaveOnWindowsAreFound(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"con", "AUX", "nul", "Prn", "com1", "LPT9", "com0", "lpt0", "com0.x", "con.books", "items."} {
		if model.FileNameProblem(name) == "" {
			t.Errorf("%s can be the name of a file", name)
		}
	}
	for _, name := range []string{"console", "com", "comx", "com10", "books.con", "auxiliary", "a.b", "_con"} {
		if text := model.FileNameProblem(name); text != "" {
			t.Error(text)
		}
	}
}

func TestEditsMakeNoNameThatNoFileCanHaveOnWindows(t *testing.T) {
	t.Parallel()
	b := modeltest.Backend(t, nil, accesstest.Open("/items", "f"))
	for want, edit := range map[string]func() error{
		"function: con is a device name on Windows, where no file can have it; choose another name": func() error { return edit.AddFunction(b, modeltest.Function("con")) },
		"label: Aux is a device name on Windows, where no file can have it; choose another name":    func() error { return edit.AddAPI(b, &access.API{Label: "Aux"}) },
		"table: items. ends with a dot, which Windows does not allow; choose another name":          func() error { return edit.AddTable(b, &model.Table{Name: "items."}) },
		"environment: com1 is a device name on Windows, where no file can have it; choose another name": func() error {
			return edit.AddEnvironment(b, &model.Environment{Name: "com1", Provider: model.Local})
		},
		"label: nul is a device name on Windows, where no file can have it; choose another name": func() error {
			return edit.Rename(b, model.Ref{Kind: model.KindAPI, Name: "shop"}, "nul")
		},
	} {
		if err := edit(); err == nil || err.Error() != want {
			t.Errorf("the error is %v, want %s", err, want)
		}
	}
}

func TestAProjectWithANameThatNoFileCanHaveOnWindowsHasAWarning(t *testing.T) {
	t.Parallel()
	b := modeltest.Backend(t, nil, accesstest.Open("/items", "f"))
	b.Functions = append(b.Functions, modeltest.Function("nul"))
	want := "function nul: nul is a device name on Windows, where no file can have it; rename it, or the project cannot be used on Windows"
	if got := modeltest.Texts(check.Backend(b), model.Warning); !slices.Contains(got, want) {
		t.Errorf("the warnings are %q", got)
	}
}
