package buildserver_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"gatewright/deploy/buildserver"
	"gatewright/deploy/index"
	"gatewright/model"
)

// variables returns a getenv with only these values.
func variables(values map[string]string) func(string) string {
	return func(name string) string { return values[name] }
}

// Each case has the variables that the system sets in such a build.
var builds = []struct {
	system string
	set    map[string]string
	branch string
	from   string
	err    error
}{
	{"Amplify Hosting", map[string]string{"AWS_APP_ID": "d123", "AWS_BRANCH": "main"}, "main", "the variable AWS_BRANCH", nil},
	{"Amplify Hosting", map[string]string{"AWS_BRANCH": "pr-7", "AWS_PULL_REQUEST_ID": "7"}, "", "", buildserver.ErrPullRequest},
	{"Amplify Hosting", map[string]string{"AWS_BRANCH": "main", "GITHUB_ACTIONS": "true", "GITHUB_REF": "refs/heads/other"}, "main", "the variable AWS_BRANCH", nil},

	{"GitHub Actions", map[string]string{"GITHUB_ACTIONS": "true", "GITHUB_EVENT_NAME": "push", "GITHUB_REF": "refs/heads/feature/a", "GITHUB_HEAD_REF": ""}, "feature/a", "the variable GITHUB_REF", nil},
	{"GitHub Actions", map[string]string{"GITHUB_ACTIONS": "true", "GITHUB_EVENT_NAME": "pull_request", "GITHUB_REF": "refs/pull/3/merge", "GITHUB_HEAD_REF": "main"}, "", "", buildserver.ErrPullRequest},
	{"GitHub Actions", map[string]string{"GITHUB_ACTIONS": "true", "GITHUB_EVENT_NAME": "pull_request_target", "GITHUB_REF": "refs/heads/main", "GITHUB_HEAD_REF": "main"}, "", "", buildserver.ErrPullRequest},
	{"GitHub Actions", map[string]string{"GITHUB_ACTIONS": "true", "GITHUB_EVENT_NAME": "pull_request_review", "GITHUB_REF": "refs/pull/3/merge"}, "", "", buildserver.ErrPullRequest},
	{"GitHub Actions", map[string]string{"GITHUB_ACTIONS": "true", "GITHUB_EVENT_NAME": "release", "GITHUB_REF": "refs/tags/main"}, "", "", buildserver.ErrNoBranch},

	{"GitLab CI/CD", map[string]string{"GITLAB_CI": "true", "CI_COMMIT_BRANCH": "main"}, "main", "the variable CI_COMMIT_BRANCH", nil},
	{"GitLab CI/CD", map[string]string{"GITLAB_CI": "true", "CI_MERGE_REQUEST_IID": "4", "CI_MERGE_REQUEST_SOURCE_BRANCH_NAME": "main"}, "", "", buildserver.ErrPullRequest},
	{"GitLab CI/CD", map[string]string{"GITLAB_CI": "true", "CI_COMMIT_BRANCH": "main", "CI_EXTERNAL_PULL_REQUEST_IID": "4"}, "", "", buildserver.ErrPullRequest},
	{"GitLab CI/CD", map[string]string{"GITLAB_CI": "true", "CI_COMMIT_TAG": "v1"}, "", "", buildserver.ErrNoBranch},

	{"CircleCI", map[string]string{"CIRCLECI": "true", "CIRCLE_BRANCH": "develop", "CIRCLE_PULL_REQUEST": "https://example.com/pull/1"}, "develop", "the variable CIRCLE_BRANCH", nil},
	{"CircleCI", map[string]string{"CIRCLECI": "true", "CIRCLE_BRANCH": "pull/12"}, "", "", buildserver.ErrPullRequest},
	{"CircleCI", map[string]string{"CIRCLECI": "true", "CIRCLE_BRANCH": "main", "CIRCLE_PR_NUMBER": "12"}, "", "", buildserver.ErrPullRequest},
	{"CircleCI", map[string]string{"CIRCLECI": "true", "CIRCLE_TAG": "v1"}, "", "", buildserver.ErrNoBranch},

	{"Travis CI", map[string]string{"TRAVIS": "true", "TRAVIS_BRANCH": "main", "TRAVIS_PULL_REQUEST": "false"}, "main", "the variable TRAVIS_BRANCH", nil},
	{"Travis CI", map[string]string{"TRAVIS": "true", "TRAVIS_BRANCH": "main", "TRAVIS_PULL_REQUEST": "9"}, "", "", buildserver.ErrPullRequest},
	{"Travis CI", map[string]string{"TRAVIS": "true", "TRAVIS_BRANCH": "v1", "TRAVIS_PULL_REQUEST": "false", "TRAVIS_TAG": "v1"}, "", "", buildserver.ErrNoBranch},

	{"Bitbucket Pipelines", map[string]string{"BITBUCKET_BUILD_NUMBER": "1", "BITBUCKET_BRANCH": "main"}, "main", "the variable BITBUCKET_BRANCH", nil},
	{"Bitbucket Pipelines", map[string]string{"BITBUCKET_BUILD_NUMBER": "1", "BITBUCKET_BRANCH": "main", "BITBUCKET_PR_ID": "1"}, "", "", buildserver.ErrPullRequest},
	{"Bitbucket Pipelines", map[string]string{"BITBUCKET_BUILD_NUMBER": "1", "BITBUCKET_TAG": "v1"}, "", "", buildserver.ErrNoBranch},

	{"Buildkite", map[string]string{"BUILDKITE": "true", "BUILDKITE_BRANCH": "main", "BUILDKITE_PULL_REQUEST": "false"}, "main", "the variable BUILDKITE_BRANCH", nil},
	{"Buildkite", map[string]string{"BUILDKITE": "true", "BUILDKITE_BRANCH": "main", "BUILDKITE_PULL_REQUEST": "5"}, "", "", buildserver.ErrPullRequest},
	{"Buildkite", map[string]string{"BUILDKITE": "true", "BUILDKITE_BRANCH": "main", "BUILDKITE_PULL_REQUEST": "false", "BUILDKITE_TAG": "v1"}, "", "", buildserver.ErrNoBranch},

	{"Drone", map[string]string{"DRONE": "true", "DRONE_BRANCH": "main", "DRONE_BUILD_EVENT": "push"}, "main", "the variable DRONE_BRANCH", nil},
	{"Drone", map[string]string{"DRONE": "true", "DRONE_BRANCH": "main", "DRONE_BUILD_EVENT": "pull_request", "DRONE_PULL_REQUEST": "5"}, "", "", buildserver.ErrPullRequest},
	{"Drone", map[string]string{"DRONE": "true", "DRONE_BRANCH": "main", "DRONE_BUILD_EVENT": "tag", "DRONE_TAG": "v1"}, "", "", buildserver.ErrNoBranch},

	{"Woodpecker", map[string]string{"CI": "woodpecker", "CI_COMMIT_BRANCH": "main", "CI_PIPELINE_EVENT": "push"}, "main", "the variable CI_COMMIT_BRANCH", nil},
	{"Woodpecker", map[string]string{"CI": "woodpecker", "CI_COMMIT_BRANCH": "main", "CI_PIPELINE_EVENT": "pull_request_closed"}, "", "", buildserver.ErrPullRequest},
	{"Woodpecker", map[string]string{"CI": "woodpecker", "CI_COMMIT_BRANCH": "main", "CI_PIPELINE_EVENT": "tag", "CI_COMMIT_TAG": "v1"}, "", "", buildserver.ErrNoBranch},

	{"CodeBuild", map[string]string{"CODEBUILD_BUILD_ID": "a:1", "CODEBUILD_WEBHOOK_TRIGGER": "branch/feature/a"}, "feature/a", "the variable CODEBUILD_WEBHOOK_TRIGGER", nil},
	{"CodeBuild", map[string]string{"CODEBUILD_BUILD_ID": "a:1", "CODEBUILD_WEBHOOK_TRIGGER": "pr/1", "CODEBUILD_WEBHOOK_HEAD_REF": "refs/heads/main"}, "", "", buildserver.ErrPullRequest},
	{"CodeBuild", map[string]string{"CODEBUILD_BUILD_ID": "a:1", "CODEBUILD_WEBHOOK_TRIGGER": "tag/v1"}, "", "", buildserver.ErrNoBranch},

	{"Azure Pipelines", map[string]string{"TF_BUILD": "True", "BUILD_SOURCEBRANCH": "refs/heads/feature/a", "BUILD_REASON": "IndividualCI"}, "feature/a", "the variable BUILD_SOURCEBRANCH", nil},
	{"Azure Pipelines", map[string]string{"TF_BUILD": "True", "BUILD_SOURCEBRANCH": "refs/pull/1/merge", "BUILD_REASON": "PullRequest"}, "", "", buildserver.ErrPullRequest},
	{"Azure Pipelines", map[string]string{"TF_BUILD": "True", "BUILD_SOURCEBRANCH": "refs/tags/v1"}, "", "", buildserver.ErrNoBranch},
	{"Azure Pipelines", map[string]string{"TF_BUILD": "True", "BUILD_SOURCEBRANCH": "$/project/main"}, "", "", buildserver.ErrNoBranch},

	{"Jenkins", map[string]string{"JENKINS_URL": "https://ci.example", "GIT_BRANCH": "origin/main"}, "main", "the variable GIT_BRANCH", nil},
	{"Jenkins", map[string]string{"JENKINS_URL": "https://ci.example", "BRANCH_NAME": "origin/main", "GIT_BRANCH": "other"}, "origin/main", "the variable BRANCH_NAME", nil},
	{"Jenkins", map[string]string{"JENKINS_URL": "https://ci.example", "BRANCH_NAME": "PR-1", "CHANGE_ID": "1", "CHANGE_BRANCH": "main"}, "", "", buildserver.ErrPullRequest},
	{"Jenkins", map[string]string{"JENKINS_URL": "https://ci.example", "GIT_BRANCH": "origin/main", "ghprbPullId": "1"}, "", "", buildserver.ErrPullRequest},
	{"Jenkins", map[string]string{"JENKINS_URL": "https://ci.example", "BRANCH_NAME": "v1", "TAG_NAME": "v1"}, "", "", buildserver.ErrNoBranch},
	{"Jenkins", map[string]string{"JENKINS_URL": "https://ci.example", "GIT_BRANCH": "detached"}, "", "", buildserver.ErrNoBranch},

	{"Netlify", map[string]string{"NETLIFY": "true", "BRANCH": "main", "PULL_REQUEST": "false", "CONTEXT": "production"}, "main", "the variable BRANCH", nil},
	{"Netlify", map[string]string{"NETLIFY": "true", "BRANCH": "main", "HEAD": "main", "PULL_REQUEST": "true", "CONTEXT": "deploy-preview"}, "", "", buildserver.ErrPullRequest},

	{"Vercel", map[string]string{"VERCEL": "1", "VERCEL_GIT_COMMIT_REF": "main", "VERCEL_GIT_PULL_REQUEST_ID": ""}, "main", "the variable VERCEL_GIT_COMMIT_REF", nil},
	{"Vercel", map[string]string{"VERCEL": "1", "VERCEL_GIT_COMMIT_REF": "main", "VERCEL_GIT_PULL_REQUEST_ID": "23"}, "", "", buildserver.ErrPullRequest},

	{"Cloudflare Pages", map[string]string{"CF_PAGES": "1", "CF_PAGES_BRANCH": "main"}, "main", "the variable CF_PAGES_BRANCH", nil},
	{"Cloudflare Workers Builds", map[string]string{"WORKERS_CI": "1", "WORKERS_CI_BRANCH": "main"}, "main", "the variable WORKERS_CI_BRANCH", nil},

	{"AppVeyor", map[string]string{"APPVEYOR": "True", "APPVEYOR_REPO_BRANCH": "main", "APPVEYOR_REPO_TAG": "false"}, "main", "the variable APPVEYOR_REPO_BRANCH", nil},
	{"AppVeyor", map[string]string{"APPVEYOR": "True", "APPVEYOR_REPO_BRANCH": "main", "APPVEYOR_PULL_REQUEST_NUMBER": "1"}, "", "", buildserver.ErrPullRequest},
	{"AppVeyor", map[string]string{"APPVEYOR": "True", "APPVEYOR_REPO_BRANCH": "main", "APPVEYOR_REPO_TAG": "true", "APPVEYOR_REPO_TAG_NAME": "v1"}, "", "", buildserver.ErrNoBranch},

	{"Semaphore", map[string]string{"SEMAPHORE": "true", "SEMAPHORE_GIT_BRANCH": "main", "SEMAPHORE_GIT_REF_TYPE": "branch"}, "main", "the variable SEMAPHORE_GIT_BRANCH", nil},
	{"Semaphore", map[string]string{"SEMAPHORE": "true", "SEMAPHORE_GIT_BRANCH": "main", "SEMAPHORE_GIT_REF_TYPE": "pull-request"}, "", "", buildserver.ErrPullRequest},
	{"Semaphore", map[string]string{"SEMAPHORE": "true", "SEMAPHORE_GIT_BRANCH": "main", "SEMAPHORE_GIT_REF_TYPE": "tag"}, "", "", buildserver.ErrNoBranch},

	{"Cirrus CI", map[string]string{"CIRRUS_CI": "true", "CIRRUS_BRANCH": "main"}, "main", "the variable CIRRUS_BRANCH", nil},
	{"Cirrus CI", map[string]string{"CIRRUS_CI": "true", "CIRRUS_BRANCH": "pull/1", "CIRRUS_PR": "1"}, "", "", buildserver.ErrPullRequest},
	{"Cirrus CI", map[string]string{"CIRRUS_CI": "true", "CIRRUS_BRANCH": "v1", "CIRRUS_TAG": "v1"}, "", "", buildserver.ErrNoBranch},

	{"Bitrise", map[string]string{"BITRISE_IO": "true", "BITRISE_GIT_BRANCH": "main"}, "main", "the variable BITRISE_GIT_BRANCH", nil},
	{"Bitrise", map[string]string{"BITRISE_IO": "true", "BITRISE_GIT_BRANCH": "main", "BITRISE_PULL_REQUEST": "1"}, "", "", buildserver.ErrPullRequest},
	{"Bitrise", map[string]string{"BITRISE_IO": "true", "BITRISE_GIT_BRANCH": "main", "BITRISE_GIT_TAG": "v1"}, "", "", buildserver.ErrNoBranch},

	{"Codemagic", map[string]string{"CM_BUILD_ID": "1", "CM_BRANCH": "main", "CM_PULL_REQUEST": "false"}, "main", "the variable CM_BRANCH", nil},
	{"Codemagic", map[string]string{"CM_BUILD_ID": "1", "CM_BRANCH": "main", "CM_PULL_REQUEST": "true"}, "", "", buildserver.ErrPullRequest},
	{"Codemagic", map[string]string{"CM_BUILD_ID": "1", "CM_BRANCH": "main", "CM_TAG": "v1"}, "", "", buildserver.ErrNoBranch},

	{"Render", map[string]string{"RENDER": "true", "RENDER_GIT_BRANCH": "main", "IS_PULL_REQUEST": "false"}, "main", "the variable RENDER_GIT_BRANCH", nil},
	{"Render", map[string]string{"RENDER": "true", "RENDER_GIT_BRANCH": "main", "IS_PULL_REQUEST": "true"}, "", "", buildserver.ErrPullRequest},
}

