package buildserver

import (
	"fmt"
	"slices"
	"strings"

	"gatewright/internal/text/phrase"
	"gatewright/model"
)

// buildSystem is what a well-known build system says about a build in environment variables. It counts only if its
// mark is there. Names and values are those of each system's own documentation.
type buildSystem struct {
	name string
	mark sign
	// branch are the variables with the branch; the first that is set counts.
	branch []branchSource
	// pullRequest and tag are the signs of a pull request or a tag: one is enough.
	pullRequest, tag []sign
}

// branchSource is a variable that has the branch.
type branchSource struct {
	name string
	// prefix precedes the branch in the value. If it is required, a value without it is no branch.
	prefix   string
	required bool
	// none is the value that means no branch.
	none string
}

// sign is a condition on the value of a variable.
type sign struct {
	variable string
	holds    func(value string) bool
}

func isSet(variable string) sign {
	return sign{variable, func(value string) bool { return value != "" }}
}

// isTrue accepts any value except "" and "false".
func isTrue(variable string) sign {
	return sign{variable, func(value string) bool { return value != "" && !strings.EqualFold(value, "false") }}
}

func is(variable, want string) sign {
	return sign{variable, func(value string) bool { return strings.EqualFold(value, want) }}
}

func begins(variable, prefix string) sign {
	return sign{variable, func(value string) bool { return strings.HasPrefix(value, prefix) }}
}

func branchIn(variable string) branchSource { return branchSource{name: variable} }

func refIn(variable, prefix string) branchSource {
	return branchSource{name: variable, prefix: prefix, required: true}
}

