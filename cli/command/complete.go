package command

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"gatewright/model"
)

// CompleteNames completes the arguments of a command with the names of things of
// these kinds, one kind for each argument; those of a path are in the API that the
// argument before it names. There is nothing to offer without a project.
func CompleteNames(streams Streams, kinds ...model.Kind) cobra.CompletionFunc {
	return func(_ *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
		if len(args) >= len(kinds) {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		api := ""
		if len(args) > 0 {
			api = args[len(args)-1]
		}
		return Offered(namesOf(ReadBackend(streams), kinds[len(args)], api), typed), cobra.ShellCompDirectiveNoFileComp
	}
}

// CompleteValue completes the value of a flag with the names of things of a kind.
func CompleteValue(streams Streams, kind model.Kind) cobra.CompletionFunc {
	return func(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
		return Offered(ReadBackend(streams).Names(kind), typed), cobra.ShellCompDirectiveNoFileComp
	}
}

// CompleteWords completes a value that is one of several words.
func CompleteWords(words ...string) cobra.CompletionFunc {
	return func(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
		return Offered(words, typed), cobra.ShellCompDirectiveNoFileComp
	}
}

// CompleteList completes the last of several words with commas between them.
func CompleteList(words []string) cobra.CompletionFunc {
	return func(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
		return Offered(NextWords(typed, words), typed), cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
	}
}

// NextWords are what a list with commas can become by one more word.
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

// CompleteOf completes the value of a flag with names that belong to the thing
// which the first argument names.
func CompleteOf(names func(string) []string) cobra.CompletionFunc {
	return func(_ *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
		if len(args) == 0 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return Offered(names(args[0]), typed), cobra.ShellCompDirectiveNoFileComp
	}
}

// Offered are the names that begin as what is typed. One that a shell could not
// show as it is, is not offered.
func Offered(names []string, typed string) []string {
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool {
		return !strings.HasPrefix(name, typed) || strings.ContainsFunc(name, unseen)
	})
}

// namesOf lists the names of the things of a kind; those of paths are in an API.
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
