//go:build unix

package wire

import (
	"errors"
	"net"
	"os"
	"path/filepath"
	"strconv"

	"golang.org/x/sys/unix"
)

// listenPrivate binds under a temporary name with the socket's final mode and
// renames it into place, so that the socket is never there with another mode
// and the process's umask stays untouched.
func listenPrivate(path string) (*net.UnixListener, error) {
	tmp := filepath.Join(filepath.Dir(path), "."+strconv.Itoa(os.Getpid()))
	_ = os.Remove(tmp)
	ln, err := net.ListenUnix("unix", &net.UnixAddr{Name: tmp, Net: "unix"})
	if err != nil {
		return nil, err
	}
	ln.SetUnlinkOnClose(false)
	if err := os.Chmod(tmp, 0o600); err != nil {
		ln.Close()
		return nil, err
	}
	if err := os.Rename(tmp, path); err != nil {
		ln.Close()
		os.Remove(tmp)
		return nil, err
	}
	return ln, nil
}

func refused(err error) bool { return errors.Is(err, unix.ECONNREFUSED) }

var errPeer = errors.New("the peer is another user")

// checkPeer refuses a peer that is not this user. Where the kernel does not
// tell, the modes of the folder and the socket stand alone.
func checkPeer(nc net.Conn) error {
	uc, ok := nc.(*net.UnixConn)
	if !ok {
		return nil
	}
	raw, err := uc.SyscallConn()
	if err != nil {
		return err
	}
	var uid uint32
	var uerr error
	if err := raw.Control(func(fd uintptr) { uid, uerr = peerUID(int(fd)) }); err != nil {
		return err
	}
	if uerr != nil {
		return uerr
	}
	if uid != uint32(os.Getuid()) && uid != 0 {
		return errPeer
	}
	return nil
}

func socketID(path string) (fileID, error) {
	var st unix.Stat_t
	if err := unix.Lstat(path, &st); err != nil {
		return fileID{}, err
	}
	return fileID{uint64(st.Dev), st.Ino}, nil
}