// buildSystems are in the order in which they are tried. TeamCity has no variable for the branch.
var buildSystems = []buildSystem{
	{
		// Amplify Hosting calls the branch of a preview pr-N.
		name: "Amplify Hosting", mark: isSet("AWS_BRANCH"), branch: []branchSource{branchIn("AWS_BRANCH")},
		pullRequest: []sign{isSet("AWS_PULL_REQUEST_ID")},
	},
	{
		// In pull_request_target the ref is the base branch.
		name: "GitHub Actions", mark: isTrue("GITHUB_ACTIONS"), branch: []branchSource{refIn("GITHUB_REF", "refs/heads/")},
		pullRequest: []sign{
			begins("GITHUB_EVENT_NAME", "pull_request"), begins("GITHUB_REF", "refs/pull/"),
			isSet("GITHUB_HEAD_REF"),
		},
		tag: []sign{begins("GITHUB_REF", "refs/tags/")},
	},
	{
		name: "GitLab CI/CD", mark: isTrue("GITLAB_CI"), branch: []branchSource{branchIn("CI_COMMIT_BRANCH")},
		pullRequest: []sign{
			isSet("CI_MERGE_REQUEST_IID"), isSet("CI_MERGE_REQUEST_ID"),
			isSet("CI_EXTERNAL_PULL_REQUEST_IID"),
		},
		tag: []sign{isSet("CI_COMMIT_TAG")},
	},
	{
		// CIRCLE_PULL_REQUEST is set for every branch that has a request open;
		// these variables are set for the branches of forks.
		name: "CircleCI", mark: isTrue("CIRCLECI"), branch: []branchSource{branchIn("CIRCLE_BRANCH")},
		pullRequest: []sign{isSet("CIRCLE_PR_NUMBER"), isSet("CIRCLE_PR_USERNAME"), begins("CIRCLE_BRANCH", "pull/")},
		tag:         []sign{isSet("CIRCLE_TAG")},
	},
	{
		// The branch is the base branch of a request, or a tag's name.
		name: "Travis CI", mark: isTrue("TRAVIS"), branch: []branchSource{branchIn("TRAVIS_BRANCH")},
		pullRequest: []sign{isTrue("TRAVIS_PULL_REQUEST")}, tag: []sign{isSet("TRAVIS_TAG")},
	},
	{
		name: "Bitbucket Pipelines", mark: isSet("BITBUCKET_BUILD_NUMBER"),
		branch:      []branchSource{branchIn("BITBUCKET_BRANCH")},
		pullRequest: []sign{isSet("BITBUCKET_PR_ID")}, tag: []sign{isSet("BITBUCKET_TAG")},
	},
	{
		name: "Buildkite", mark: isTrue("BUILDKITE"), branch: []branchSource{branchIn("BUILDKITE_BRANCH")},
		pullRequest: []sign{isTrue("BUILDKITE_PULL_REQUEST")}, tag: []sign{isSet("BUILDKITE_TAG")},
	},
	{
		// The branch is the base branch of a request.
		name: "Drone", mark: isTrue("DRONE"), branch: []branchSource{branchIn("DRONE_BRANCH")},
		pullRequest: []sign{is("DRONE_BUILD_EVENT", "pull_request"), isSet("DRONE_PULL_REQUEST")},
		tag:         []sign{is("DRONE_BUILD_EVENT", "tag"), isSet("DRONE_TAG")},
	},
	{
		// The branch is the base branch of a request.
		name: "Woodpecker", mark: is("CI", "woodpecker"), branch: []branchSource{branchIn("CI_COMMIT_BRANCH")},
		pullRequest: []sign{
			begins("CI_PIPELINE_EVENT", "pull_request"), begins("CI_BUILD_EVENT", "pull_request"),
			isSet("CI_COMMIT_PULL_REQUEST"),
		},
		tag: []sign{is("CI_PIPELINE_EVENT", "tag"), isSet("CI_COMMIT_TAG")},
	},
	{
		name: "CodeBuild", mark: isSet("CODEBUILD_BUILD_ID"),
		branch:      []branchSource{refIn("CODEBUILD_WEBHOOK_TRIGGER", "branch/")},
		pullRequest: []sign{begins("CODEBUILD_WEBHOOK_TRIGGER", "pr/"), begins("CODEBUILD_WEBHOOK_EVENT", "PULL_REQUEST")},
		tag:         []sign{begins("CODEBUILD_WEBHOOK_TRIGGER", "tag/")},
	},
	{
		name: "Azure Pipelines", mark: isTrue("TF_BUILD"), branch: []branchSource{refIn("BUILD_SOURCEBRANCH", "refs/heads/")},
		pullRequest: []sign{
			is("BUILD_REASON", "PullRequest"), isSet("SYSTEM_PULLREQUEST_PULLREQUESTID"),
			begins("BUILD_SOURCEBRANCH", "refs/pull/"),
		},
		tag: []sign{begins("BUILD_SOURCEBRANCH", "refs/tags/")},
	},
	{
		name: "Jenkins", mark: isSet("JENKINS_URL"),
		branch: []branchSource{
			branchIn("BRANCH_NAME"), branchIn("GIT_LOCAL_BRANCH"),
			{name: "GIT_BRANCH", prefix: "origin/", none: "detached"},
		},
		pullRequest: []sign{
			isSet("CHANGE_ID"), isSet("ghprbPullId"), isSet("gitlabMergeRequestIid"),
			isSet("gitlabMergeRequestId"),
		},
		tag: []sign{isSet("TAG_NAME")},
	},
	{
		name: "Netlify", mark: isTrue("NETLIFY"), branch: []branchSource{branchIn("BRANCH")},
		pullRequest: []sign{isTrue("PULL_REQUEST"), is("CONTEXT", "deploy-preview")},
	},
	{
		name: "Vercel", mark: isTrue("VERCEL"), branch: []branchSource{branchIn("VERCEL_GIT_COMMIT_REF")},
		pullRequest: []sign{isSet("VERCEL_GIT_PULL_REQUEST_ID")},
	},
	{
		// Neither system of Cloudflare builds the pull requests of forks.
		name: "Cloudflare Pages", mark: isTrue("CF_PAGES"), branch: []branchSource{branchIn("CF_PAGES_BRANCH")},
	},
	{
		name: "Cloudflare Workers Builds", mark: isTrue("WORKERS_CI"), branch: []branchSource{branchIn("WORKERS_CI_BRANCH")},
	},
	{
		// The branch is the base branch of a request.
		name: "AppVeyor", mark: isTrue("APPVEYOR"), branch: []branchSource{branchIn("APPVEYOR_REPO_BRANCH")},
		pullRequest: []sign{isSet("APPVEYOR_PULL_REQUEST_NUMBER")}, tag: []sign{isTrue("APPVEYOR_REPO_TAG")},
	},
	{
		// The branch is the base branch of a request.
		name: "Semaphore", mark: isTrue("SEMAPHORE"), branch: []branchSource{branchIn("SEMAPHORE_GIT_BRANCH")},
		pullRequest: []sign{is("SEMAPHORE_GIT_REF_TYPE", "pull-request"), isSet("SEMAPHORE_GIT_PR_NUMBER")},
		tag:         []sign{is("SEMAPHORE_GIT_REF_TYPE", "tag"), isSet("SEMAPHORE_GIT_TAG_NAME")},
	},
	{
		name: "Cirrus CI", mark: isTrue("CIRRUS_CI"), branch: []branchSource{branchIn("CIRRUS_BRANCH")},
		pullRequest: []sign{isSet("CIRRUS_PR")}, tag: []sign{isSet("CIRRUS_TAG")},
	},
	{
		name: "Bitrise", mark: isTrue("BITRISE_IO"), branch: []branchSource{branchIn("BITRISE_GIT_BRANCH")},
		pullRequest: []sign{isTrue("BITRISE_PULL_REQUEST")}, tag: []sign{isSet("BITRISE_GIT_TAG")},
	},
	{
		name: "Codemagic", mark: isSet("CM_BUILD_ID"), branch: []branchSource{branchIn("CM_BRANCH")},
		pullRequest: []sign{isTrue("CM_PULL_REQUEST")}, tag: []sign{isSet("CM_TAG")},
	},
	{
		name: "Render", mark: isTrue("RENDER"), branch: []branchSource{branchIn("RENDER_GIT_BRANCH")},
		pullRequest: []sign{isTrue("IS_PULL_REQUEST")},
	},
}

