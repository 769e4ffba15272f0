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

func TestOnAFullDiskNoItemIsSaidToBeAdded(t *testing.T) {
	t.Parallel()
	depth.Needs(t, "unshare")
	if out, err := exec.Command("unshare", "-rm", "true").CombinedOutput(); err != nil {
		depth.Lacks(t, "a namespace of one's own", string(out))
	}
	out, err := exec.Command("unshare", "-rm", "sh", "-c", fillDisk, "sh", program.Built(t), t.TempDir()).CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	text := string(out)
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
