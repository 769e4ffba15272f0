package prepare

import (
	"cmp"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"gatewright/internal/file"
	"gatewright/internal/process"
	"gatewright/internal/source/workspace"
	"gatewright/internal/text/lazyregexp"
)

// Packages and scripts of a project run with what the user's shell knows, and a shell knows
// keys of clouds and tokens of code hosts. So each program that prepares a source gets the
// variables of the lists below and no other.

// Machine are the variables with which any program finds files and networks.
var Machine = []string{
	"PATH", "HOME", "USER", "LOGNAME", "SHELL", "TMPDIR", "TMP", "TEMP", "LD_LIBRARY_PATH",
	"HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "no_proxy", "all_proxy",
	"SSL_CERT_FILE", "SSL_CERT_DIR", "NODE_EXTRA_CA_CERTS", "REQUESTS_CA_BUNDLE",
	"SYSTEMROOT", "SYSTEMDRIVE", "WINDIR", "COMSPEC", "PATHEXT", "USERPROFILE", "HOMEDRIVE", "HOMEPATH",
	"APPDATA", "LOCALAPPDATA", "PROGRAMDATA", "NUMBER_OF_PROCESSORS", "PROCESSOR_ARCHITECTURE",
}

// tools are those of package managers, compilers and what they start.
var tools = []string{
	"LANG", "LANGUAGE", "TZ", "TERM", "COLORTERM", "NO_COLOR", "FORCE_COLOR", "CI",
	"XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_CONFIG_DIRS", "XDG_DATA_HOME", "XDG_DATA_DIRS", "XDG_STATE_HOME",
	"XDG_RUNTIME_DIR",
	"CURL_CA_BUNDLE", "NIX_SSL_CERT_FILE", "NETRC",
	// Packages come from git too, with the user's keys: only the agent has those.
	"SSH_AUTH_SOCK", "GIT_SSH", "GIT_SSH_COMMAND", "GIT_SSL_CAINFO", "GIT_SSL_CAPATH", "GIT_CONFIG_GLOBAL",
	"GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM", "GIT_EXEC_PATH",
	"NODE_ENV", "NODE_OPTIONS", "NODE_PATH", "NODE_USE_SYSTEM_CA", "NODE_USE_ENV_PROXY", "NODE_TLS_REJECT_UNAUTHORIZED",
	"NVM_DIR", "NVM_BIN", "FNM_DIR", "N_PREFIX", "VOLTA_HOME", "NODENV_ROOT", "NODENV_VERSION", "PNPM_HOME", "BUN_INSTALL",
	"PYENV_ROOT", "PYENV_VERSION", "VIRTUAL_ENV", "CONDA_PREFIX", "PYTHONPATH", "PYTHONHOME", "PYTHONUSERBASE",
	"PYTHONUTF8", "PYTHONIOENCODING", "PYTHONDONTWRITEBYTECODE", "PYTHON", "ASDF_DIR", "ASDF_DATA_DIR", "MISE_DATA_DIR",
	"CC", "CXX", "AR", "LD", "CPP", "CFLAGS", "CXXFLAGS", "CPPFLAGS", "LDFLAGS", "MAKEFLAGS", "PKG_CONFIG_PATH", "CPATH",
	"LIBRARY_PATH", "DYLD_LIBRARY_PATH", "SDKROOT", "DEVELOPER_DIR", "MACOSX_DEPLOYMENT_TARGET", "JAVA_HOME",
	"OS", "PROGRAMFILES", "PROGRAMFILES(X86)", "PROGRAMW6432", "COMMONPROGRAMFILES", "ALLUSERSPROFILE", "PUBLIC",
	"USERNAME", "USERDOMAIN", "COMPUTERNAME", "VSINSTALLDIR", "VCINSTALLDIR",
}

