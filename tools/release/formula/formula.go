// Package formula writes what package managers of users read to install a release from the
// place where its files lie: a formula for Homebrew and a manifest for Scoop.
package formula

import (
	"encoding/json"
	"fmt"
	"net/url"
	"regexp"
	"strings"
)

// Release is a release whose files lie somewhere.
type Release struct {
	Version string
	// Base is the address that the names of files are appended to.
	Base string
	// Sums has the SHA-256 of each file by its name.
	Sums map[string]string
}

var (
	plain    = regexp.MustCompile(`^[A-Za-z0-9._~:/%+-]+$`)
	download = regexp.MustCompile(`^(https://[^/]+/[^/]+/[^/]+)/releases/download/`)
)

// CheckBase says what is wrong with an address that files are to lie at.
func CheckBase(base string) error {
	u, err := url.Parse(base)
	if err != nil || u.Scheme != "https" || u.Host == "" || u.RawQuery != "" || u.Fragment != "" ||
		!plain.MatchString(base) {
		return fmt.Errorf("--base-url %q is not an address that files can lie at: write it as https://host/path", base)
	}
	return nil
}

// Repository is the repository on GitHub whose release has the files, or empty if they lie
// elsewhere.
func Repository(base string) string {
	if m := download.FindStringSubmatch(base); m != nil {
		return m[1]
	}
	return ""
}

// Homepage is the page of the project, as far as the address of the files tells it.
func Homepage(base string) string {
	if repository := Repository(base); repository != "" {
		return repository
	}
	return strings.TrimSuffix(base, "/")
}

func (r Release) place(system, arch, ending string) (address, sum string, err error) {
	name := fmt.Sprintf("gatewright_%s_%s_%s.%s", r.Version, system, arch, ending)
	sum, ok := r.Sums[name]
	if !ok {
		return "", "", fmt.Errorf("the release has no file %s", name)
	}
	return strings.TrimSuffix(r.Base, "/") + "/" + name, sum, nil
}

const description = "Design REST API backends from a terminal and run them on your machine"

// Homebrew writes the formula for macOS and Linux.
func Homebrew(r Release) (string, error) {
	var systems strings.Builder
	for _, system := range [][2]string{{"macos", "darwin"}, {"linux", "linux"}} {
		fmt.Fprintf(&systems, "\n  on_%s do\n", system[0])
		for _, arch := range [][2]string{{"arm", "arm64"}, {"intel", "amd64"}} {
			address, sum, err := r.place(system[1], arch[1], "tar.gz")
			if err != nil {
				return "", err
			}
			fmt.Fprintf(&systems, "    on_%s do\n      url %q\n      sha256 %q\n    end\n", arch[0], address, sum)
		}
		systems.WriteString("  end\n")
	}
	return fmt.Sprintf(`class Gatewright < Formula
  desc %q
  homepage %q
  version %q
  license "Apache-2.0"
%s
  def install
    bin.install "gatewright"
    man1.install Dir["man/man1/*.1"]
    bash_completion.install "completions/gatewright.bash" => "gatewright"
    zsh_completion.install "completions/_gatewright"
    fish_completion.install "completions/gatewright.fish"
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/gatewright version")
    system bin/"gatewright", "init", "--name", "shop"
    system bin/"gatewright", "validate"
    assert_path_exists testpath/"backend/project.json"
  end
end
`, description, Homepage(r.Base), r.Version, systems.String()), nil
}

// Scoop writes the manifest for Windows.
func Scoop(r Release) ([]byte, error) {
	type place struct {
		URL    string `json:"url"`
		Hash   string `json:"hash"`
		Folder string `json:"extract_dir"`
	}
	places := map[string]place{}
	for scoop, arch := range map[string]string{"64bit": "amd64", "arm64": "arm64"} {
		address, sum, err := r.place("windows", arch, "zip")
		if err != nil {
			return nil, err
		}
		places[scoop] = place{address, sum, fmt.Sprintf("gatewright_%s_windows_%s", r.Version, arch)}
	}
	out, err := json.MarshalIndent(struct {
		Version      string           `json:"version"`
		Description  string           `json:"description"`
		Homepage     string           `json:"homepage"`
		License      string           `json:"license"`
		Architecture map[string]place `json:"architecture"`
		Bin          string           `json:"bin"`
	}{r.Version, description, Homepage(r.Base), "Apache-2.0", places, "gatewright.exe"}, "", "  ")
	return append(out, '\n'), err
}
