//go:build linux

package main

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"
)

// way is a way to install the program.
type way struct {
	name string
	// install and remove are scripts that root runs.
	install, remove string
	// path is where the program is, if it is not where programs are.
	path string
	// files are files that must be there as well.
	files []string
	// judge reads what install printed, if nothing is to be installed.
	judge func(out string) (string, error)
}

// session is what a new user does, from an empty folder to an answered call.
const session = `set -e
run() { echo "\$ $*"; "$@"; }
rm -rf "$HOME/shop"; mkdir "$HOME/shop"; cd "$HOME/shop"
run gatewright version
run gatewright init --name shop --app-id d1shop --region eu-west-1
cat >answers.json <<'END'
{"version": 1, "paths": {"/books": {"lambdaFunction": "books", "permissions": {"setting": "protected", "auth": ["create", "read"], "guest": ["read"]}}}}
END
run gatewright add api shop --from answers.json --create-functions plain
run gatewright validate
run gatewright push
gatewright sandbox --port 0 >"$HOME/sandbox.log" 2>&1 &
sandbox=$!
for _ in $(seq 60); do
	if gatewright call GET /books --as guest >/dev/null 2>&1; then break; fi
	kill -0 $sandbox || { cat "$HOME/sandbox.log"; exit 1; }
	sleep 1
done
run gatewright call GET /books --as guest
echo
if run gatewright call DELETE /books --as guest; then echo "a guest deleted"; exit 1; fi
kill -TERM $sandbox
wait $sandbox
echo "the sandbox ended with $?"
`

// answers are what the session must print.
var answers = []*regexp.Regexp{
	regexp.MustCompile(`(?m)^valid: 0 errors`),
	regexp.MustCompile(`(?m)^pushed environment dev `),
	regexp.MustCompile(`(?m)^\$ gatewright call GET /books --as guest\n(HTTP/1.1 )?200`),
	regexp.MustCompile(`(?m)^\$ gatewright call DELETE /books --as guest\n(HTTP/1.1 )?403`),
	regexp.MustCompile(`(?m)^the sandbox ended with 0$`),
}

const shares = "/usr/share/man/man1/gatewright.1.gz /usr/share/bash-completion/completions/gatewright " +
	"/usr/share/fish/vendor_completions.d/gatewright.fish /usr/share/doc/gatewright/THIRD-PARTY-LICENSES.txt "

// ways are all ways that run in a Debian. The package for Debian is first: it is the one that
// brings Node.js along, which the others need.
func ways(r release, o options) []way {
	folder := strings.TrimSuffix(r.file("tar.gz"), ".tar.gz")
	all := []way{
		{
			name:    "deb, by apt",
			install: "apt-get install -y /dist/" + r.file("deb") + " && node --version && dpkg --verify gatewright",
			remove:  "apt-get purge -y gatewright && apt-mark manual nodejs",
			files: strings.Fields(shares +
				"/usr/share/zsh/vendor-completions/_gatewright /usr/share/doc/gatewright/copyright"),
		},
		{
			name:    "archive",
			install: "tar -xzf /dist/" + r.file("tar.gz") + " -C /opt",
			remove:  "rm -r /opt/" + folder,
			path:    "/opt/" + folder,
			files: []string{
				"/opt/" + folder + "/LICENSE", "/opt/" + folder + "/THIRD-PARTY-LICENSES.txt",
				"/opt/" + folder + "/man/man1/gatewright.1", "/opt/" + folder + "/completions/_gatewright",
			},
		},
		{
			name:    "rpm, by rpm",
			install: "apt-get install -y rpm && rpm --install /dist/" + r.file("rpm") + " && rpm --verify gatewright",
			remove:  "rpm --erase gatewright",
			files:   strings.Fields(shares + "/usr/share/zsh/site-functions/_gatewright /usr/share/licenses/gatewright/LICENSE"),
		},
		{
			name:    "apk, unpacked",
			install: "tar -xzf /dist/" + r.file("apk") + " -C / --warning=no-unknown-keyword usr",
			remove: "tar -tzf /dist/" + r.file("apk") +
				" --warning=no-unknown-keyword | grep gatewright | sed 's,^,/,' | xargs rm -rf",
			files: strings.Fields(shares + "/usr/share/zsh/site-functions/_gatewright /usr/share/licenses/gatewright/LICENSE"),
		},
		{
			name: "npm, global",
			install: "mkdir -p /opt/npm && tar -xzf /npm.tgz -C /opt/npm && apt-get install -y nodejs && " +
				"node /opt/npm/package/bin/npm-cli.js install --global --prefix /usr/local --registry $REGISTRY " + r.npm + "@" +
				r.version,
			remove: "node /opt/npm/package/bin/npm-cli.js uninstall --global --prefix /usr/local " + r.npm,
		},
	}
	if o.lintian {
		all = append(all, way{
			name: "deb, by lintian",
			install: "apt-get install -y --no-install-recommends lintian >/dev/null 2>&1 && lintian --allow-root --fail-on " +
				"none --show-overrides --tag-display-limit 0 /dist/" + r.file("deb"),
			judge: judgeLintian,
		})
	}
	return all
}

var tag = regexp.MustCompile(`(?m)^([EWO]): gatewright: (.*)$`)

// judgeLintian fails on errors, and says how many warnings and overrides there are.
func judgeLintian(out string) (string, error) {
	counts := map[string]int{}
	var errs []string
	for _, m := range tag.FindAllStringSubmatch(out, -1) {
		counts[m[1]]++
		if m[1] == "E" {
			errs = append(errs, m[2])
		}
	}
	if len(errs) > 0 {
		return "", errors.New(strings.Join(errs, "; "))
	}
	return fmt.Sprintf("0 errors, %d warnings, %d overridden", counts["W"], counts["O"]), nil
}

// try installs the program, does what a new user does, and removes it.
func (m *machine) try(ctx context.Context, w way, r release) (string, error) {
	fmt.Fprintf(m.out, "# %s\n", w.install)
	out, err := m.run(ctx, "REGISTRY="+m.npm+"; "+w.install)
	if err != nil {
		return "", fmt.Errorf("installing: %w", err)
	}
	if w.judge != nil {
		fmt.Fprint(m.out, out)
		return w.judge(out)
	}
	for _, file := range w.files {
		if _, err := m.run(ctx, "test -s "+file); err != nil {
			return "", fmt.Errorf("there is no %s", file)
		}
	}
	out, err = m.run(ctx, "cd /home/dev; setpriv --reuid dev --regid dev --init-groups env HOME=/home/dev PATH="+
		strings.TrimPrefix(w.path+":$PATH", ":")+" sh /session.sh")
	fmt.Fprint(m.out, out)
	if err != nil {
		return "", err
	}
	if !strings.Contains(out, "gatewright "+r.version+" ") {
		return "", errors.New("the program is not of version " + r.version)
	}
	for _, want := range answers {
		if !want.MatchString(out) {
			return "", fmt.Errorf("the session did not print what %s matches", want)
		}
	}
	fmt.Fprintf(m.out, "# %s\n", w.remove)
	if _, err := m.run(ctx, w.remove); err != nil {
		return "", fmt.Errorf("removing: %w", err)
	}
	left, err := m.run(ctx, "find /usr /opt /etc /var/lib -name '*gatewright*'")
	if err != nil {
		return "", err
	}
	if left != "" {
		return "", fmt.Errorf("after it is removed there is still %s", last(left, 3))
	}
	return "installed, a call answered, one refused, removed without a rest", nil
}
