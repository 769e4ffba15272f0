package facility

import (
	"os/exec"
	"strings"
	"testing"

	"gatewright/test/depth"
	"gatewright/test/program"
)

// fillDisk puts items into a table on a disk of some kilobytes, until several were refused. Any user may
// mount one in a namespace (https://man7.org/linux/man-pages/man7/user_namespaces.7.html).
const fillDisk = `
set -e
mount -t tmpfs -o size=160k tmpfs "$2"
cd "$2"
"$1" init --name shop --app-id d1shop > /dev/null
"$1" add table books --partition-key id > /dev/null
long=$(printf %4000s x)
set +e
for id in $(seq 1 25); do
	said=$("$1" table put books "{\"id\": \"$id\", \"text\": \"$long\"}" 2>&1)
	echo "put $id: $said: $?"
done
echo has $("$1" table scan books | sed 's/.*"id":"\([0-9]*\)".*/\1/') .
`

// onFullDisk runs a script of a shell, which has the program and a folder, where it may mount.
func onFullDisk(t *testing.T, script string) string {
	t.Helper()
	depth.Needs(t, "unshare")
	if out, err := exec.Command("unshare", "-rm", "true").CombinedOutput(); err != nil {
		depth.Lacks(t, "a namespace of one's own", string(out))
	}
	out, err := exec.Command("unshare", "-rm", "sh", "-c", script, "sh", program.Built(t), t.TempDir()).CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return string(out)
}

func TestOnAFullDiskNoItemIsSaidToBeAdded(t *testing.T) {
	t.Parallel()
	text := onFullDisk(t, fillDisk)
	_, has, _ := strings.Cut(text, "has ")
	refused := 0
	for line := range strings.Lines(text) {
		id, rest, _ := strings.Cut(strings.TrimPrefix(line, "put "), ": ")
		switch {
		case strings.HasPrefix(line, "has "):
		case rest == "added 1 item: 0\n":
			if !strings.Contains(" "+has, " "+id+" ") {
				t.Errorf("item %s was added, and is not there", id)
			}
		case strings.HasPrefix(rest, "gatewright: ") && strings.HasSuffix(rest, "no space left on device: 1\n"):
			refused++
		default:
			t.Errorf("it says %q", line)
		}
	}
	if refused == 0 {
		t.Errorf("nothing was refused:\n%s", text)
	}
}

// layOnDisk calls a function that is larger than the disk it is laid out on, more often than starts may
// fail, and once more when there is space.
const layOnDisk = `
set -e
mkdir "$2/cache" "$2/project"
mount -t tmpfs -o size=160k tmpfs "$2/cache"
cd "$2/project"
export GATEWRIGHT_CACHE="$2/cache"
"$1" init --name shop > /dev/null
"$1" add api shop --path /books --function books --new-function plain --auth all --guest read > /dev/null
head -c 400000 /dev/zero > backend/function/books/src/large
"$1" sandbox --port 0 > log 2>&1 &
sandbox=$!
until grep -q "is written" log; do sleep 0.1; done
set +e
for n in 1 2 3 4; do "$1" call GET /books; done
mount -o remount,size=4m "$2/cache"
"$1" call GET /books
kill $sandbox
`

func TestAFunctionThatTheDiskHasNoSpaceForSaysSoAndRunsOnceItHas(t *testing.T) {
	depth.Gate(t)
	t.Parallel()
	depth.Needs(t, "node")
	text := onFullDisk(t, layOnDisk)
	if n := strings.Count(text, "books of environment dev: the disk is full: its files cannot be copied into "); n != 4 ||
		strings.Count(text, "; free space in ") != 4 || !strings.Contains(text, `"get call succeed!"`) {
		t.Errorf("it says %s", text)
	}
}