// buildBranch returns the branch from the variables of a build system, and its source;
// both are empty if no build system runs.
func buildBranch(getenv func(string) string) (branch, from string, err error) {
	holds := func(s sign) bool { return s.holds(getenv(s.variable)) }
	for _, system := range buildSystems {
		if !holds(system.mark) {
			continue
		}
		refuse := func(signs []sign, what string, cause error) error {
			i := slices.IndexFunc(signs, holds)
			if i < 0 {
				return nil
			}
			return &model.Problem{
				Field: "branch",
				Text: fmt.Sprintf("%s builds %s, as %s says (%s)", system.name, what, signs[i].variable,
					phrase.Quote(getenv(signs[i].variable))),
				Fix: giveBranch, Cause: cause,
			}
		}
		if err := refuse(system.pullRequest, "a pull request, which has no branch of its own", ErrPullRequest); err != nil {
			return "", "", err
		}
		if err := refuse(system.tag, "a tag, which has no branch", ErrNoBranch); err != nil {
			return "", "", err
		}
		for _, variable := range system.branch {
			if branch := variable.in(getenv(variable.name)); branch != "" {
				return branch, "the variable " + variable.name, checkBranch(variable.name, branch)
			}
		}
	}
	return "", "", nil
}

// in returns the branch in the variable's value, "" if it has none.
func (v branchSource) in(value string) string {
	branch, found := strings.CutPrefix(value, v.prefix)
	if v.required && !found || v.none != "" && value == v.none {
		return ""
	}
	return branch
}

// IsCI reports whether a build system runs the program, by the variable CI, which
// most of them set, or by a system's own variable. CI=false means no.
func IsCI(getenv func(string) string) bool {
	switch ci := getenv("CI"); {
	case strings.EqualFold(ci, "false") || ci == "0":
		return false
	case ci != "":
		return true
	}
	if isTrue("CONTINUOUS_INTEGRATION").holds(getenv("CONTINUOUS_INTEGRATION")) || getenv("TEAMCITY_VERSION") != "" {
		return true
	}
	return slices.ContainsFunc(buildSystems, func(s buildSystem) bool { return s.mark.holds(getenv(s.mark.variable)) })
}
