package definition

import (
	"fmt"

	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/render"
)

// NeutralWords translates values into the neutral dialect, in which a project keeps
// them. Values with words of both dialects are an error that names one of each.
func NeutralWords(values model.Outputs) (model.Outputs, error) {
	neutral, amplify := render.DialectWords(values)
	switch {
	case amplify == "":
		return values, nil
	case neutral != "":
		return nil, TwoDialects(neutral, amplify)
	}
	return render.Translate(values, model.Amplify, model.Neutral), nil
}

// TwoDialects returns the error of values with words of both dialects, given the pointers of the first of each.
func TwoDialects(neutral, amplify string) error {
	return fmt.Errorf("the values have fields of two dialects: %s is amplify, %s is neutral; use one dialect",
		phrase.Quote(amplify), phrase.Quote(neutral))
}

// NeutralSection is NeutralWords for the values of one section.
func NeutralSection(kind model.Kind, values map[string]any) (map[string]any, error) {
	translated, err := NeutralWords(model.Outputs{string(kind): values})
	if err != nil {
		return nil, err
	}
	section, _ := translated[string(kind)].(map[string]any)
	return section, nil
}
