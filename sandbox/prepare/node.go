package prepare

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"path/filepath"
	"slices"
	"strings"

	"gatewright/internal/file"
	"gatewright/internal/text/phrase"
	"gatewright/sandbox/function"
	"gatewright/sandbox/logs"
)

// node makes sure that the packages that a folder lists are installed in the cache. What its owner installed
// next to them is more, or other, than what a push has. A folder without packages needs no npm.
func (p *Preparer) node(ctx context.Context, s *function.Spec, source string) (cached, error) {
	wanted, err := readPackages(source, s.Project, false)
	if err != nil || wanted == nil {
		return cached{}, errorOf(s, err)
	}
	p.warnOf(s, wanted)
	found := cached{stamp: wanted.stamp}
	if wanted.asksRegistry() {
		found, err = p.cached(ctx, s, wanted)
	}
	found.members = wanted.members()
	return found, err
}

// warnOf warns about what a list of packages leads to, also if they are installed already.
func (p *Preparer) warnOf(s *function.Spec, wanted *packages) {
	for _, text := range wanted.shared.Unmet(inRange) {
		p.Warn(s, text)
	}
	if scripts := wanted.ownScripts(); len(scripts) > 0 {
		p.Warn(s, "its package.json has the script "+phrase.QuoteList(scripts)+", which is not run here: packages are "+
			"installed outside of its folder")
	}
	if wanted.lock != nil && !wanted.isChanged() && !wanted.lockMatches() && !p.lambda {
		p.Warn(s, "its lock file belongs to another package.json, which a push may refuse; run npm install in "+
			phrase.QuotePath(wanted.folder))
	}
}

// errorOf returns err as an error of the function.
func errorOf(s *function.Spec, err error) error {
	if u, ok := err.(*prepareError); ok {
		return u.forFunction(s)
	}
	return err
}

// logFile returns the file for a program's whole output about a folder.
func (p *Preparer) logFile(program, folder string) string {
	sum := sha256.Sum256([]byte(file.RealPath(folder)))
	return filepath.Join(p.state, program, hex.EncodeToString(sum[:8])+".log")
}

// npmFailed returns the error of a failed npm, with the lines that npm marks as errors.
func (p *Preparer) npmFailed(s *function.Spec, how string, lines []string, err error, byHand string) error {
	errorLines := npmErrors(lines)
	for _, line := range errorLines {
		p.log(s, logs.Error, how+": "+line)
	}
	text := how + " failed: " + howItEnded(err)
	if len(errorLines) == 0 {
		errorLines = lastLines(lines)
	}
	if len(errorLines) > 0 {
		text = how + " failed: " + strings.Join(errorLines[:min(len(errorLines), 3)], "; ")
	}
	if why := offline(errorLines); why != "" {
		return notReached(text+" (no package registry is reachable: "+why+")", "connect this machine to the network")
	}
	return notPrepared(text, "correct package.json, or "+byHand+" to see the whole output")
}

// npmErrors returns the texts of the lines that package managers mark as errors, without those that help nobody.
func npmErrors(lines []string) []string {
	var errorLines []string
	for _, line := range lines {
		text, marked := "", false
		for _, mark := range []string{"npm error", "npm ERR!", "error ", "ERR_PNPM_"} {
			if text, marked = strings.CutPrefix(strings.TrimSpace(line), mark); marked {
				break
			}
		}
		text = strings.TrimSpace(text)
		if !marked || text == "" || strings.HasPrefix(text, "A complete log of this run") ||
			strings.HasPrefix(text, "at ") || strings.HasPrefix(text, "errno ") || strings.HasPrefix(text, "syscall ") {
			continue
		}
		if len(errorLines) > 0 && strings.HasSuffix(text, "-debug-0.log") {
			continue
		}
		errorLines = append(errorLines, text)
	}
	return errorLines
}

// lastLines are the last lines of an output that say something.
func lastLines(lines []string) []string {
	said := slices.DeleteFunc(slices.Clone(lines), func(line string) bool { return strings.TrimSpace(line) == "" })
	return said[max(0, len(said)-2):]
}
