package frame

import (
	"fmt"
	"io"

	"golang.org/x/sys/windows"
)

// checkConsole fails if a console of Windows does not obey sequences, as in its legacy mode
// (https://learn.microsoft.com/windows/console/legacymode).
func checkConsole(out io.Writer) error {
	file, ok := out.(interface{ Fd() uintptr })
	if !ok {
		return nil
	}
	console, mode := windows.Handle(file.Fd()), uint32(0)
	if windows.GetConsoleMode(console, &mode) != nil {
		return nil
	}
	if windows.SetConsoleMode(console, mode|windows.ENABLE_VIRTUAL_TERMINAL_PROCESSING) != nil {
		return fmt.Errorf("%w: this console cannot draw; turn its legacy mode off in its properties, or use Windows Terminal",
			ErrNoTerminal)
	}
	_ = windows.SetConsoleMode(console, mode)
	return nil
}

// input is the console, which tells Esc from a sequence.
func input(in io.Reader) io.Reader { return in }
