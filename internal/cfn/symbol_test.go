package cfn_test

import (
	"testing"

	"gatewright/internal/cfn"
)

func TestWhatIsUnknownStandsAsItsSymbol(t *testing.T) {
	t.Parallel()
	const text = `Parameters: {env: {Type: String}, list: {Type: CommaDelimitedList}}
Conditions: {IsProd: !Equals [!Ref env, prod]}
Resources: {Table: {Type: "AWS::DynamoDB::Table"}}
Outputs:
`
	for value, want := range map[string]string{
		`!Ref env`:                              "${env}",
		`!Sub "a-${env}-${AWS::Region}"`:        "a-${env}-${AWS::Region}",
		`!Join ["-", [a, !Ref env]]`:            "a-${env}",
		`!GetAtt Table.Arn`:                     "${Table.Arn}",
		`!Sub ["x${t}", {t: !Ref Table}]`:       "x${Table}",
		`!If [IsProd, a, b]`:                    "*",
		`!Select [0, !Ref list]`:                "*",
		`!Sub ["x${t}", {t: !ImportValue "n"}]`: "x*",
	} {
		template, err := cfn.Parse("t.yaml", []byte(text+"  Tested: {Value: "+value+"}\n"))
		if err != nil {
			t.Fatal(err)
		}
		v := template.With(cfn.Given{Symbols: true}).Resolve(template.Root.Get("Outputs", "Tested", "Value"))
		if v.Known() || v.Text != want {
			t.Errorf("%s: %q, known %v", value, v.Text, v.Known())
		}
		if symbol := v.Unknown[0].Symbol; (symbol == "") != (want == "*" || want == "x*") {
			t.Errorf("%s: the symbol is %q", value, symbol)
		}
	}
}
