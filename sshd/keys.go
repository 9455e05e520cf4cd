package sshd

import (
	"bufio"
	"bytes"
	"crypto/ed25519"
	"crypto/rand"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"moorage/persistence"

	gossh "golang.org/x/crypto/ssh"
)

// Keys are the files under <home>/keys that make an SSH connection to this
// moorage possible without a question asked.
type Keys struct {
	HostKey    string // private host key, OpenSSH format, 0600
	ClientKey  string // private key of moorage's own client, its .pub beside it
	KnownHosts string // pins the host key under HostAlias
}

// HostAlias is the name that the host key is pinned under, whatever address or
// port a connection takes (ssh_config HostKeyAlias).
const HostAlias = "moorage"

// EnsureKeys makes the keys that are missing and returns their places. What is
// there is kept: a host key that changed would alarm every client.
func EnsureKeys(home persistence.Home) (Keys, error) {
	dir, err := home.MakeDir("keys")
	if err != nil {
		return Keys{}, fmt.Errorf("keys: %w", err)
	}
	k := Keys{
		HostKey:    filepath.Join(dir, "host_ed25519"),
		ClientKey:  filepath.Join(dir, "client_ed25519"),
		KnownHosts: filepath.Join(dir, "known_hosts"),
	}
	// What is there needs no lock and no writing: the disk may be full.
	if k.complete() {
		return k, nil
	}
	// Two processes may come here at once: the first one's keys stand.
	lock, err := persistence.WaitLock(filepath.Join(dir, ".lock"))
	if err != nil {
		return Keys{}, fmt.Errorf("keys: %w", err)
	}
	defer lock.Release()
	host, err := ensureKey(k.HostKey, "moorage host key")
	if err != nil {
		return Keys{}, err
	}
	if _, err := ensureKey(k.ClientKey, "moorage client key"); err != nil {
		return Keys{}, err
	}
	if have, err := os.ReadFile(k.KnownHosts); err != nil || !bytes.Equal(have, pin(host)) {
		if err := persistence.WriteFile(k.KnownHosts, pin(host)); err != nil {
			return Keys{}, fmt.Errorf("keys: %w", err)
		}
	}
	return k, nil
}

// complete reports whether all the files are there and belong together.
func (k Keys) complete() bool {
	host, err := readKey(k.HostKey)
	if err != nil {
		return false
	}
	if _, err := readKey(k.ClientKey); err != nil {
		return false
	}
	pinned, err := os.ReadFile(k.KnownHosts)
	return err == nil && bytes.Equal(pinned, pin(host))
}

// pin is the line of known_hosts that names the host key.
func pin(host gossh.PublicKey) []byte {
	return []byte(HostAlias + " " + string(gossh.MarshalAuthorizedKey(host)))
}

// readKey returns the public half of a private key file that only its owner
// can read.
func readKey(path string) (gossh.PublicKey, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if info.Mode().Perm()&0o077 != 0 {
		return nil, fmt.Errorf("%s: mode %v", path, info.Mode())
	}
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	signer, err := gossh.ParsePrivateKey(b)
	if err != nil {
		return nil, err
	}
	return signer.PublicKey(), nil
}

// ensureKey returns the public half of the key at path, making it if missing.
func ensureKey(path, comment string) (gossh.PublicKey, error) {
	b, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		b, err = makeKey(path, comment)
	}
	if err != nil {
		return nil, fmt.Errorf("key %s: %w", path, err)
	}
	signer, err := gossh.ParsePrivateKey(b)
	if err != nil {
		return nil, fmt.Errorf("key %s: %w: move it away and a new one is made", path, err)
	}
	if info, err := os.Stat(path); err == nil && info.Mode().Perm()&0o077 != 0 {
		if err := os.Chmod(path, 0o600); err != nil {
			return nil, fmt.Errorf("key %s: %w", path, err)
		}
	}
	return signer.PublicKey(), nil
}

func makeKey(path, comment string) ([]byte, error) {
	public, private, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		return nil, err
	}
	block, err := gossh.MarshalPrivateKey(private, comment)
	if err != nil {
		return nil, err
	}
	sshPublic, err := gossh.NewPublicKey(public)
	if err != nil {
		return nil, err
	}
	line := bytes.TrimSuffix(gossh.MarshalAuthorizedKey(sshPublic), []byte("\n"))
	if err := persistence.WriteFile(path+".pub", append(line, " "+comment+"\n"...)); err != nil {
		return nil, err
	}
	b := pem.EncodeToMemory(block)
	return b, persistence.WriteFile(path, b)
}

// maxKeyFile bounds what is read of a file of public keys.
const maxKeyFile = 1 << 20

// authorized lists the keys that may come in now: moorage's own client key,
// the user's ~/.ssh/id_*.pub, and the lines of ~/.ssh/authorized_keys that
// carry no options. A line that cannot be read, or that somebody restricted,
// is skipped: half of a restriction would be none.
type authorized struct {
	clientKey string // path of the .pub
	sshDir    string // ~/.ssh; "" when there is no home
}

// allows reports whether key is among them. The files are read each time, so
// that a key counts from the moment it is added and no longer than it is there.
func (a authorized) allows(key gossh.PublicKey) bool {
	want := key.Marshal()
	files := []string{a.clientKey}
	if a.sshDir != "" {
		own, _ := filepath.Glob(filepath.Join(a.sshDir, "id_*.pub")) // the pattern is well formed
		files = append(files, own...)
		files = append(files, filepath.Join(a.sshDir, "authorized_keys"))
	}
	for _, file := range files {
		f, err := os.Open(file)
		if err != nil {
			continue
		}
		found := contains(io.LimitReader(f, maxKeyFile), want)
		f.Close()
		if found {
			return true
		}
	}
	return false
}

// contains looks for a key among lines of the authorized_keys format, sshd(8).
func contains(r io.Reader, want []byte) bool {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, maxKeyFile)
	for lines.Scan() {
		line := bytes.TrimSpace(lines.Bytes())
		if len(line) == 0 || line[0] == '#' {
			continue
		}
		key, _, options, _, err := gossh.ParseAuthorizedKey(line)
		if err != nil || len(options) > 0 {
			continue
		}
		if bytes.Equal(key.Marshal(), want) {
			return true
		}
	}
	return false
}
