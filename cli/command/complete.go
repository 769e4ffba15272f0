package command

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"gatewright/internal/text/phrase"
	"gatewright/model"
)

// CompleteNames completes the arguments of a command with the names of things, one kind
// for each argument. A path is one of the API that the argument before it names.
func CompleteNames(streams Streams, kinds ...model.Kind) cobra.CompletionFunc {
	return func(_ *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
		if len(args) >= len(kinds) {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		api := ""
		if len(args) > 0 {
			api = args[len(args)-1]
		}
		b, kind := ReadBackend(streams), kinds[len(args)]
		return described(b, kind, api, Offered(namesOf(b, kind, api), typed)), cobra.ShellCompDirectiveNoFileComp
	}
}

// CompleteValue completes the value of a flag with the names of things of a kind.
func CompleteValue(streams Streams, kind model.Kind) cobra.CompletionFunc {
	return func(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
		b := ReadBackend(streams)
		return described(b, kind, "", Offered(b.Names(kind), typed)), cobra.ShellCompDirectiveNoFileComp
	}
}

// CompleteWords completes a value with one of several words.
func CompleteWords(words ...string) cobra.CompletionFunc {
	return func(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
		return Offered(words, typed), cobra.ShellCompDirectiveNoFileComp
	}
}

// CompleteList completes the last word of a list with commas.
func CompleteList(words []string) cobra.CompletionFunc {
	return func(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
		return Offered(NextWords(typed, words), typed), cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
	}
}

// NextWords returns the lists that end in one of the words instead of the last, unfinished
// one. Words that the list has already are left out.
func NextWords(typed string, words []string) []string {
	at := strings.LastIndexByte(typed, ',') + 1
	var lists []string
	for _, word := range words {
		if !slices.Contains(strings.Split(typed[:at], ","), word) {
			lists = append(lists, typed[:at]+word)
		}
	}
	return lists
}

// CompleteOf completes the value of a flag with names that belong to the thing that the
// first argument names.
func CompleteOf(names func(string) []string) cobra.CompletionFunc {
	return func(_ *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
		if len(args) == 0 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return Offered(names(args[0]), typed), cobra.ShellCompDirectiveNoFileComp
	}
}

// CompleteGiven completes the value of a flag that repeats the first argument.
func CompleteGiven(_ *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
	return Offered(args[:min(len(args), 1)], typed), cobra.ShellCompDirectiveNoFileComp
}

// Offered returns the names that begin with the typed text. It leaves out names with
// invisible characters, which a shell could not show as they are.
func Offered(names []string, typed string) []string {
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool {
		return !strings.HasPrefix(name, typed) || strings.ContainsFunc(name, invisible)
	})
}

// described adds to names what shells show next to them, behind a tab.
func described(b *model.Backend, kind model.Kind, api string, names []string) []string {
	for i, name := range names {
		about := ""
		switch kind {
		case model.KindAPI:
			about = phrase.Count(len(b.API(name).Paths), "path")
		case model.KindPath:
			about = "served by " + phrase.Quote(b.API(api).Path(name).Function)
		case model.KindFunction:
			about = string(b.Function(name).Runtime)
		case model.KindEnvironment:
			about = map[model.Provider]string{model.AWS: "in AWS", model.Local: "on this machine"}[b.Environment(name).Provider]
		}
		names[i] = strings.TrimRight(name+"\t"+about, "\t")
	}
	return names
}

// namesOf lists the names of the things of a kind; api is the API of paths.
func namesOf(b *model.Backend, kind model.Kind, api string) []string {
	if kind != model.KindPath {
		return b.Names(kind)
	}
	var names []string
	if a := b.API(api); a != nil {
		for _, p := range a.Paths {
			names = append(names, p.Name)
		}
	}
	return names
}
