package aws

import (
	"context"
	"slices"

	"gatewright/deploy/account"
	"gatewright/deploy/stack"
	"gatewright/internal/cfn"
	"gatewright/model"
)

// codeDrift finds the functions whose code is another than the archive that the stack names: a
// hot push gave it to them, or somebody uploaded it. The service does not compare that.
func (r *Reached) codeDrift(ctx context.Context, root *cfn.Node, d *Drift) error {
	functions := slices.DeleteFunc(slices.Clone(r.resources), func(one stack.Resource) bool {
		return one.Type != functionType || one.Physical == "" || one.Status == string(stack.DeleteComplete)
	})
	states, gone := make([]functionState, len(functions)), make([]bool, len(functions))
	err := atOnce(ctx, len(functions), func(ctx context.Context, i int) (err error) {
		states[i], err = r.cloud.codeOf(ctx, functions[i].Physical)
		if gone[i] = account.Code(err) == "ResourceNotFoundException"; gone[i] {
			err = nil
		}
		return err
	})
	if err != nil {
		return err
	}
	var hot []string
	for i, one := range functions {
		of, name := r.of[one.Logical], r.name(one.Logical, one.Type)
		want := keyHash(textAt(root.Get("Resources", one.Logical), "Properties", "Code", "S3Key"))
		switch {
		case gone[i]:
			d.Cloud = addDrifted(d.Cloud, of, name, isGone)
		case want == "":
			d.Unread = append(d.Unread, "the code of "+name+" was not compared: the stack does not name the archive of a push")
		case states[i].CodeSha256 == want:
			d.Functions++
		default:
			d.Functions++
			if hot == nil {
				hot = r.hotPushed(ctx)
			}
			d.Cloud = addDrifted(d.Cloud, of, name, codeText(slices.Contains(hot, of.Name)))
		}
	}
	return nil
}

// codeText says that a function has other code than that of the last push.
func codeText(hot bool) string {
	if hot {
		return "its code is another than that of the last push: a hot push gave it"
	}
	return "its code is another than that of the last push"
}

// hotPushed lists the functions that hot pushes gave code since the last push. If that cannot
// be read, nothing is known of it; the code is told all the same.
func (r *Reached) hotPushed(ctx context.Context) []string {
	names, err := r.cloud.marked(ctx, r.Stack.Name)
	if err != nil || names == nil {
		return []string{}
	}
	return names
}

// addDrifted adds what is said of a part to what is known of it already.
func addDrifted(to []Drifted, of model.Ref, name, text string) []Drifted {
	i := slices.IndexFunc(to, func(d Drifted) bool { return d.Name == name })
	switch {
	case i < 0:
		return append(to, Drifted{Of: of, Name: name, Texts: []string{text}})
	case text == isGone || slices.Contains(to[i].Texts, isGone):
		to[i].Texts = []string{isGone}
	default:
		to[i].Texts = append(to[i].Texts, text)
	}
	return to
}
