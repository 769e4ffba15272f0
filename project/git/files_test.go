package git_test

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/afero"

	"gatewright/project/git"
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
	if _, err := fsys.Open("link"); !errors.Is(err, git.ErrLink) {
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

func TestAFolderIsReadInPartsAndFilesHaveTheirModes(t *testing.T) {
	t.Parallel()
	r := newRepository(t)
	for _, name := range []string{"a/api/x/b", "a/api/x/a", "a/api/x/c/d", "b/api/y", "api/z", "a/rapi/n"} {
		r.write(name, name)
	}
	r.git("add", "--all")
	r.git("update-index", "--chmod=+x", "a/api/x/a")
	r.git("commit", "--quiet", "-m", "one")
	all := files(t, r.open(""), "HEAD")
	if above := all.Above("api"); !slices.Equal(above, []string{"", "a", "b"}) {
		t.Errorf("above api are %q", above)
	}
	below := all.In("a").In("api/x")
	if below.In(".") != below || below.In("") != below {
		t.Error("a folder in itself is another one")
	}
	opened, err := below.Open(".")
	if err != nil {
		t.Fatal(err)
	}
	folder := opened.(fs.ReadDirFile)
	var parts []string
	for {
		entries, err := folder.ReadDir(2)
		if len(entries) == 0 {
			if !errors.Is(err, io.EOF) {
				t.Errorf("the folder ends with %v", err)
			}
			break
		}
		var names []string
		for _, entry := range entries {
			info, err := entry.Info()
			if err != nil {
				t.Fatal(err)
			}
			names = append(names, fmt.Sprint(info.Name(), " ", info.Mode(), " ", info.Size(), " ", info.ModTime().IsZero()))
		}
		parts = append(parts, strings.Join(names, ", "))
	}
	if want := []string{"a -rwxr-xr-x 9 true, b -rw-r--r-- 9 true", "c drwxr-xr-x 0 true"}; !slices.Equal(parts, want) {
		t.Errorf("the folder has %q, want %q", parts, want)
	}
	if rest, err := folder.ReadDir(-1); len(rest) != 0 || err != nil {
		t.Errorf("after its end it has %v, %v", rest, err)
	}
	if _, err := folder.Read(nil); err == nil {
		t.Error("a folder was read as a file")
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
