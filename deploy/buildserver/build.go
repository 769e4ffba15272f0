// Package buildserver finds the application and the branch of a build on a build server, else those
// of the working directory: from the variables that the well-known systems set, and from git.
package buildserver

import (
	"errors"
	"strings"
	"unicode"
	"unicode/utf8"

	"gatewright/deploy/index"
	"gatewright/internal/text/phrase"
	"gatewright/model"
)

// Build identifies a build: its application and its branch.
type Build struct {
	// ApplicationID is empty if no variable has it: the project's applies then.
	ApplicationID string
	Branch        string
	// From is the source of Branch in words: "the variable AWS_BRANCH", or FromGit.
	From string
}

// FromGit is the source of a Build's branch if no variable has it.
const FromGit = "git"

// Why a build has no branch; each is the cause of a *model.Problem. The flag --branch solves both.
var (
	ErrPullRequest = errors.New("the build of a pull request")
	ErrNoBranch    = errors.New("no branch")
)

const giveBranch = "give the branch with --branch"

// The variables that name the application and the branch, in order of precedence.
var (
	applicationVariables = []string{"GATEWRIGHT_APP_ID", "AWS_APP_ID"}
	branchVariable       = "GATEWRIGHT_BRANCH"
)

// Current finds out which build runs in a folder: from GATEWRIGHT_APP_ID and GATEWRIGHT_BRANCH, AWS_APP_ID and
// AWS_BRANCH, the branch then from the variables of well-known build systems and last from git. An empty variable
// counts as not set.
//
// The build of a pull request has no branch of its own: a fork may call its branch main. Its error matches
// ErrPullRequest; for a tag, a detached head or no git repository the error matches ErrNoBranch. The ApplicationID is
// returned in these cases too.
func Current(dir string, getenv func(string) string) (Build, error) {
	var build Build
	var variable string
	for _, variable = range applicationVariables {
		if build.ApplicationID = getenv(variable); build.ApplicationID != "" {
			break
		}
	}
	if hasUnprintable(build.ApplicationID) {
		return Build{}, unprintableProblem("application id", variable, build.ApplicationID, index.ErrRequest)
	}
	var err error
	build.Branch, build.From, err = currentBranch(dir, getenv)
	return build, err
}

// currentBranch returns the branch of the build and its source.
func currentBranch(dir string, getenv func(string) string) (branch, from string, err error) {
	if branch = getenv(branchVariable); branch != "" {
		return branch, "the variable " + branchVariable, checkBranch(branchVariable, branch)
	}
	if branch, from, err = buildBranch(getenv); err != nil || branch != "" {
		return branch, from, err
	}
	if branch, err = gitBranch(dir); err != nil {
		return "", "", err
	}
	return branch, FromGit, checkBranch(FromGit, branch)
}

// checkBranch refuses a branch with unprintable characters, which git does not allow.
func checkBranch(from, branch string) error {
	if hasUnprintable(branch) {
		return unprintableProblem("branch", from, branch, ErrNoBranch)
	}
	return nil
}

// hasUnprintable reports whether a text has characters that cannot be printed.
func hasUnprintable(text string) bool {
	return !utf8.ValidString(text) || strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsPrint(r) })
}

func unprintableProblem(field, from, value string, cause error) error {
	return &model.Problem{
		Field: field, Text: from + " has unprintable characters: " + phrase.Quote(value),
		Fix: "give it without them", Cause: cause,
	}
}
