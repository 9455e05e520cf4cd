#!/bin/sh
# Makes sure that the programs which the tests drive are there.
missing=""
command -v ssh >/dev/null 2>&1 || missing="$missing openssh-client"
[ -x /usr/sbin/sshd ] || command -v sshd >/dev/null 2>&1 || missing="$missing openssh-server"
command -v tmux >/dev/null 2>&1 || missing="$missing tmux"
command -v git >/dev/null 2>&1 || missing="$missing git"
for p in vim less htop fzf vttest; do
	command -v "$p" >/dev/null 2>&1 || missing="$missing $p"
done
[ -z "$missing" ] && exit 0
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
	echo "installing:$missing"
	apt-get update -qq >/dev/null 2>&1
	# shellcheck disable=SC2086
	DEBIAN_FRONTEND=noninteractive apt-get install -y -qq $missing >/dev/null 2>&1 && exit 0
fi
echo "make test: these are missing:$missing (install them, then run it again)" >&2
exit 1