// Families of variables are settings of a program: npm and pnpm read any of .npmrc
// (https://docs.npmjs.com/cli/using-npm/config), pip any flag
// (https://pip.pypa.io/en/stable/topics/configuration/), go those of go env. Addresses of mirrors
// are read by packages that bring a program.
var (
	forNode = lazyregexp.New(`(?i)^(npm_config|pnpm_config|YARN|BUN_CONFIG|COREPACK)_|_MIRROR$`)
	forPip  = lazyregexp.New(`(?i)^PIP_`)
	forGo   = lazyregexp.New(`(?i)^GO(ROOT|PATH|ENV|CACHE|MODCACHE|TMPDIR|TOOLCHAIN|DEBUG|PROXY|PRIVATE|NOPROXY|` +
		`SUMDB|NOSUMDB|INSECURE|VCS|AUTH|EXPERIMENT|FIPS140)$`)
)

// credential matches a setting, as NAME=value, that lets into a registry and does not only lead there.
var credential = lazyregexp.New(`(?i)^[^=]*(auth|token|passw|username|secret|(_otp|_key)=)|=.*://[^/@]*@`)

// isNeeded reports whether every program gets a variable.
func isNeeded(pair string) bool {
	name, _, _ := strings.Cut(pair, "=")
	is := func(listed string) bool { return strings.EqualFold(name, listed) }
	return isOf(forNode)(pair) && !credential().MatchString(pair) || strings.HasPrefix(name, "LC_") ||
		slices.ContainsFunc(Machine, is) || slices.ContainsFunc(tools, is)
}

// isOf reports whether a variable is of a family.
func isOf(family func() *regexp.Regexp) func(pair string) bool {
	return func(pair string) bool {
		name, _, _ := strings.Cut(pair, "=")
		return family().MatchString(name)
	}
}

// isIn reports whether a variable is named.
func isIn(names map[string]bool) func(pair string) bool {
	return func(pair string) bool {
		name, _, _ := strings.Cut(pair, "=")
		return names[name]
	}
}

// inherited returns those variables of this process for which one of the conditions holds.
func inherited(conditions ...func(pair string) bool) []string {
	return slices.DeleteFunc(os.Environ(), func(pair string) bool {
		return !slices.ContainsFunc(conditions, func(holds func(string) bool) bool { return holds(pair) })
	})
}

// command is a program that answers a question about this machine.
func command(ctx context.Context, words ...string) *exec.Cmd {
	cmd := process.Guard(exec.CommandContext(ctx, words[0], words[1:]...))
	cmd.Env = inherited(isNeeded)
	return cmd
}

// named matches a variable that a file of settings or requirements stands for.
var named = lazyregexp.New(`\$\{([A-Za-z_][A-Za-z0-9_]*)\??(?:[:-].*?)?\}`)

// namesIn returns the variables that texts name. Keys of AWS are none of a registry's.
func namesIn(texts ...[]byte) map[string]bool {
	names := make(map[string]bool)
	for _, text := range texts {
		for _, found := range named().FindAllSubmatch(text, -1) {
			if name := string(found[1]); !strings.HasPrefix(strings.ToUpper(name), "AWS_") {
				names[name] = true
			}
		}
	}
	return names
}

// credentials returns the variables with which a package manager enters the registries of
// the packages. The user's own settings count as the project's do.
func (p *packages) credentials() []string {
	home, _ := os.UserHomeDir()
	texts := [][]byte{}
	for _, name := range workspace.SettingFiles {
		texts = append(texts, p.files[name])
		// A missing file names nothing.
		text, _ := file.ReadRegular(filepath.Join(home, name))
		texts = append(texts, text)
	}
	own, _ := file.ReadRegular(cmp.Or(os.Getenv("NPM_CONFIG_USERCONFIG"), os.Getenv("npm_config_userconfig")))
	all := inherited(isIn(namesIn(append(texts, own)...)), isOf(forNode))
	return slices.DeleteFunc(all, isNeeded)
}
