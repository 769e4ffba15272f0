package run

import (
	"context"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"gatewright/cli/command"
	"gatewright/internal/file"
	"gatewright/internal/text/prose"
	"gatewright/project"
	"gatewright/sandbox/live"
	"gatewright/sandbox/prepare"
)

// fetching asks once whether runtimes may be fetched, and fetches them.
type fetching struct {
	streams command.Streams
	// answer is what --fetch-runtimes says; nil if it is not given.
	answer *bool
}

// runtimes fetches what is missing, if the user lets it. Without it, functions run on what is there.
func (f fetching) runtimes(ctx context.Context, missing []*live.OtherRuntime, cache string) {
	if !f.may(ctx, missing, cache) {
		return
	}
	for _, other := range missing {
		from := prepare.FetchedFrom(ctx, other.Runtime, cache)
		if from == "" {
			continue // what the sandbox says then names what to install
		}
		command.Say(f.streams.Err, "fetching %s: %s", other.Release(), from)
		if err := prepare.Fetch(ctx, other.Runtime, cache); err != nil && ctx.Err() == nil {
			command.Say(f.streams.Err, "warning: %s is not fetched: %s", other.Release(), prose.Printable(err.Error()))
		}
	}
}

// may reports whether the user lets runtimes be fetched: by the flag, by the answer that is kept in
// the user's state, or by one that is asked for now.
func (f fetching) may(ctx context.Context, missing []*live.OtherRuntime, cache string) bool {
	state, err := project.UserState(f.streams.Getenv)
	kept := filepath.Join(state, "fetch-runtimes")
	if f.answer == nil && err == nil {
		// Without the file nobody was asked.
		text, _ := os.ReadFile(kept)
		if may, err := strconv.ParseBool(strings.TrimSpace(string(text))); err == nil {
			return may
		}
	}
	if f.answer == nil {
		if len(missing) == 0 || !command.Attended(f.streams) {
			return false
		}
		question := ""
		for _, other := range missing {
			if from := prepare.FetchedFrom(ctx, other.Runtime, cache); from != "" {
				question += other.Release() + ", " + from + "; "
			}
		}
		if question == "" {
			return false
		}
		typed, err := command.AskUntil(ctx, f.streams, "this machine lacks runtimes of the functions; download "+
			strings.TrimSuffix(question, "; ")+"? You will not be asked again. [y/N] ")
		if err != nil {
			return false
		}
		word := strings.ToLower(strings.TrimSpace(typed))
		yes := word == "y" || word == "yes"
		if !yes && word != "" && word != "n" && word != "no" {
			return false // it is asked again next time
		}
		f.answer = &yes
	}
	if err == nil {
		if err = os.MkdirAll(state, 0o700); err == nil {
			err = file.Ensure(kept, []byte(strconv.FormatBool(*f.answer)+"\n"))
		}
	}
	if err != nil {
		command.Say(f.streams.Err, "warning: the answer is not kept: %s", prose.Printable(err.Error()))
	}
	return *f.answer
}
