package frame

import (
	"os"
	"runtime"
	"strings"
	"time"
	"unsafe"

	tea "charm.land/bubbletea/v2"
	"golang.org/x/sys/windows"
)

// systemClipboard puts a text into the clipboard of Windows: its older consoles take none
// from a program. Over SSH the clipboard is the terminal's.
func systemClipboard(text string) tea.Cmd {
	if os.Getenv("SSH_CONNECTION") != "" {
		return nil
	}
	return func() tea.Msg {
		putClipboard(text)
		return nil
	}
}

var (
	user32   = windows.NewLazySystemDLL("user32.dll")
	kernel32 = windows.NewLazySystemDLL("kernel32.dll")

	openClipboard    = user32.NewProc("OpenClipboard")
	closeClipboard   = user32.NewProc("CloseClipboard")
	emptyClipboard   = user32.NewProc("EmptyClipboard")
	setClipboardData = user32.NewProc("SetClipboardData")
	globalAlloc      = kernel32.NewProc("GlobalAlloc")
	globalFree       = kernel32.NewProc("GlobalFree")
	globalLock       = kernel32.NewProc("GlobalLock")
	globalUnlock     = kernel32.NewProc("GlobalUnlock")
	copyText         = kernel32.NewProc("lstrcpyW")
)

// Of the Windows API: the clipboard's format for text, and memory that it may move.
const (
	unicodeText    = 13
	movable        = 2
	clipboardTries = 10
)

// putClipboard reports whether the clipboard has the text now. Another program may have it
// open for a moment.
func putClipboard(text string) bool {
	units, err := windows.UTF16FromString(strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\n", "\r\n"))
	if err != nil {
		return false
	}
	// The clipboard is open for a thread.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	opened, _, _ := openClipboard.Call(0)
	for i := 0; opened == 0 && i < clipboardTries; i++ {
		time.Sleep(5 * time.Millisecond)
		opened, _, _ = openClipboard.Call(0)
	}
	if opened == 0 {
		return false
	}
	defer func() { _, _, _ = closeClipboard.Call() }()
	memory, _, _ := globalAlloc.Call(movable, uintptr(len(units)*2))
	if memory == 0 {
		return false
	}
	place, _, _ := globalLock.Call(memory)
	if place != 0 {
		_, _, _ = copyText.Call(place, uintptr(unsafe.Pointer(&units[0])))
		_, _, _ = globalUnlock.Call(memory)
		_, _, _ = emptyClipboard.Call()
		if put, _, _ := setClipboardData.Call(unicodeText, memory); put != 0 {
			return true
		}
	}
	_, _, _ = globalFree.Call(memory)
	return false
}
