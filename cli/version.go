package cli

import (
	"fmt"
	"regexp"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"gatewright/cli/command"
	"gatewright/cli/licence"
	"gatewright/schemas"
)

// The version of the program, the commit that it was built from, and the date of that commit
// (RFC 3339, UTC). The build of a release sets all three; in another build they are empty and
// what the go command recorded is used.
var (
	Version = ""
	Commit  = ""
	Date    = ""
)

// development is the version of a program that was not built as a release.
const development = "0.1.0-dev"

// versions is the report of the command version.
type versions struct {
	Version  string          `json:"version"`
	Commit   string          `json:"commit,omitempty"`
	Date     string          `json:"date,omitempty"`
	Modified bool            `json:"modified,omitempty"`
	Go       string          `json:"go"`
	Platform string          `json:"platform"`
	Schemas  []schemaVersion `json:"schemas"`
}

// schemaVersion is the schema of one kind of file.
type schemaVersion struct {
	Name string `json:"name"`
	ID   string `json:"id"`
}

func newVersion(command.Streams) *cobra.Command {
	var asJSON, licences bool
	cmd := &cobra.Command{
		Use:   "version",
		Short: "Show the version of gatewright",
		Long: "Show the version of gatewright, the commit that it was built from, and how it was built. --json also lists " +
			"the\n" +
			"schemas of the files that it reads. --licenses shows the licences of gatewright and of all code in it instead.",
		Example: "  gatewright version\n  gatewright version --json\n  gatewright version --licenses",
		Args:    command.Arguments(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			v := currentVersions()
			if licences {
				all, err := licence.OfProgram(v.Version)
				if err != nil {
					return err
				}
				return command.Print(cmd.OutOrStdout(), asJSON, all.Modules, func(int) string { return all.Document() })
			}
			if asJSON {
				for _, name := range schemas.Names() {
					v.Schemas = append(v.Schemas, schemaVersion{name, schemas.ID(name)})
				}
			}
			return command.Print(cmd.OutOrStdout(), asJSON, v, func(int) string { return v.line() })
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "report as JSON")
	cmd.Flags().BoolVar(&licences, "licenses", false, "show the licences of gatewright and of all code in it")
	return cmd
}

// currentVersions describes this program.
func currentVersions() versions {
	info, _ := debug.ReadBuildInfo()
	return versionsOf(Version, Commit, Date, info)
}

// versionsOf fills in what a release does not set from the build's own information, which is
// nil for a program that was built without modules.
func versionsOf(version, commit, date string, info *debug.BuildInfo) versions {
	v := versions{
		Version: version, Commit: commit, Date: date, Go: runtime.Version(),
		Platform: runtime.GOOS + "/" + runtime.GOARCH,
	}
	if info == nil {
		info = &debug.BuildInfo{}
	}
	if v.Version == "" && commit == "" {
		for _, s := range info.Settings {
			switch s.Key {
			case "vcs.revision":
				v.Commit = s.Value
			case "vcs.time":
				v.Date = s.Value
			case "vcs.modified":
				v.Modified = s.Value == "true"
			}
		}
	}
	if v.Version == "" {
		v.Version = development
		// The go command makes a version from the tag of a clone, or from its last commit.
		if tagged := strings.TrimPrefix(info.Main.Version, "v"); isRelease(tagged) {
			v.Version = tagged
		}
	}
	return v
}

// isRelease reports whether a version of the go command is that of a tag, and not made up from
// a commit (https://go.dev/ref/mod#pseudo-versions) or a changed tree (+dirty).
func isRelease(version string) bool {
	pseudo := regexp.MustCompile(`[-.]\d{14}-[0-9a-f]{12}$`)
	return version != "" && version != "(devel)" && !strings.Contains(version, "+") && !pseudo.MatchString(version)
}

// line is the version in one line.
func (v versions) line() string {
	var about []string
	if v.Commit != "" {
		commit := "commit " + v.Commit[:min(len(v.Commit), 12)]
		if v.Modified {
			commit += " with changes"
		}
		about = append(about, commit)
	}
	if day, _, ok := strings.Cut(v.Date, "T"); ok {
		about = append(about, day)
	}
	about = append(about, v.Go, v.Platform)
	return fmt.Sprintf("gatewright %s (%s)\n", v.Version, strings.Join(about, ", "))
}
