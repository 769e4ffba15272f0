// Package guardian starts processes so that nothing of them is left when the process that wanted them has
// ended, also if that was killed. It works on Linux only.
//
// A Guardian is this program once more, in another process, which does nothing else. It is the parent of all
// processes that are started through it, and adopts what these leave behind: it is a "child subreaper"
// (https://man7.org/linux/man-pages/man2/PR_SET_CHILD_SUBREAPER.2const.html), so a process stays below it
// however it detaches (setsid, forking twice, clearing its environment). When the connection to it ends,
// which the system sees to whatever happens to the other side, it kills everything below it and ends.
//
// Where the system allows it, the guardian has a view of the file system of its own (a mount namespace), in
// which folders can be read-only for the processes that it starts, while all others write into them.
package guardian
