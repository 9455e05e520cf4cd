package ptyhost

import (
	"fmt"
	"slices"

	"moorage/ptyhost/wire"
)

// policies are what may become of a session whose program was lost, "" for the
// default.
var policies = []string{"", "if-lost", "reattach-only", "always"}

func (p *peer) policy(_ *wire.Conn, req wire.PolicyRequest) (any, error) {
	return nil, p.host.setPolicy(req.Key, req.Policy)
}

// setPolicy gives a session another policy, whatever its state. The disk learns
// of it soon and without being waited for.
func (h *host) setPolicy(key, policy string) error {
	if !slices.Contains(policies, policy) {
		return &wire.Error{Code: wire.CodeInvalid, Message: fmt.Sprintf("there is no policy %q", policy), Next: "policies are if-lost, reattach-only and always"}
	}
	info, err := h.notePolicy(key, policy)
	if err != nil {
		return err
	}
	h.cfg.fault("policy: noted")
	h.freezer.poke()
	h.publish(wire.SessionEvent{Kind: wire.SessionChanged, Session: info})
	return nil
}

func (h *host) notePolicy(key, policy string) (wire.Session, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if d, ok := h.deferred[key]; ok {
		d.record.Policy = policy
		h.deferred[key] = d
		h.freezer.owed.policy(key, policy)
		return d.info(), nil
	}
	s := h.sessions[key]
	if s == nil {
		return wire.Session{}, notFound(key)
	}
	info, onDisk := s.setPolicy(policy)
	if onDisk {
		h.freezer.owed.policy(key, policy)
	}
	return info, nil
}

// setPolicy notes the policy. onDisk says that the session is no freezer's
// business any more: only its record is to be changed.
func (s *session) setPolicy(policy string) (info wire.Session, onDisk bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.policy = policy
	if s.proc == nil {
		return s.infoLocked(), true
	}
	s.kept.gate.Force = true
	s.noteFresh()
	return s.infoLocked(), false
}
