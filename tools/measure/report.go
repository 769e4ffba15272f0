//go:build linux

package measure

import (
	"fmt"
	"math"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"time"
)

// Machine says when, where and with what a table was made.
func Machine(packages ...string) string {
	first := func(command string, args ...string) string {
		out, err := exec.Command(command, args...).Output()
		if err != nil {
			return "not known"
		}
		line, _, _ := strings.Cut(string(out), "\n")
		return line
	}
	cpu := first("sh", "-c", "sed -n 's/^model name.*: //p' /proc/cpuinfo")
	load := first("cut", "-d ", "-f1-3", "/proc/loadavg")
	commit := first("git", "describe", "--always", "--dirty", "--abbrev=12", "--exclude=*")
	return fmt.Sprintf("%s, commit %s\n%s, %d cores, Linux %s, load before %s\n%s, Node.js %s, %s\n",
		time.Now().UTC().Format(time.DateOnly), commit, cpu, runtime.NumCPU(), first("uname", "-r"), load,
		runtime.Version(), first("node", "--version"), strings.Join(packages, ", "))
}

// Median is the middle one of values.
func Median(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	return sorted[len(sorted)/2]
}

// Number has three digits that count.
func Number(v float64) string {
	if v == 0 {
		return "0"
	}
	digits := 2 - int(math.Floor(math.Log10(math.Abs(v))))
	return fmt.Sprintf("%.*f", max(0, digits), v)
}

// Spread is the median of values, with the least and the most.
func Spread(values []float64) string {
	return fmt.Sprintf("%s (%s..%s)", Number(Median(values)), Number(slices.Min(values)), Number(slices.Max(values)))
}
