package frame

import (
	"runtime"
	"testing"
	"unsafe"

	"golang.org/x/sys/windows"
)

func TestTheClipboardOfWindowsHasTheText(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ text, want string }{
		{"http://127.0.0.1:4280/1/dev", "http://127.0.0.1:4280/1/dev"},
		{"größer\n🙂\r\n", "größer\r\n🙂\r\n"},
	} {
		if !putClipboard(test.text) {
			t.Fatalf("%q is not put", test.text)
		}
		if got := readClipboard(t); got != test.want {
			t.Errorf("the clipboard has %q, want %q", got, test.want)
		}
	}
	if putClipboard("a\x00b") {
		t.Error("a text that would be cut is put")
	}
}

func readClipboard(t *testing.T) string {
	t.Helper()
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if opened, _, err := openClipboard.Call(0); opened == 0 {
		t.Fatal(err)
	}
	defer func() { _, _, _ = closeClipboard.Call() }()
	memory, _, err := user32.NewProc("GetClipboardData").Call(unicodeText)
	if memory == 0 {
		t.Fatal(err)
	}
	place, _, _ := globalLock.Call(memory)
	defer func() { _, _, _ = globalUnlock.Call(memory) }()
	units := make([]uint16, 200)
	_, _, _ = copyText.Call(uintptr(unsafe.Pointer(&units[0])), place)
	return windows.UTF16ToString(units)
}
