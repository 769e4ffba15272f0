package commit_test

import (
	"errors"
	"io/fs"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/afero"

	"gatewright/project/commit"
)

func TestLinksAndSubmodulesAreNotFollowed(t *testing.T) {
	t.Parallel()
	inner := newRepository(t)
	inner.write("inside", "x")
	inner.commit("inner")
	r := newRepository(t)
	r.write("backend/real", "text")
	id := r.gitWith("../../../etc/passwd", "hash-object", "-w", "--stdin")
	r.commit("files")
	r.git("update-index", "--add", "--cacheinfo", "120000,"+id+",backend/link")
	r.git("submodule", "--quiet", "add", inner.dir, "backend/module")
	r.git("commit", "--quiet", "-m", "odd things")
	all := files(t, r.open(""), "HEAD").In("backend")
	fsys := all.Afero()
	if _, err := fsys.Open("link"); !errors.Is(err, commit.ErrLink) {
		t.Errorf("the link was opened: %v", err)
	}
	if _, err := fsys.Stat("link/x"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("below the link: %v", err)
	}
	entries, err := afero.ReadDir(fsys, ".")
	if err != nil || len(entries) != 2 || entries[0].Mode()&fs.ModeSymlink == 0 {
		t.Errorf("the folder has %v, %v", entries, err)
	}
	if !slices.Equal(all.Links(), []string{"link"}) || !slices.Equal(all.LeftOut(), []string{"module"}) {
		t.Errorf("links %q, left out %q", all.Links(), all.LeftOut())
	}
	for _, folder := range []string{"link", "link/x", "module", "module/x"} {
		below := all.In(folder)
		if !slices.Equal(slices.Concat(below.Links(), below.LeftOut()), []string{"."}) {
			t.Errorf("in %s, links are %q, left out %q", folder, below.Links(), below.LeftOut())
		}
		if _, err := below.Afero().Stat("inside"); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("in %s: %v", folder, err)
		}
	}
}

func TestNamesOfAnyKindAreRead(t *testing.T) {
	t.Parallel()
	r := newRepository(t)
	names := []string{"a\nb", "tab\there", "-flag", `back\slash`, "quote\"d", "ünï", "\xff\xfe", " space "}
	id := r.gitWith("text", "hash-object", "-w", "--stdin")
	var index strings.Builder
	for _, name := range names {
		index.WriteString("100644 " + id + "\tbackend/" + name + "\x00")
	}
	r.gitWith(index.String(), "update-index", "-z", "--index-info")
	r.git("commit", "--quiet", "-m", "names")
	fsys := files(t, r.open(""), "HEAD").In("backend").Afero()
	for _, name := range names {
		if text, err := afero.ReadFile(fsys, name); err != nil || string(text) != "text" {
			t.Errorf("%q has %q, %v", name, text, err)
		}
	}
}

// A forged tree may name what no checkout would write.
func TestNamesThatLeadElsewhereAreLeftOut(t *testing.T) {
	t.Parallel()
	r := newRepository(t)
	id := r.gitWith("text", "hash-object", "-w", "--stdin")
	inner := r.gitWith("100644 blob "+id+"\tpasswd\x00100644 blob "+id+"\tfile\x00", "mktree", "-z")
	tree := r.gitWith("040000 tree "+inner+"\t..\x00040000 tree "+inner+"\tgood\x00", "mktree", "-z")
	r.git("update-ref", "refs/heads/forged", r.git("commit-tree", tree, "-m", "forged"))
	all := files(t, r.open(""), "forged")
	if want := []string{"../file", "../passwd"}; !slices.Equal(slices.Sorted(slices.Values(all.LeftOut())), want) {
		t.Errorf("left out are %q", all.LeftOut())
	}
	if _, err := all.Open("../passwd"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a name that leads out was opened: %v", err)
	}
	if _, err := all.Open("good/file"); err != nil {
		t.Error(err)
	}
}
