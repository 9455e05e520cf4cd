//go:build unix

package worktree

import (
	"path/filepath"
	"strings"
	"testing"
)

func TestAFailureTellsWhatMattersOfGitsWords(t *testing.T) {
	long := strings.Repeat("x", 3*maxReason)
	for _, c := range []struct{ name, words, want string }{
		{"ssh's own", "Cloning into 'x'...\ngit@host: Permission denied (publickey).\nfatal: Could not read from remote repository.\n" +
			"Please make sure you have the correct access rights\nand the repository exists.", "git@host: Permission denied (publickey).; Could not read from remote repository."},
		{"the server's", "Cloning into 'x'...\nremote: Repository not found.\nfatal: repository 'https://host/x/' not found", "remote: Repository not found.; repository 'https://host/x/' not found"},
		{"a broken pipe", "error: RPC failed; curl 92\nerror: 5 bytes of body are still expected\nfatal: early EOF", "RPC failed; curl 92; 5 bytes of body are still expected; early EOF"},
		{"twice the same", "error: no\nfatal: no", "no"},
		{"unmarked", "one\ntwo\nthree\nfour", "two; three; four"},
		{"much", strings.Repeat("error: "+long+"\n", 9) + "fatal: end", long[:maxReason] + "; end"},
	} {
		if got := reasons(c.words); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestAFailedCloneSaysWhyAndNamesOnlyWhatIsThere(t *testing.T) {
	parent := tempDir(t)
	fakeGit(t, `case " $* " in *" clone "*)
	for half; do :; done
	printf "Cloning into '%s'...\n" "$half" >&2
	printf '\033[31mgit@harbour: closed\033[0m\n' >&2
	i=0; while [ $i -lt 99 ]; do i=$((i+1)); printf 'Receiving objects:  %d%% (%d/99)\r' $i $i >&2; done
	printf 'remote: Counting objects: 3, done.\nremote: over \007quota\n' >&2
	printf 'fatal: could not create %s/.git at https://me:secret@host\n' "$half" >&2
	exit 128;; esac`)
	var lines []string
	_, err := Cloning{"https://host/quay", parent, "ID"}.Run(t.Context(), func(line string) { lines = append(lines, line) })
	dir := filepath.Join(parent, "quay")
	want := "clone https://host/quay: git clone: remote: over quota; could not create " + dir + "/.git at https://host"
	if err == nil || err.Error() != want {
		t.Errorf("it says %v\nwant    %s", err, want)
	}
	if all := strings.Join(lines, "\n"); strings.Contains(all, ".moorage-clone") || !strings.Contains(all, "Cloning into '"+dir+"'") {
		t.Errorf("progress: %s", all)
	}
	if got := tree(t, parent); got != parent {
		t.Errorf("left: %s", got)
	}
	// The folder that cannot be made is one that the user has never seen; the one that keeps it from being made is there.
	write(t, parent, "file", "x")
	_, err = Cloning{"https://host/quay", filepath.Join(parent, "file", "deep", "er"), "ID"}.Run(t.Context(), nil)
	want = filepath.Join(parent, "file", "deep", "er", "quay") + " cannot be made in " + filepath.Join(parent, "file") + ": not a directory"
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("it says %v\nwant    %s", err, want)
	}
}