func TestTheBranchOfABuild(t *testing.T) {
	t.Parallel()
	tried := make(map[string]bool)
	for _, tt := range builds {
		tried[tt.system] = tried[tt.system] || tt.err == nil
		got, err := buildserver.Current(t.TempDir(), variables(tt.set))
		if got.Branch != tt.branch || got.From != tt.from || !errors.Is(err, tt.err) {
			t.Errorf("%s %v: %+v, %v", tt.system, tt.set, got, err)
		}
		if err != nil && (!strings.Contains(err.Error(), "--branch") || strings.Contains(err.Error(), "\n")) {
			t.Errorf("%s: the error does not say what to do in one line: %v", tt.system, err)
		}
	}
	for _, name := range buildserver.BuildSystems() {
		if !tried[name] {
			t.Errorf("no case has a branch of %s", name)
		}
	}
}

func TestVariablesOfASystemThatDoesNotRunAreIgnored(t *testing.T) {
	t.Parallel()
	marks := []string{
		"AWS_BRANCH", "GITHUB_ACTIONS", "GITLAB_CI", "CIRCLECI", "TRAVIS", "BITBUCKET_BUILD_NUMBER", "BUILDKITE", "DRONE", "CI", "CODEBUILD_BUILD_ID", "TF_BUILD", "JENKINS_URL",
		"NETLIFY", "VERCEL", "CF_PAGES", "WORKERS_CI", "APPVEYOR", "SEMAPHORE", "CIRRUS_CI", "BITRISE_IO", "CM_BUILD_ID", "RENDER",
	}
	for _, tt := range builds {
		unmarked := func(name string) string {
			if slices.Contains(marks, name) {
				return ""
			}
			return tt.set[name]
		}
		got, err := buildserver.Current(t.TempDir(), unmarked)
		if got.Branch != "" || !errors.Is(err, buildserver.ErrNoBranch) || errors.Is(err, buildserver.ErrPullRequest) || buildserver.IsCI(unmarked) {
			t.Errorf("%s %v: %+v, %v", tt.system, tt.set, got, err)
		}
	}
}

