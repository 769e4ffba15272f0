package linux

import (
	"fmt"
	"strings"
	"time"
)

// overrides tells lintian what is so on purpose.
const overrides = `# Go links programs statically, so that one package runs on every release of Debian.
gatewright: statically-linked-binary [usr/bin/gatewright]
# The program looks for sensible-editor, and does without it.
gatewright: missing-depends-on-sensible-utils sensible-editor [usr/bin/gatewright]
# The package is not in the archive of Debian, so no bug there asks for it.
gatewright: initial-upload-closes-no-bugs [usr/share/doc/gatewright/changelog.Debian.gz:1]
`

// copyright is the file that Debian's policy asks for, in its machine-readable form
// (https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/).
func (p Package) copyright() string {
	var source string
	if p.Homepage != "" {
		source = "Source: " + p.Homepage + "\n"
	}
	return fmt.Sprintf(`Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: gatewright
%sComment:
 The program contains Go packages of others. Their authors and licences are in
 /usr/share/doc/gatewright/THIRD-PARTY-LICENSES.txt.

Files: *
Copyright: %d the authors of gatewright
License: Apache-2.0
 Licensed under the Apache License, Version 2.0 (the "License"); you may not use
 this file except in compliance with the License. You may obtain a copy of the
 License at
 .
  https://www.apache.org/licenses/LICENSE-2.0
 .
 Unless required by applicable law or agreed to in writing, software distributed
 under the License is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR
 CONDITIONS OF ANY KIND, either express or implied. See the License for the
 specific language governing permissions and limitations under the License.
 .
 On Debian systems, the full text of the Apache License, Version 2.0 is in
 /usr/share/common-licenses/Apache-2.0.
`, source, p.Date.Year())
}

// debianChangelog is the changelog of the package; what changed in the program is in the
// other one.
func (p Package) debianChangelog() string {
	return fmt.Sprintf("gatewright (%s) unstable; urgency=medium\n\n  * changelog.gz says what is new.\n\n -- %s  %s\n",
		debianVersion(p.Version), p.Author, p.Date.UTC().Format(time.RFC1123Z))
}

// debianVersion writes a version as dpkg compares it: what comes before a release has a
// tilde, and the package has a revision.
func debianVersion(version string) string {
	return strings.Replace(version, "-", "~", 1) + "-1"
}
