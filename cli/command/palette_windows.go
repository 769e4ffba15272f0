package command

import (
	"os"

	"golang.org/x/sys/windows"
)

// obeysSequences makes a console obey sequences, and reports whether it does. Consoles of
// Windows show them as text until a program asks for that; old ones refuse
// (https://learn.microsoft.com/windows/console/console-virtual-terminal-sequences).
func obeysSequences(out *os.File) bool {
	console, mode := windows.Handle(out.Fd()), uint32(0)
	return windows.GetConsoleMode(console, &mode) == nil &&
		windows.SetConsoleMode(console,
			mode|windows.ENABLE_PROCESSED_OUTPUT|windows.ENABLE_VIRTUAL_TERMINAL_PROCESSING) == nil
}