func TestOwnVariablesAreStrongerThanThoseOfBuildSystems(t *testing.T) {
	t.Parallel()
	set := map[string]string{
		"GATEWRIGHT_APP_ID": "own", "AWS_APP_ID": "d123", "GATEWRIGHT_BRANCH": "main", "AWS_BRANCH": "pr-1", "AWS_PULL_REQUEST_ID": "1",
		"GITHUB_ACTIONS": "true", "GITHUB_EVENT_NAME": "pull_request",
	}
	got, err := buildserver.Current(t.TempDir(), variables(set))
	if want := (buildserver.Build{ApplicationID: "own", Branch: "main", From: "the variable GATEWRIGHT_BRANCH"}); err != nil || got != want {
		t.Errorf("%+v, %v", got, err)
	}
	set["GATEWRIGHT_APP_ID"], set["GATEWRIGHT_BRANCH"] = "", ""
	if got, err = buildserver.Current(t.TempDir(), variables(set)); got.ApplicationID != "d123" || !errors.Is(err, buildserver.ErrPullRequest) {
		t.Errorf("with empty variables: %+v, %v", got, err)
	}
}

func TestUnprintableValuesAreRefused(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"GATEWRIGHT_APP_ID", "AWS_APP_ID", "GATEWRIGHT_BRANCH", "AWS_BRANCH"} {
		for _, value := range []string{"main\x1b[2J", "main\n", "\u202emain", "ma\xffin"} {
			got, err := buildserver.Current(t.TempDir(), variables(map[string]string{name: value}))
			if err == nil || strings.Contains(err.Error(), value) || !strings.Contains(err.Error(), name) {
				t.Errorf("%s=%q: %+v, %v", name, value, got, err)
			}
		}
	}
}

