package deploy

import (
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"gatewright/model"
)

// Build is which build runs: of which application, and of which branch.
type Build struct {
	// ApplicationID is empty where no variable gives it: the project does then.
	ApplicationID string
	Branch        string
	// From says in words where Branch came from: "the variable AWS_BRANCH", or
	// FromGit.
	From string
}

// FromGit is where the branch of a Build came from when no variable says it.
const FromGit = "git"

// What keeps a build from being of a branch; each is the cause of a
// *model.Problem. Giving the branch answers both.
var (
	ErrPullRequest = errors.New("the build of a pull request")
	ErrNoBranch    = errors.New("no branch")
)

// ErrNoEnvironment is the cause of a *model.Problem about a branch that not
// exactly one environment has.
var ErrNoEnvironment = errors.New("no environment of the branch")

const giveBranch = "give the branch with --branch"

// The variables that say outright which build runs, the stronger first.
var (
	applicationVariables = []string{"GATEWRIGHT_APP_ID", "AWS_APP_ID"}
	branchVariable       = "GATEWRIGHT_BRANCH"
)

// CurrentBuild works out which build runs in a folder: from GATEWRIGHT_APP_ID
// and GATEWRIGHT_BRANCH, AWS_APP_ID and AWS_BRANCH, the branch then from the
// variables of well-known build systems and last from git. An empty variable is
// one that is not set.
//
// The build of a pull request has no branch of its own: a fork may call its
// branch main. Its error matches ErrPullRequest, that of a tag, a detached head
// or no git at all ErrNoBranch. The Build has its ApplicationID then all the
// same.
func CurrentBuild(dir string, getenv func(string) string) (Build, error) {
	var build Build
	var variable string
	for _, variable = range applicationVariables {
		if build.ApplicationID = getenv(variable); build.ApplicationID != "" {
			break
		}
	}
	if unseen(build.ApplicationID) {
		return Build{}, unseenProblem("application id", variable, build.ApplicationID, ErrRequest)
	}
	var err error
	build.Branch, build.From, err = currentBranch(dir, getenv)
	return build, err
}

// currentBranch is the branch of the build, and where that is known from.
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

// checkBranch refuses a branch that must not reach a terminal; git has none such.
func checkBranch(from, branch string) error {
	if unseen(branch) {
		return unseenProblem("branch", from, branch, ErrNoBranch)
	}
	return nil
}

// unseen reports whether a text has characters that are not to be seen.
func unseen(text string) bool {
	return !utf8.ValidString(text) || strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsPrint(r) })
}

func unseenProblem(field, from, value string, cause error) error {
	return &model.Problem{
		Field: field, Text: from + " has characters that are not to be seen: " + model.Quote(value),
		Fix: "give it without them", Cause: cause,
	}
}

// EnvironmentOf is the environment that builds of a branch deploy. The error, a
// *model.Problem that matches ErrNoEnvironment, names the environments that there
// are and what to do.
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
		problem.Text = fmt.Sprintf("no environment has the branch %s: there is none at all", model.Quote(branch))
		problem.Fix = "add one with: gatewright add env NAME"
	default:
		problem.Text = fmt.Sprintf("no environment has the branch %s; there is %s", model.Quote(branch), listed(b.Environments, withBranch))
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

// listed names things in a sentence.
func listed[T any](things []T, name func(T) string) string {
	names := make([]string, len(things))
	for i, thing := range things {
		names[i] = name(thing)
	}
	return model.List(names)
}
