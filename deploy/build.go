package deploy

import (
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

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

// Why a build has no branch; each is the cause of a *model.Problem. The flag --branch
// solves both.
var (
	ErrPullRequest = errors.New("the build of a pull request")
	ErrNoBranch    = errors.New("no branch")
)

// ErrNoEnvironment is the cause of a *model.Problem about a branch that no environment,
// or more than one, has.
var ErrNoEnvironment = errors.New("no environment of the branch")

const giveBranch = "give the branch with --branch"

// The variables that name the application and the branch, in order of precedence.
var (
	applicationVariables = []string{"GATEWRIGHT_APP_ID", "AWS_APP_ID"}
	branchVariable       = "GATEWRIGHT_BRANCH"
)

// CurrentBuild finds out which build runs in a folder: from GATEWRIGHT_APP_ID
// and GATEWRIGHT_BRANCH, AWS_APP_ID and AWS_BRANCH, the branch then from the
// variables of well-known build systems and last from git. An empty variable
// counts as not set.
//
// The build of a pull request has no branch of its own: a fork may call its
// branch main. Its error matches ErrPullRequest; for a tag, a detached head or
// no git repository the error matches ErrNoBranch. The ApplicationID is
// returned in these cases too.
func CurrentBuild(dir string, getenv func(string) string) (Build, error) {
	var build Build
	var variable string
	for _, variable = range applicationVariables {
		if build.ApplicationID = getenv(variable); build.ApplicationID != "" {
			break
		}
	}
	if hasUnprintable(build.ApplicationID) {
		return Build{}, unprintableProblem("application id", variable, build.ApplicationID, ErrRequest)
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
		Field: field, Text: from + " has unprintable characters: " + model.Quote(value),
		Fix: "give it without them", Cause: cause,
	}
}

// EnvironmentOf returns the environment that builds of a branch deploy. The error, a
// *model.Problem that matches ErrNoEnvironment, names the environments of the backend
// and what to do.
func EnvironmentOf(b *model.Backend, branch string) (*model.Environment, error) {
	var found []*model.Environment
	for _, env := range b.Environments {
		if env.BranchName() == branch {
			found = append(found, env)
		}
	}
	problem := &model.Problem{Field: "branch", Cause: ErrNoEnvironment}
	switch {
	case len(found) == 1:
		return found[0], nil
	case len(found) > 1:
		problem.Text = fmt.Sprintf("%s belongs to more than one environment: %s", model.Quote(branch), listed(found, environmentName))
		problem.Fix = "give each a branch of its own with: gatewright update env NAME --branch BRANCH"
	case len(b.Environments) == 0:
		problem.Text = fmt.Sprintf("no environment has the branch %s: the project has no environments", model.Quote(branch))
		problem.Fix = "add one with: gatewright add env NAME"
	default:
		problem.Text = fmt.Sprintf("no environment has the branch %s; the environments are %s", model.Quote(branch), listed(b.Environments, withBranch))
		problem.Fix = "give the branch of one of them with --branch, or run: gatewright update env NAME --branch BRANCH"
	}
	return nil, problem
}

func environmentName(e *model.Environment) string { return model.Quote(e.Name) }

func withBranch(e *model.Environment) string {
	if e.BranchName() == e.Name {
		return model.Quote(e.Name)
	}
	return fmt.Sprintf("%s (branch %s)", model.Quote(e.Name), model.Quote(e.BranchName()))
}

// listed joins the names of things as a sentence does: "a, b and c".
func listed[T any](things []T, name func(T) string) string {
	names := make([]string, len(things))
	for i, thing := range things {
		names[i] = name(thing)
	}
	return model.List(names)
}
