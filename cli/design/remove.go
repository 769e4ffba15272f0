package design

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"gatewright/cli/command"
	"gatewright/model"
)

func newRemoves(streams command.Streams) []*cobra.Command {
	commands := []*cobra.Command{newRemovePath(streams)}
	for _, k := range namedKinds {
		commands = append(commands, newRemove(streams, k))
	}
	return commands
}

func newRemove(streams command.Streams, k namedKind) *cobra.Command {
	var (
		write   editFlags
		guard   command.GuardFlag
		cascade bool
	)
	cmd := &cobra.Command{
		Use:               k.word + " NAME",
		Aliases:           k.aliases(),
		Short:             "Remove " + article(k),
		Long:              "Remove " + article(k) + ", with its files.",
		Example:           "  gatewright remove " + k.word + " " + k.example + " --dry-run",
		Args:              command.Arguments("a NAME"),
		ValidArgsFunction: command.CompleteNames(streams, k.kind),
		RunE: func(_ *cobra.Command, args []string) error {
			of := model.Ref{Kind: k.kind, Name: args[0]}
			return write.change(streams, func(e *editing) error {
				e.said("removed", of)
				env := e.Environment(of.Name)
				if err := e.Remove(of, cascade); err != nil {
					return advise(err, model.ErrInUse, "change those first, or give --cascade: it removes what refers to it too")
				}
				e.noteGone(of)
				if k.kind == model.KindEnvironment {
					e.guarded(guard, env, "remove it")
					return e.forgetDeployment(env, "")
				}
				for _, was := range e.from.Backend.Environments {
					if e.Environment(was.Name) != was {
						e.guarded(guard, was, "change it")
					}
				}
				return nil
			})
		},
	}
	if k.used {
		cmd.Long += " What is used is refused, and the uses are named; with --cascade\n" +
			"they go too, and the report says all that goes or changes."
		cmd.Example += "\n  gatewright remove " + k.word + " " + k.example + " --cascade"
		cmd.Flags().BoolVar(&cascade, "cascade", false, "remove what refers to it too")
	}
	if k.kind == model.KindEnvironment || k.kind == model.KindAPI || k.kind == model.KindFunction {
		guard.Add(cmd)
	}
	write.Add(cmd)
	return cmd
}

func newRemovePath(streams command.Streams) *cobra.Command {
	var write editFlags
	cmd := &cobra.Command{
		Use:               "path API PATH",
		Short:             "Remove a path of an API",
		Long:              "Remove a path of an API. Its function stays. An API's only path goes with the API: gatewright remove api",
		Example:           "  gatewright remove path shop /books",
		Args:              command.Arguments("an API", "a PATH"),
		ValidArgsFunction: command.CompleteNames(streams, model.KindAPI, model.KindPath),
		RunE: func(_ *cobra.Command, args []string) error {
			return write.change(streams, func(e *editing) error {
				of := model.Ref{Kind: model.KindPath, API: args[0], Name: args[1]}
				e.said("removed", of)
				return e.Remove(of, false)
			})
		},
	}
	write.Add(cmd)
	return cmd
}

// noteGone says what went or changed with a thing that was removed.
func (e *editing) noteGone(of model.Ref) {
	for _, was := range e.from.Backend.APIs {
		now := e.API(was.Label)
		switch {
		case of.Kind == model.KindAPI && was.Label == of.Name || now == was:
		case now == nil:
			e.notes = append(e.notes, "removed the API "+model.Quote(was.Label)+" too: no path of it is left")
		default:
			e.notes = append(e.notes, changedPaths(was, now)...)
		}
	}
	for _, was := range e.from.Backend.Functions {
		if now := e.Function(was.Name); now != nil && now != was {
			e.notes = append(e.notes, "changed function "+model.Quote(was.Name)+", which uses "+model.QuoteList(lostResources(was, now))+" no more")
		}
	}
	for _, was := range e.from.Backend.Environments {
		if now := e.Environment(was.Name); now != nil && now != was {
			e.notes = append(e.notes, "changed environment "+model.Quote(was.Name)+", which loses "+strings.Join(lostParts(was, now), ", "))
		}
	}
	for _, was := range e.from.Backend.Outputs {
		switch now := e.Output(was.Name); {
		case of.Kind == model.KindOutput || now == was:
		case now == nil:
			e.notes = append(e.notes, "removed output "+model.Quote(was.Name)+" too: nothing of it is left")
		default:
			e.notes = append(e.notes, "changed output "+model.Quote(was.Name)+", which no longer names the removed API")
		}
	}
}

// changedPaths says what happened to the paths of an API of which some went, or
// lost an entry.
func changedPaths(was, now *model.API) []string {
	var lines []string
	left := make(map[string]*model.Path, len(now.Paths))
	for _, p := range now.Paths {
		left[p.Name] = p
	}
	for _, p := range was.Paths {
		of := model.Ref{Kind: model.KindPath, API: was.Label, Name: p.Name}.String()
		switch left[p.Name] {
		case p:
		case nil:
			lines = append(lines, "removed "+of+" too")
		default:
			lines = append(lines, "changed "+of+": "+left[p.Name].Access.String())
		}
	}
	return lines
}

// lostResources are what a function used, such as table/items, and uses no more.
func lostResources(was, now *model.Function) []string {
	var lost []string
	for _, a := range was.Access {
		if !grants(now.Access, a.Resource) {
			lost = append(lost, a.Resource)
		}
	}
	if table := string(model.KindTable) + "/" + was.Table; was.Table != now.Table && !slices.Contains(lost, table) {
		lost = append(lost, table)
	}
	return lost
}

// lostParts are the APIs that an environment listed, and the variables that it
// had for functions, which it has no more.
func lostParts(was, now *model.Environment) []string {
	var lost []string
	for _, label := range was.APIs {
		if !slices.Contains(now.APIs, label) {
			lost = append(lost, model.Ref{Kind: model.KindAPI, Name: label}.String())
		}
	}
	for _, v := range was.Variables {
		if slices.ContainsFunc(now.Variables, func(left model.FunctionVariables) bool { return left.Function == v.Function }) {
			continue
		}
		lost = append(lost, "its variables "+model.QuoteList(variableNames(v.Values))+" for function "+model.Quote(v.Function))
	}
	return lost
}