func TestABuildSystemIsKnownWhenItRuns(t *testing.T) {
	t.Parallel()
	for _, tt := range builds {
		if !buildserver.IsCI(variables(tt.set)) {
			t.Errorf("%s %v is not recognized as a build system", tt.system, tt.set)
		}
	}
	for _, tt := range []struct {
		set  map[string]string
		want bool
	}{
		{nil, false},
		{map[string]string{"CI": "true"}, true},
		{map[string]string{"CI": "1"}, true},
		{map[string]string{"CI": "false"}, false},
		{map[string]string{"CI": "false", "GITHUB_ACTIONS": "true"}, false},
		{map[string]string{"GITHUB_ACTIONS": "false"}, false},
		{map[string]string{"TEAMCITY_VERSION": "2025.11"}, true},
		{map[string]string{"BRANCH": "main", "TERM": "xterm"}, false},
	} {
		if got := buildserver.IsCI(variables(tt.set)); got != tt.want {
			t.Errorf("%v: %v", tt.set, got)
		}
	}
}

func TestTheEnvironmentOfABranch(t *testing.T) {
	t.Parallel()
	b := &model.Backend{Environments: []*model.Environment{{Name: "dev"}, {Name: "prod", Branch: "main"}, {Name: "qa", Branch: "release/\x1b"}}}
	for branch, want := range map[string]string{"dev": "dev", "main": "prod"} {
		if env, err := index.EnvironmentOf(b, branch); err != nil || env.Name != want {
			t.Errorf("%s: %v, %v", branch, env, err)
		}
	}
	_, err := index.EnvironmentOf(b, "prod")
	want := `branch: no environment has the branch prod; the environments are dev, prod (branch main), qa (branch "release/\x1b"); give the branch of one of them with --branch, or run: gatewright update env NAME --branch BRANCH`
	if !errors.Is(err, index.ErrNoEnvironment) || err.Error() != want {
		t.Errorf("another branch: %v", err)
	}
	b.Environments[0].Branch = "main"
	if _, err := index.EnvironmentOf(b, "main"); !errors.Is(err, index.ErrNoEnvironment) || !strings.Contains(err.Error(), "more than one environment: dev, prod") {
		t.Errorf("a branch of two: %v", err)
	}
	if _, err := index.EnvironmentOf(&model.Backend{}, "main"); !errors.Is(err, index.ErrNoEnvironment) || !strings.Contains(err.Error(), "gatewright add env") {
		t.Errorf("no environment at all: %v", err)
	}
}
