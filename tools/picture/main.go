// Command picture makes the pictures in docs/pictures, with tmux: it builds the program, plays the stories of package
// story, and draws what the window showed as SVG, once for dark and once for light pages, and its end as PNG with a
// Chromium. Names of stories as arguments choose some of them; -to names another folder.
package main

import (
	"context"
	"crypto/sha256"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"

	"gatewright/tools/story"
)

func main() {
	to := flag.String("to", "docs/pictures", "the `FOLDER` for the pictures")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := pictures(ctx, *to, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "picture:", err)
		os.Exit(1)
	}
}

// pictures makes the pictures of the stories with some names; of all if there is none.
func pictures(ctx context.Context, to string, names []string) error {
	work, err := os.MkdirTemp("", "gatewright-picture-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(work) }()
	program := filepath.Join(work, "gatewright")
	if out, err := exec.CommandContext(ctx, "go", "build", "-o", program, ".").CombinedOutput(); err != nil {
		return fmt.Errorf("building the program: %w %s", err, out)
	}
	stories, err := story.All()
	if err != nil {
		return err
	}
	if to, err = filepath.Abs(to); err != nil {
		return err
	}
	for _, s := range stories {
		for _, c := range themes {
			if len(names) > 0 && !slices.Contains(names, s.Name) {
				continue
			}
			play := story.Play{Program: program, Work: filepath.Join(work, s.Name+c.theme)}
			play.Foreground, play.Background = c.foreground, c.background
			frames, end, err := play.Run(ctx, s)
			if err != nil {
				return err
			}
			file := filepath.Join(to, s.Name+"-"+c.theme)
			if err := os.WriteFile(file+".svg", []byte(draw(s, frames, end, c)), 0o644); err != nil {
				return err
			}
			if err := still(ctx, work, file, s); err != nil {
				return err
			}
			fmt.Printf("%s.svg: %d frames in %.1f s\n", file, len(frames), end.Seconds())
		}
	}
	return nil
}

// still draws the end of a picture as PNG. The picture gets a line that says what PNG is its own.
func still(ctx context.Context, work, file string, s story.Story) error {
	names := []string{"chromium", "chromium-browser", "google-chrome"}
	at := slices.IndexFunc(names, func(name string) bool { _, err := exec.LookPath(name); return err == nil })
	if at < 0 {
		return fmt.Errorf("%s.png is not drawn: there is no Chromium", file)
	}
	w, h := size(s)
	command := exec.CommandContext(ctx, names[at], "--headless", "--disable-gpu", "--hide-scrollbars",
		"--force-prefers-reduced-motion", "--force-device-scale-factor=1.5", "--default-background-color=00000000",
		fmt.Sprintf("--window-size=%.0f,%.0f", float64(w)*scale, float64(h)*scale),
		"--user-data-dir="+filepath.Join(work, "browser"), "--screenshot="+file+".png", "file://"+file+".svg")
	if os.Geteuid() == 0 { // its sandbox needs another user
		command.Args = append(command.Args, "--no-sandbox")
	}
	if out, err := command.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w %s", names[at], err, out)
	}
	png, err := os.ReadFile(file + ".png")
	if err != nil {
		return err
	}
	svg, err := os.ReadFile(file + ".svg")
	if err != nil {
		return err
	}
	svg = fmt.Appendf(svg, "<!-- Its end as PNG has the SHA-256 %x. -->\n", sha256.Sum256(png))
	return os.WriteFile(file+".svg", svg, 0o644)
}
