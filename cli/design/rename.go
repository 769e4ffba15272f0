package design

import (
	"slices"

	"github.com/spf13/cobra"

	"gatewright/cli/command"
	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/model/edit"
	"gatewright/project/plan"
)

// namedKind is a kind of thing that commands rename and remove by name.
type namedKind struct {
	kind model.Kind
	// word is the kind on the command line, example and next are names in the help.
	word, example, next string
	// used says whether other things can refer to it.
	used bool
}

var namedKinds = []namedKind{
	{model.KindAPI, "api", "shop", "store", true},
	{model.KindFunction, "function", "books", "catalogue", true},
	{model.KindTable, "table", "orders", "sales", true},
	{model.KindEnvironment, "env", "qa", "staging", false},
	{model.KindGroup, "group", "Editors", "Authors", true},
	{model.KindOutput, "output", "maps", "places", false},
}

// aliases returns the other words for the kind.
func (k namedKind) aliases() []string {
	if k.word != string(k.kind) {
		return []string{string(k.kind)}
	}
	return nil
}

// NewRename makes the command rename.
func NewRename(streams command.Streams) *cobra.Command {
	cmd := command.Group(&cobra.Command{Use: "rename", Short: "Rename something, and every reference to it"},
		newRenamePath(streams))
	for _, k := range namedKinds {
		cmd.AddCommand(newRenameNamed(streams, k))
	}
	return cmd
}

func newRenameNamed(streams command.Streams, k namedKind) *cobra.Command {
	var (
		write editFlags
		guard command.GuardFlag
	)
	line := "rename " + k.word + " " + k.example + " " + k.next
	cmd := &cobra.Command{
		Use:               k.word + " OLD NEW",
		Aliases:           k.aliases(),
		Short:             "Rename " + withArticle(k),
		Long:              "Rename " + withArticle(k) + ", and change every reference to it.",
		Example:           command.Examples(line, line+" --dry-run", line+" --diff"),
		Args:              command.Arguments("the OLD name", "the NEW name"),
		ValidArgsFunction: command.CompleteNames(streams, k.kind),
		RunE: func(_ *cobra.Command, args []string) error {
			of := model.Ref{Kind: k.kind, Name: args[0]}
			return write.change(streams, func(e *editing) error {
				uses, environments, env := edit.Uses(e.Backend, of), e.Environments, (*model.Environment)(nil)
				if k.kind == model.KindEnvironment {
					env = e.Environment(of.Name)
				}
				e.done, e.already = "renamed "+of.String()+" to "+phrase.Quote(args[1]), of.String()+" has this name"
				if err := edit.Rename(e.Backend, of, args[1]); err != nil {
					return err
				}
				if args[0] != args[1] {
					e.noteUses(withChanged(uses, environments, e.Environments))
					e.noteRenamed(of, args[1])
				}
				if env != nil && args[0] != args[1] {
					again := "; to deploy it under its new name run: gatewright push --env " + phrase.Quote(args[1])
					if err := e.forgetDeployment(env, again); err != nil {
						return err
					}
				}
				e.confirm(guard, env, "rename it")
				return nil
			}, plan.Renamed{From: of, To: args[1]})
		},
	}
	if k.kind == model.KindEnvironment {
		guard.Add(cmd, streams)
	}
	write.Add(cmd)
	return cmd
}

func newRenamePath(streams command.Streams) *cobra.Command {
	var write editFlags
	cmd := &cobra.Command{
		Use:   "path API OLD NEW",
		Short: "Rename a path of an API",
		Long:  "Rename a path of an API. It keeps its position, its function and its access.",
		Example: command.Examples("rename path shop /book /books",
			"rename path shop /book '/books/{isbn}' --dry-run", "rename path shop /book /books --diff"),
		Args:              command.Arguments("an API", "the OLD path", "the NEW path"),
		ValidArgsFunction: command.CompleteNames(streams, model.KindAPI, model.KindPath),
		RunE: func(_ *cobra.Command, args []string) error {
			return write.change(streams, func(e *editing) error {
				of := model.Ref{Kind: model.KindPath, API: args[0], Name: args[1]}
				e.done, e.already = "renamed "+of.String()+" to "+phrase.Quote(args[2]), of.String()+" has this name"
				return edit.Rename(e.Backend, of, args[2])
			})
		},
	}
	write.Add(cmd)
	return cmd
}

// withArticle returns the kind with its indefinite article.
func withArticle(k namedKind) string {
	switch k.kind {
	case model.KindAPI:
		return "an API"
	case model.KindEnvironment, model.KindOutput:
		return "an " + string(k.kind)
	}
	return "a " + string(k.kind)
}

// withChanged adds the environments that a rename changed to what uses the thing: values of
// their variables refer to it.
func withChanged(uses []model.Ref, before, after []*model.Environment) []model.Ref {
	for i, now := range after {
		of := model.Ref{Kind: model.KindEnvironment, Name: now.Name}
		if now != before[i] && now.Name == before[i].Name && !slices.Contains(uses, of) {
			uses = append(uses, of)
		}
	}
	return uses
}

// noteUses notes which references to a renamed thing were changed.
func (e *editing) noteUses(uses []model.Ref) {
	paths := make(map[string][]model.Ref)
	var apis []string
	for _, use := range uses {
		if use.Kind != model.KindPath {
			e.notes = append(e.notes, use.String()+" refers to the new name")
			continue
		}
		if paths[use.API] == nil {
			apis = append(apis, use.API)
		}
		paths[use.API] = append(paths[use.API], use)
	}
	for _, api := range apis {
		if n := len(paths[api]); n > 1 {
			e.notes = append(e.notes, phrase.Count(n, "path")+" of the API "+phrase.Quote(api)+" refer to the new name")
			continue
		}
		e.notes = append(e.notes, paths[api][0].String()+" refers to the new name")
	}
}

// noteRenamed notes what the new name of an environment changes outside the project's files.
func (e *editing) noteRenamed(of model.Ref, to string) {
	switch of.Kind {
	case model.KindAPI:
		e.noteMove("the API %s gets a new address: in the sandbox at once, in each environment with its next "+
			"push, which ends the old address; clients need the new client configuration file", phrase.Quote(to))
		return
	case model.KindEnvironment:
	default:
		return
	}
	if env := e.Environment(to); env.Branch == "" {
		e.note("builds of branch %[1]s now deploy the environment; to keep the former branch run: gatewright update env "+
			"%[1]s --branch %[2]s",
			phrase.Quote(to), phrase.Quote(of.Name))
	}
}
