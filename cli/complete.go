package cli

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"gatewright/model"
	"gatewright/project"
	"gatewright/project/disk"
)

// completeNames completes the arguments of a command with the names of things of
// these kinds, one kind for each argument; those of a path are in the API that the
// argument before it names. There is nothing to offer without a project.
func completeNames(streams Streams, kinds ...model.Kind) cobra.CompletionFunc {
	return func(_ *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
		if len(args) >= len(kinds) {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		api := ""
		if len(args) > 0 {
			api = args[len(args)-1]
		}
		return offered(namesOf(look(streams), kinds[len(args)], api), typed), cobra.ShellCompDirectiveNoFileComp
	}
}

// completeValue completes the value of a flag with the names of things of a kind.
func completeValue(streams Streams, kind model.Kind) cobra.CompletionFunc {
	return func(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
		return offered(look(streams).Names(kind), typed), cobra.ShellCompDirectiveNoFileComp
	}
}

// completeWords completes a value that is one of several words.
func completeWords(words ...string) cobra.CompletionFunc {
	return func(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
		return offered(words, typed), cobra.ShellCompDirectiveNoFileComp
	}
}

// completeList completes the last of several words with commas between them.
func completeList(words []string) cobra.CompletionFunc {
	return func(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
		return offered(nextWords(typed, words), typed), cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
	}
}

// nextWords are what a list with commas can become by one more word.
func nextWords(typed string, words []string) []string {
	at := strings.LastIndexByte(typed, ',') + 1
	var lists []string
	for _, word := range words {
		if !slices.Contains(strings.Split(typed[:at], ","), word) {
			lists = append(lists, typed[:at]+word)
		}
	}
	return lists
}

// completeGroupActions completes NAME=ACTIONS of a group.
func completeGroupActions(streams Streams) cobra.CompletionFunc {
	return completeActions(func() []string { return look(streams).Names(model.KindGroup) })
}

// completeResourceActions completes RESOURCE=ACTIONS of what a function may use.
func completeResourceActions(streams Streams) cobra.CompletionFunc {
	return completeActions(func() []string {
		var resources []string
		backend := look(streams)
		for _, kind := range []model.Kind{model.KindTable, model.KindAPI, model.KindFunction} {
			for _, name := range backend.Names(kind) {
				resources = append(resources, string(kind)+"/"+name)
			}
		}
		return resources
	})
}

func completeActions(subjects func() []string) cobra.CompletionFunc {
	return func(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
		var words []string
		if at := strings.LastIndexByte(typed, '=') + 1; at > 0 {
			for _, actions := range nextWords(typed[at:], actionWords()) {
				words = append(words, typed[:at]+actions)
			}
		} else {
			for _, subject := range subjects() {
				words = append(words, subject+"=")
			}
		}
		return offered(words, typed), cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
	}
}

// completeVariables completes the name of a variable of the function that the
// first argument names.
func completeVariables(streams Streams) cobra.CompletionFunc {
	return completeOf(func(name string) []string {
		var names []string
		if f := look(streams).Function(name); f != nil {
			for _, v := range f.Environment {
				names = append(names, v.Name)
			}
		}
		return names
	})
}

// completeIndexes completes the name of an index of the table that the first
// argument names.
func completeIndexes(streams Streams) cobra.CompletionFunc {
	return completeOf(func(name string) []string {
		if t := look(streams).Table(name); t != nil {
			return indexNames(t)
		}
		return nil
	})
}

// completeOf completes the value of a flag with names that belong to the thing
// which the first argument names.
func completeOf(names func(string) []string) cobra.CompletionFunc {
	return func(_ *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
		if len(args) == 0 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return offered(names(args[0]), typed), cobra.ShellCompDirectiveNoFileComp
	}
}

// offered are the names that begin as what is typed. One that a shell could not
// show as it is, is not offered.
func offered(names []string, typed string) []string {
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool {
		return !strings.HasPrefix(name, typed) || strings.ContainsFunc(name, unseen)
	})
}

// look reads the project that the command runs in, and neither writes nor
// recovers anything; what cannot be read is not there.
func look(streams Streams) *model.Backend {
	nothing := &model.Backend{}
	root, layout, err := project.Find(streams.Dir)
	if err != nil {
		return nothing
	}
	fsys, err := disk.Open(root)
	if err != nil {
		return nothing
	}
	defer func() { _ = fsys.Close() }()
	p, err := project.Load(fsys, layout)
	if err != nil {
		return nothing
	}
	return p.Backend
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
